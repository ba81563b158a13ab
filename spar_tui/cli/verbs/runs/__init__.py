"""Verbs about a run that is over, or on its way."""
