"""The reading history: what the person did with which paper, and when. It can be forgotten, in part or whole.

Nothing in it is undone: a paper taken off the shelf is `unsaved`, feedback taken back `unrated`, and the last holds.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple

from cache.readable_rows import readable
from cache.store import PaperId, Store
from cache.timestamps import is_moment, parsed, stamp, utc_now

Interaction = Literal[
    "viewed", "opened", "saved", "unsaved", "exported", "liked", "disliked", "unrated", "dismissed", "read", "cited"
]  # fmt: skip
Feedback = Literal[-1, 0, 1]
_NOTED_AS: dict[Feedback, Interaction] = {1: "liked", -1: "disliked", 0: "unrated"}


EVERYTHING = -1
"""As a limit: no limit."""


class PaperInteraction(NamedTuple):
    """One act; `run` is the search or other run in whose result the paper stood."""

    number: PaperId
    act: Interaction
    at: datetime
    run: str | None = None


def note_interaction(
    store: Store, paper: int, act: Interaction, run: str | None = None, now: datetime | None = None
) -> None:
    """Note that the person did `act` with `paper`, a number; a paper or run that is gone is passed over."""
    with store.writing() as db:
        add_interactions(db, [paper], act, now or utc_now(), run)


def add_interactions(
    db: sqlite3.Connection, papers: Iterable[int], act: Interaction, now: datetime, run: str | None = None
) -> None:
    """As `note_interaction` with each of `papers`, within the transaction of `db`."""
    db.executemany(
        "INSERT INTO acts (paper, act, at, run)"
        " SELECT id, ?2, ?3, (SELECT id FROM runs WHERE id = ?4) FROM papers WHERE id = ?1",
        [(paper, act, stamp(now), run) for paper in papers],
    )


def last_said(store: Store, paper: int) -> Interaction | None:
    """What the person said last of `paper`, a number: "liked", "disliked", "dismissed", or "unrated" for what they have
    taken back; None for nothing. Who saves a paper has taken back that it was dismissed."""
    with store.reading() as db:
        rows = db.execute(
            "SELECT act FROM acts WHERE paper = ? AND act IN (?, ?, ?, ?, ?) ORDER BY at, id",
            (paper, *_NOTED_AS.values(), "dismissed", "saved"),
        ).fetchall()
    interactions: list[Interaction] = []
    for (act,) in rows:
        interactions = (
            [interaction for interaction in interactions if interaction != "dismissed"]
            if act == "saved"
            else [*interactions, act]
        )
    return interactions[-1] if interactions else None


def last_feedback(store: Store, paper: int) -> Feedback:
    """Whether the person said last of `paper`, a number, that they like it (1), dislike it (-1), or neither (0)."""
    interactions = last_said(store, paper)
    return next((rating for rating, act in _NOTED_AS.items() if interactions == act), 0)


def note_feedback(
    store: Store, paper: int, rating: Feedback, run: str | None = None, now: datetime | None = None
) -> None:
    """As `note_interaction`: that the person likes `paper` (1), dislikes it (-1), or takes back what they said of it
    (0), a dismissal with it.

    What was said last already is not noted again."""
    _say(store, paper, _NOTED_AS[rating], run, now)


def note_dismissal(store: Store, paper: int, run: str | None = None, now: datetime | None = None) -> None:
    """As `note_feedback`: that `paper` is not for the person, today."""
    _say(store, paper, "dismissed", run, now)


def _say(store: Store, paper: int, act: Interaction, run: str | None, now: datetime | None) -> None:
    with store.writing() as db:
        if (last_said(store, paper) or "unrated") != act:
            add_interactions(db, [paper], act, now or utc_now(), run)


def interactions(
    store: Store, paper: int | None = None, since: datetime | None = None, limit: int = 1000
) -> list[PaperInteraction]:
    """The last acts, the newest first: with one paper, or with all."""
    with store.reading() as db:
        rows = db.execute(
            "SELECT paper, act, at, run FROM acts WHERE (?1 IS NULL OR paper = ?1) AND (?2 IS NULL OR at >= ?2)"
            " ORDER BY at DESC, id DESC LIMIT ?3",
            (paper, since and stamp(since), limit),
        )
        return readable(
            "acts", rows, lambda row: PaperInteraction(PaperId(int(row[0])), row[1], parsed(row[2]), row[3])
        )


def tells_of_taste(store: Store) -> bool:
    """Whether anything was ever done with a paper, saved, or written into the profile; asked quickly."""
    with store.reading() as db:
        row = db.execute(
            "SELECT EXISTS (SELECT 1 FROM acts) OR EXISTS (SELECT 1 FROM shelf) OR EXISTS (SELECT 1 FROM profile)"
        ).fetchone()
    return bool(row[0])


def changed_since(store: Store, when: datetime) -> bool:
    """Whether anything was done with a paper, saved, written into the profile or set aside after `when`."""
    with store.reading() as db:
        row = db.execute(
            "SELECT EXISTS (SELECT 1 FROM (SELECT at FROM acts UNION ALL SELECT saved FROM shelf"
            " UNION ALL SELECT made FROM profile UNION ALL SELECT at FROM set_aside)"
            f" WHERE at > ? AND {is_moment('at')})",
            (stamp(when),),
        ).fetchone()
    return bool(row[0])


LAST_CHANGES = "last changes"
"""What the names in `upkeep` of the steps that `cache.journal` keeps begin with; they tell what the person did."""


def forget_changes(db: sqlite3.Connection) -> None:
    """Forget the last changes, so that they cannot be taken back any more."""
    db.execute("DELETE FROM upkeep WHERE name GLOB ?", (f"{LAST_CHANGES}*",))


def forget_interactions(store: Store, *, paper: int | None = None, before: datetime | None = None) -> int:
    """Forget the reading history, or what of it is about `paper` or from before `before`; how many acts that were."""
    with store.writing() as db:
        forget_changes(db)
        return db.execute(
            "DELETE FROM acts WHERE (?1 IS NULL OR paper = ?1) AND (?2 IS NULL OR at < ?2)",
            (paper, before and stamp(before)),
        ).rowcount
