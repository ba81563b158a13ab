"""What an endpoint said, read: its reply, the JSON in it, and whether that is what was asked for."""
