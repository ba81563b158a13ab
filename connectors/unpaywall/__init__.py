"""Unpaywall: the free copies of papers."""
