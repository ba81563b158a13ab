"""What a person likes, without a model: papers compared by words, keywords and links."""
