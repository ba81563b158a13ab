"""Records of papers: built from what a source says, matched, grouped and merged."""
