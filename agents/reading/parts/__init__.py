"""Readers of the parts of a message, each of which adds to the selection of papers."""
