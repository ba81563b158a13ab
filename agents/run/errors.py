"""The errors of a run that cannot begin or resume."""

import os


class RunError(Exception):
    """An error with one sentence for the person: what is missing or does not fit."""


class NothingToBeginWith(RunError):
    """A run without any input: no fault, but it would have no result."""


def unexpected(error: BaseException) -> str:
    """Describe an unexpected error by type and place, without its message, which may contain private text."""
    frames = error.__traceback__
    while frames and frames.tb_next:
        frames = frames.tb_next
    where = f" at {os.path.basename(frames.tb_frame.f_code.co_filename)}:{frames.tb_lineno}" if frames else ""
    return f"unexpected {type(error).__name__}{where}; this is a bug in spar"
