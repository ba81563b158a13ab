"""Benchmarks of summaries."""
