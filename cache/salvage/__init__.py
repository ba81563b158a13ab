"""Read a damaged library page by page and build an intact one from the remains."""
