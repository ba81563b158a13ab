"""Leaving screens and the app while work goes on for them."""
