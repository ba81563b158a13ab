"""The line behind a colon: every verb of the command line, and some commands of the app."""
