"""Use the person's terminal as standard input and output while these are pipes or files."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from spar_tui.errors import Failure

IN, OUT, ERRORS = 0, 1, 2
CONTROLLING = "/dev/tty"


@contextmanager
def terminal_standing_in() -> Iterator[None]:
    """Use the person's terminal as standard input and output in this context, then restore them.

    Standard output must have no pending output. Raises `Failure` if there is no terminal.
    """
    elsewhere = [number for number in (IN, OUT) if not os.isatty(number)]
    with ExitStack() as after:
        if elsewhere:
            line = _terminal()
            after.callback(os.close, line)
        for number in elsewhere:
            kept = os.dup(number)
            after.callback(os.close, kept)
            os.dup2(line, number)
            after.callback(os.dup2, kept, number)
        yield


def _terminal() -> int:
    """Return a new descriptor of the terminal: a copy of one that the shell gave, which every system can wait for, else
    the controlling terminal."""
    for number in (IN, ERRORS, OUT):
        if os.isatty(number) and _goes_both_ways(number):
            return os.dup(number)
    with suppress(OSError):
        return os.open(CONTROLLING, os.O_RDWR | os.O_NOCTTY)
    raise Failure("no terminal to choose in; use `spar cite WORDS` for the key of the best match.")


def _goes_both_ways(number: int) -> bool:
    try:
        from fcntl import F_GETFL, fcntl
    except ImportError:  # where a terminal is no file
        return False
    return fcntl(number, F_GETFL) & os.O_ACCMODE == os.O_RDWR
