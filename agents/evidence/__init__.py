"""Evidence: which words of which papers bear on a question, and which paper some words are from."""
