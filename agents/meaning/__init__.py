"""Texts as vectors: who makes them, and where they are kept, so that papers can be compared by what they mean."""
