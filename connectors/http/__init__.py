"""The one way to a service: polite, bounded in time and size, and naming every failure."""
