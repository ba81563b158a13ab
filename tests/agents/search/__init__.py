"""The search loop, step by step and whole."""
