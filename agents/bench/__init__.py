"""Measuring the search: closed-world collections, measures, arms, reports."""
