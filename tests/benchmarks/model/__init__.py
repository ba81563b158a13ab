"""What a language model brings to a search."""
