"""Evidence: the words of papers that answer a question, and the paper that a quote is from."""
