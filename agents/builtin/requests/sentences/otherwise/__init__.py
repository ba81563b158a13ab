"""What is said in a way that the readers do not know, and the same in one that they know, by what it is about."""
