"""The reading history: what the person did with which paper, and when. It can be forgotten, in part or whole."""

import sqlite3
from datetime import datetime
from typing import Literal, NamedTuple

from cache.moment import moment, parsed, utc_now
from cache.store import Store

Act = Literal["viewed", "opened", "saved", "unsaved", "exported", "liked", "disliked", "dismissed", "read", "cited"]


class PaperAct(NamedTuple):
    """One act; `run` is the search or other run in whose result the paper stood."""

    number: int
    act: Act
    at: datetime
    run: str | None = None


def note_act(store: Store, paper: int, act: Act, run: str | None = None, now: datetime | None = None) -> None:
    """Note that the person did `act` with `paper`, a number; a paper or run that is gone is passed over."""
    with store.writing() as db:
        add_act(db, paper, act, now or utc_now(), run)


def add_act(db: sqlite3.Connection, paper: int, act: Act, now: datetime, run: str | None = None) -> None:
    """As `note_act`, within the transaction of `db`."""
    db.execute(
        "INSERT INTO acts (paper, act, at, run)"
        " SELECT id, ?2, ?3, (SELECT id FROM runs WHERE id = ?4) FROM papers WHERE id = ?1",
        (paper, act, moment(now), run),
    )


def acts(store: Store, paper: int | None = None, since: datetime | None = None, limit: int = 1000) -> list[PaperAct]:
    """The last acts, the newest first: with one paper, or with all."""
    with store.reading() as db:
        rows = db.execute(
            "SELECT paper, act, at, run FROM acts WHERE (?1 IS NULL OR paper = ?1) AND (?2 IS NULL OR at >= ?2)"
            " ORDER BY at DESC, id DESC LIMIT ?3",
            (paper, since and moment(since), limit),
        )
        return [PaperAct(number, act, parsed(at), run) for number, act, at, run in rows]


def forget_acts(store: Store, *, paper: int | None = None, before: datetime | None = None) -> int:
    """Forget the reading history, or what of it is about `paper` or from before `before`; how many acts that were."""
    with store.writing() as db:
        return db.execute(
            "DELETE FROM acts WHERE (?1 IS NULL OR paper = ?1) AND (?2 IS NULL OR at < ?2)",
            (paper, before and moment(before)),
        ).rowcount
