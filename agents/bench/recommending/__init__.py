"""Benchmarks of the recommendation: people's libraries, a part of each held out."""
