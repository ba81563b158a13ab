"""What can be done in a conversation without a model, and the sentences that ask for it."""
