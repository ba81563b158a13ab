"""The common parts of the options of all verbs."""
