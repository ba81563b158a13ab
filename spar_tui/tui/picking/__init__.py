"""Pick saved papers for another program."""
