"""Text without a model: words, sentences, languages."""
