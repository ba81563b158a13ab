"""From a question to ranked papers."""
