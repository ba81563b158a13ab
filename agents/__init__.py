"""The systems: from a question to ranked papers, as a stream of events."""
