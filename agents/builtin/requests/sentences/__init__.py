"""A message as a sentence: its courtesies, its commands, and what is said in other words."""
