"""Mending a .bib file: what is to change by what the sources say, and the change of nothing else."""
