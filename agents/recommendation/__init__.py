"""What to read next, from the person's own reading history (ARAG, arXiv 2506.21931)."""
