"""Dialogs over other screens."""
