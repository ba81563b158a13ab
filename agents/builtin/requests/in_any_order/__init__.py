"""Questions read by the words that they are made of, in whatever order people put them."""
