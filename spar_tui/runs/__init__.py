"""Runs as the store and the app carry them on."""
