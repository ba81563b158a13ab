"""Texts as vectors, for comparing papers by meaning: encoders, and the storage of vectors."""
