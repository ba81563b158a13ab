"""Write to standard error, beside the answer."""

import os
import sys


def tell(text: str) -> None:
    """Write `text` at once. If that is impossible, as on a full disk or without a reader, write nothing from now on:
    the answer counts all the same."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
