"""Verbs about one paper."""
