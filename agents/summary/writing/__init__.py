"""Writing a summary: its text from the leaves up, its tables, and what supports every sentence."""
