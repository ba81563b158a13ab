"""Ask sources for papers, and rank the results."""
