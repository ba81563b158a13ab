"""The citation map of a search: who cites whom among its relevant papers, by year, and how it is drawn."""
