"""Ranking without a model: what speaks for a paper, counted and weighed."""
