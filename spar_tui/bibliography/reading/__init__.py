"""Read bibliographies exported by databases and other programs, or kept by hand."""
