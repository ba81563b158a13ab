"""Markdown files of saved papers, for Obsidian, Logseq and other folders of notes."""
