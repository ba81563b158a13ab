"""Actions of a conversation without a model, and the sentences that ask for them."""
