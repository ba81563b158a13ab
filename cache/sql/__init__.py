"""The library for questions in SQL: what may be read (`views`), and the one door to it (`reading`)."""
