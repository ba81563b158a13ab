"""The person's taste: their weighted reading history, their own words, and the comparison of papers with both."""
