"""What a request can want, each kind of act by rules of its own."""
