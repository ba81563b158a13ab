"""dblp: the bibliography of computer science."""
