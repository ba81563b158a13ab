"""`spar corpus`."""
