"""The numbered list that this terminal has shown last: `@3` is its third paper."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from spar_tui.errors import NothingFound

if TYPE_CHECKING:
    from cache.runs import Run
    from cache.store import Store
    from connectors.paper import Paper

LISTS = ("search", "recommendation", "conversation", "answer", "summary")
"""The kinds of runs that show a numbered list of papers."""


def note_list(store: "Store", run: str = "", listed: "Sequence[Paper]" = ()) -> None:
    """Store that this terminal shows the result of `run`, or the papers `listed`; if the library cannot be written,
    do nothing."""
    from cache import kept_values
    from cache.errors import CacheError

    if not (run or listed):
        return
    with suppress(CacheError):
        kept_values.note_list(store, terminal_name(), run, listed)


def paper_shown_last(store: "Store", rank: int) -> "tuple[Paper, str | None]":
    """Return the paper `@rank`, and the run whose list it is in, if any. A terminal that has shown no list uses the
    newest run's. Raises `NothingFound`."""
    from cache import kept_values, runs
    from spar_tui.phrases import papers_text

    last_list = kept_values.last_list(store, terminal_name())
    if last_list and not last_list.run:
        if paper := last_list.paper_at(store, rank):
            return paper, None
        raise NothingFound(f"@{rank} is not in the list shown last, which has {papers_text(len(last_list.entries))}.")
    newest = runs.get(store, last_list.run) if last_list else runs.last(store, *LISTS)
    if newest is None:
        raise NothingFound(
            f'@{rank} needs a list before it: spar search "your question", spar recommend, spar library.'
        )
    paper = runs.paper_at(store, newest.id, rank)
    if paper is None:
        raise NothingFound(f"@{rank} is not in the {newest.kind} shown last, {_shows(newest)}; see `spar history`.")
    return paper, newest.id


def _shows(run: "Run") -> str:
    """Say how many papers a run shows, as far as known."""
    from spar_tui.phrases import papers_text

    if not run.counts:
        return "which has not ended"
    return f"which shows {papers_text(run.counts.get('shown', run.counts.get('included', 0)))}"


@cache
def terminal_name() -> str:
    """Return the name of the terminal with its session, because terminal names are reused; without a terminal, the
    session."""
    device = ""
    for stream in (0, 1, 2):
        with suppress(OSError, AttributeError):  # no terminal, or a system without such names
            device = os.ttyname(stream)
            break
    return f"{device} {os.getsid(0) if hasattr(os, 'getsid') else ''}".strip()
