"""Fields of study: which one a question belongs to, their terms, and the aspects they look at a topic from."""
