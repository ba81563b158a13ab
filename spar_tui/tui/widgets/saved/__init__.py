"""Saved papers."""
