"""What the options of all verbs have in common."""
