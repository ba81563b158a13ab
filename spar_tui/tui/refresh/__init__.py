"""Showing what the library holds now."""
