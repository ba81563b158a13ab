"""Screens that stand before others."""
