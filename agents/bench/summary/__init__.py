"""Measuring summaries."""
