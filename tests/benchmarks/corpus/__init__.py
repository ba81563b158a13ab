"""How a corpus grows: `python -m tests.benchmarks.corpus`."""
