"""The only access to services: within rate limits, time and size, with a named error for every failure."""
