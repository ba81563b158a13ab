"""Summaries without a model: facets, extracts, tables, contradictions."""
