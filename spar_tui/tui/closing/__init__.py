"""Close screens and the app while their background work continues."""
