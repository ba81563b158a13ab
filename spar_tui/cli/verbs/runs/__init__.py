"""Verbs about a run that has ended or is under way."""
