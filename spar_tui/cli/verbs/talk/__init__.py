"""Verbs by which a person or a program talks with spar."""
