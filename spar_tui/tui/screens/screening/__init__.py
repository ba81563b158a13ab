"""Deciding on the papers of a search, one by one."""
