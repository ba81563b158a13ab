"""Reasoning without a model: words, statistics, rules."""
