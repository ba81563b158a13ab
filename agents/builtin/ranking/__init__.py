"""Rank papers without a model, by weighted features."""
