"""Asking sources for papers, and putting in order what they gave."""
