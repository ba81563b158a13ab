"""What a person sees of spar: the terminal app, the command line and the settings."""

__version__ = "0.1.0"
