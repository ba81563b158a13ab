"""The citation map of a search: the citations among its relevant papers, by year, and its drawing."""
