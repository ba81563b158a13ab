"""Check the external services: the sources, their keys, and the model."""
