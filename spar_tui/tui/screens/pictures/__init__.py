"""Screens that show several papers at a glance: who cites whom, and side by side."""
