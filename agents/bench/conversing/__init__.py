"""Measuring the assistant: conversations with a simulated person, and single requests, over a library that is known."""
