"""Recommendations and taste measured: how fast, whether several subjects are met, whether a search gains."""
