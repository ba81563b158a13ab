"""Reports of finished runs: as JSON, as Markdown, as a search log."""
