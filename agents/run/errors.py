"""What a run says when it cannot begin or go on as asked."""


class RunError(Exception):
    """One sentence for the person: what is missing or does not fit."""


class NothingToBeginWith(RunError):
    """A run that has nothing to begin with: nothing is wrong, but nothing will come of it."""
