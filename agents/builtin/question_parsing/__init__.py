"""Reading a question without a model (SPAR §3.1): what is asked for, within which limits, and what to send to whom."""
