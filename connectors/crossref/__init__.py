"""Crossref: the registry of publishers' works."""
