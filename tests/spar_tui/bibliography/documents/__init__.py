"""Documents that are made here, and what is read of them."""
