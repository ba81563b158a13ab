"""Deciding on the records of a search by hand."""
