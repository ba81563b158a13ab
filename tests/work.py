"""How much work something is: counted and not timed, for a clock says as much of the machine as of the program."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any


@dataclass
class Work:
    """Lines of Python that were run, each as often as it was run."""

    lines: int = 0


@contextmanager
def counted() -> Iterator[Work]:
    """The work of the block, in this thread, and in the other tasks of its event loop meanwhile."""
    work, before = Work(), sys.gettrace()

    def traced(frame: FrameType, event: str, argument: Any) -> Any:
        work.lines += event == "line"
        return traced

    sys.settrace(traced)
    try:
        yield work
    finally:
        sys.settrace(before)


def lines_run(action: Callable[[], object]) -> int:
    """How many lines of Python `action` runs."""
    with counted() as work:
        action()
    return work.lines


def grows_evenly(action: Callable[[int], object], size: int) -> bool:
    """Whether twice the size is about twice the work for `action`, or less: for a loop in a loop it is four times."""
    action(size // 2)  # what is loaded or kept the first time is no part of it
    once = lines_run(lambda: action(size))
    return lines_run(lambda: action(2 * size)) < 2.5 * once + 1_000


@contextmanager
def at_least(seconds: float) -> Iterator[None]:
    """Fail if the block takes less time; on a slow machine it may take any time longer."""
    start = time.monotonic()
    yield
    assert time.monotonic() - start >= seconds
