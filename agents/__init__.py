"""The minds: from a question to ranked papers, told as a stream of events."""
