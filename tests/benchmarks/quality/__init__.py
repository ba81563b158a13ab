"""How good the answers are, over the open collections, written by the run itself into docs/quality.md."""
