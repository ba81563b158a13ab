"""Crossref: the registry in which publishers enter what they print."""
