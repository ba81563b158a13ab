"""Unpaywall: where the free copies of a paper are."""
