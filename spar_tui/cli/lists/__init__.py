"""Filters, orders and templates of the verbs that list something."""
