"""Parse a question without a model (SPAR §3.1): what it asks for, its conditions, and what to send to which source."""
