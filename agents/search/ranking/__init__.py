"""The order of the answer: by relevance and standing, and if asked to by the person's taste."""
