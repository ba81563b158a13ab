"""The sources, and `Paper`, the one record every source is turned into."""
