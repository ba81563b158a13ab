"""Widgets of the screen of a search."""
