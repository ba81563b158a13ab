"""Query texts: terms, expressions, and the parts that no source should be sent."""
