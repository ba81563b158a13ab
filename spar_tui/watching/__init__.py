"""What stored watches bring: asked and told in the same way on the command line and in the app."""
