"""The interpreted question, and the matching of papers with its operators."""
