"""Access to the terminal and to programs of the system."""
