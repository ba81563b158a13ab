"""News of stored watches, fetched and described in the same way for the command line and the app."""
