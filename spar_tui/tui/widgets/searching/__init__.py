"""What is on the screen of a search alone."""
