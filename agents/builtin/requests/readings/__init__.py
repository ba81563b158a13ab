"""Which of several readings of a request is meant."""
