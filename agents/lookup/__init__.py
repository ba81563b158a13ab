"""Ask sources about one paper: its record, and the papers linked to it."""
