"""The readers of single parts of a message: what each says of the papers that are meant."""
