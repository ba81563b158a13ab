"""Built-in rules, by what a person can rely on."""
