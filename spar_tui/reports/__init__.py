"""What is told of a run that is over: as JSON, as Markdown, as a search log."""
