"""Packs: saved papers with what is said of them, in one file for other people (`docs/sharing.md`)."""
