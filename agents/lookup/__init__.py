"""What sources know of one paper: its record, and the papers around it."""
