"""What an entry says against what a source says, field by field."""
