"""Correct a .bib file with the sources' data, without changing anything else."""
