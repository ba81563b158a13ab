"""Manual screening of the records of a search."""
