"""How the text of a summary is written."""
