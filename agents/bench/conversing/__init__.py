"""Benchmarks of the assistant: conversations with a simulated person, and single requests, over a known library."""
