"""Conditions and orders of papers, one table row each, shared by every part of the program that filters or sorts."""
