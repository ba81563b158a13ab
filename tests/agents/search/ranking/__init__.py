"""The order of a search's answer."""
