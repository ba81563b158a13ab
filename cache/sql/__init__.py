"""The library for queries in SQL: the readable views (`views`), and the only access to them (`reading`)."""
