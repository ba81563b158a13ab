"""Requests in plain words read by rules, without a model: what a person wants done with the papers of their library."""
