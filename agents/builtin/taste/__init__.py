"""A person's taste without a model: papers compared by words, keywords and links."""
