"""Screens that compare several papers: the citation map, and papers side by side."""
