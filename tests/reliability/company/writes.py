"""Acknowledged writes, logged outside the library, and a check for those that the library lacks."""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

from cache import runs, shelf
from cache.errors import CacheError
from cache.store import Store

KEY_LENGTH = 40
"""Number of leading characters that distinguish the titles of the test papers."""


class Write(NamedTuple):
    """A saved paper with this title, a tag added to or removed from it, or a finished run with this question."""

    kind: Literal["saved", "tagged", "tag removed", "search", "conversation"]
    subject: str
    tag: str = ""


class WriteLog:
    """All acknowledged writes, also appended to `file` as JSON lines. Thread-safe."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, Lock()
        self._claimed: set[str] = set()
        self.writes: list[Write] = []

    def acknowledged(self, by: str, words: str, *writes: Write) -> None:
        """Log that `words`, on a screen or in an output of `by`, acknowledge `writes`."""
        with self._lock, self._file.open("a", encoding="utf-8") as out:
            self.writes += writes
            for write in writes:
                out.write(json.dumps([by, words, *write], ensure_ascii=False) + "\n")

    def claim(self, title: str) -> bool:
        """Reserve a paper for one app; return False if another app has it."""
        key = squeezed(title)[:KEY_LENGTH]
        with self._lock:
            free = key not in self._claimed
            self._claimed.add(key)
        return free


def squeezed(text: str) -> str:
    """Remove whitespace from `text`, because a screen breaks lines where the library has spaces."""
    return "".join(text.split())


def missing(path: Path, writes: Iterable[Write]) -> list[Write]:
    """Return the `writes` that the library at `path` lacks; all of them if it cannot be read."""
    try:
        with Store.open(path) as store:
            tags = {squeezed(entry.paper.title): set(entry.tags) for entry in shelf.shelf(store)}
            ended = [run for run in runs.recent(store, None) if run.state == "finished"]
    except (CacheError, sqlite3.Error):
        return list(writes)

    finished = {(run.kind, squeezed(run.question)) for run in ended}

    def is_held(write: Write) -> bool:
        subject = squeezed(write.subject)
        if write.kind in ("search", "conversation"):
            return (write.kind, subject) in finished
        if subject not in tags:
            return False
        return write.kind == "saved" or (write.tag in tags[subject]) == (write.kind == "tagged")

    return [write for write in writes if not is_held(write)]
