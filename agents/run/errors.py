"""What a run says when it cannot begin or go on as asked."""

import os


class RunError(Exception):
    """One sentence for the person: what is missing or does not fit."""


class NothingToBeginWith(RunError):
    """A run that has nothing to begin with: nothing is wrong, but nothing will come of it."""


def unexpected(error: BaseException) -> str:
    """What is said of a fault that nobody foresaw: its kind and where it happened. Its message stays unsaid, for it may
    quote what is nobody's business."""
    frames = error.__traceback__
    while frames and frames.tb_next:
        frames = frames.tb_next
    where = f" at {os.path.basename(frames.tb_frame.f_code.co_filename)}:{frames.tb_lineno}" if frames else ""
    return f"unexpected {type(error).__name__}{where}; this is a bug in spar"
