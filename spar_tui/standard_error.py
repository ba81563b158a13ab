"""Write to standard error, beside the answer."""

import os
import sys


def tell(text: str) -> None:
    """Write `text` at once. If that fails, because the disk is full or nobody reads, discard it and all later text, so
    that the answer is still printed."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
