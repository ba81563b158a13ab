"""A query as text: its terms, and what no source should be sent."""
