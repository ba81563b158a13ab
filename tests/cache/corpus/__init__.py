"""The corpus."""
