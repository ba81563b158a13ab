"""The command line behind a colon: all verbs, and some commands of the app."""
