"""The stored watches, and what is new in each."""
