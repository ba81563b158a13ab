"""Writing a summary: its text from the leaves up, its tables, and the support of every sentence."""
