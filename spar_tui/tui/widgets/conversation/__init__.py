"""What a conversation is shown with: its turns, and the line to write in."""
