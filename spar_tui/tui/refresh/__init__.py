"""Keep screens up to date with the library."""
