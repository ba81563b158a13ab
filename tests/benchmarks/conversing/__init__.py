"""Conversations measured: with a simulated person, by single requests over a known library, and their time."""
