"""arXiv."""
