"""Searches and summaries measured on collections whose answers are known."""
