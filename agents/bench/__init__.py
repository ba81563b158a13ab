"""Benchmarks of the search: closed-world collections, measures, systems, reports."""
