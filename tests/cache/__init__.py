"""What can be relied on of the library file."""
