"""The face of spar: the command line, settings and what a person sees."""

__version__ = "0.1.0"
