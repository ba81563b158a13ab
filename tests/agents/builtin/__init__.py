"""Built-in reasoning, by what a person can rely on."""
