"""The fields that the starter shelf has landmarks of."""

FIELDS = ("agents", "biomedicine", "information-retrieval", "language", "machine-learning")
"""Each is a file of its own."""
