"""Processes that work until they are killed, each forked from one that has imported everything already."""

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from tests.spar_tui.running import PATIENCE

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.reliability.preloaded"])
Tell = Callable[[Any], None]
Work = Callable[..., None]
"""Takes a `Tell` and what it is given; what it tells has reached whoever listens when `tell` returns."""


def started(work: Work, *given: Any) -> tuple[Any, Connection]:
    """A process that does `work` from now on, and where to hear what it tells."""
    ours, theirs = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_do, args=(theirs, work, given))
    process.start()
    theirs.close()
    assert ours.poll(PATIENCE), "never began"
    ours.recv()
    return process, ours


def killed(work: Work, *given: Any, after: float) -> list[Any]:
    """What `work` told until it was killed with SIGKILL, `after` seconds from its beginning."""
    process, ear = started(work, *given)
    process.join(after)
    process.kill()
    process.join()
    return _heard(ear)


def done(work: Work, *given: Any) -> tuple[list[Any], float, int | None]:
    """What `work` told until its end, the seconds that it took, and its exit code."""
    begun = time.monotonic()
    process, ear = started(work, *given)
    told = _heard(ear)
    process.join(PATIENCE)
    return told, time.monotonic() - begun, process.exitcode


def _heard(ear: Connection) -> list[Any]:
    told = []
    try:
        while True:
            told.append(ear.recv())
    except (EOFError, OSError):  # the end, or a word that was cut off with its speaker
        return told
    finally:
        ear.close()


def _do(mouth: Connection, work: Work, given: tuple[Any, ...]) -> None:
    mouth.send("begun")
    work(mouth.send, *given)
