"""Europe PMC: the life sciences, with the preprints of bioRxiv, medRxiv and other servers."""
