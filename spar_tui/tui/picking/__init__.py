"""Choosing saved papers for another program."""
