"""Reading bibliographies: BibTeX, BibLaTeX, RIS, PubMed and CSL-JSON files as other programs and people leave them."""
