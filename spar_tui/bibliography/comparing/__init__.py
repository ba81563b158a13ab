"""Compare entries with the records of sources, field by field."""
