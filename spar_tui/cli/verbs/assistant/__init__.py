"""Verbs of the assistant: what planners are shown, and what they can be trained on."""
