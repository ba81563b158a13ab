"""Parse replies of an endpoint: the message, the JSON in it, and whether that fits the requested shape."""
