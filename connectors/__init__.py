"""The doors to the sources, and `Paper`, the one record every source is turned into."""
