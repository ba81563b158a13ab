"""The widgets of a conversation: its turns, and the line for a message."""
