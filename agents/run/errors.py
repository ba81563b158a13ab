"""What a run says when it cannot begin or go on as asked."""


class RunError(Exception):
    """One sentence for the person: what is missing or does not fit."""
