"""The order of the answer: by relevance, by standing, and on request by the person's taste."""
