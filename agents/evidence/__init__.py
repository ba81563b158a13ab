"""Evidence: which words of which papers bear on a question, and from which paper a quote is."""
