"""Packs: saved papers with their notes, tags and decisions, in one file for other people (`docs/sharing.md`)."""
