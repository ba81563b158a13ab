"""Summaries without a model: the facets of a field."""
