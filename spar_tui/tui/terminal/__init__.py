"""What the app asks of the terminal and the system around it."""
