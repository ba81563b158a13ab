"""What papers can be filtered and ordered by: one row for each condition, one for each order, read everywhere."""
