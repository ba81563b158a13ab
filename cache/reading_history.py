"""The reading history: which interactions the person had with which papers, and when. It can be forgotten, in part or
completely.

Interactions are never removed by their opposite: removing a saved paper adds `unsaved`, withdrawing feedback adds
`unrated`, and the last one holds.
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
"""The limit that means "no limit"."""


class PaperInteraction(NamedTuple):
    """One interaction; `run` is the run whose result had the paper."""

    number: PaperId
    act: Interaction
    at: datetime
    run: str | None = None


def note_interaction(
    store: Store, paper: int, act: Interaction, run: str | None = None, now: datetime | None = None
) -> None:
    """Store the interaction `act` with the paper number `paper`; papers or runs that no longer exist are ignored."""
    with store.writing() as db:
        add_interactions(db, [paper], act, now or utc_now(), run)


def add_interactions(
    db: sqlite3.Connection, papers: Iterable[int], act: Interaction, now: datetime, run: str | None = None
) -> None:
    """Like `note_interaction` for each of `papers`, within the transaction of `db`."""
    db.executemany(
        "INSERT INTO acts (paper, act, at, run)"
        " SELECT id, ?2, ?3, (SELECT id FROM runs WHERE id = ?4) FROM papers WHERE id = ?1",
        [(paper, act, stamp(now), run) for paper in papers],
    )


def last_said(store: Store, paper: int) -> Interaction | None:
    """Return the person's last opinion on the paper number `paper`: "liked", "disliked", "dismissed", or "unrated"
    if withdrawn; None if there is none. Saving a paper cancels its dismissal."""
    rows = store.rows(
        "SELECT act FROM acts WHERE paper = ? AND act IN (?, ?, ?, ?, ?) ORDER BY at, id",
        (paper, *_NOTED_AS.values(), "dismissed", "saved"),
    )
    interactions: list[Interaction] = []
    for (act,) in rows:
        interactions = (
            [interaction for interaction in interactions if interaction != "dismissed"]
            if act == "saved"
            else [*interactions, act]
        )
    return interactions[-1] if interactions else None


def last_feedback(store: Store, paper: int) -> Feedback:
    """Return whether the person's last feedback on the paper number `paper` was like (1), dislike (-1) or neither
    (0)."""
    interactions = last_said(store, paper)
    return next((rating for rating, act in _NOTED_AS.items() if interactions == act), 0)


def note_feedback(
    store: Store, paper: int, rating: Feedback, run: str | None = None, now: datetime | None = None
) -> None:
    """Like `note_interaction`: store that the person likes `paper` (1), dislikes it (-1), or withdraws their opinion
    (0), including a dismissal. A repetition of the last opinion is not stored."""
    _say(store, paper, _NOTED_AS[rating], run, now)


def note_dismissal(store: Store, paper: int, run: str | None = None, now: datetime | None = None) -> None:
    """Like `note_feedback`: store that `paper` is not for the person."""
    _say(store, paper, "dismissed", run, now)


def _say(store: Store, paper: int, act: Interaction, run: str | None, now: datetime | None) -> None:
    with store.writing() as db:
        if (last_said(store, paper) or "unrated") != act:
            add_interactions(db, [paper], act, now or utc_now(), run)


def interactions(
    store: Store, paper: int | None = None, since: datetime | None = None, limit: int = 1000
) -> list[PaperInteraction]:
    """Return the last interactions, newest first, with one paper or with all."""
    rows = store.rows(
        "SELECT paper, act, at, run FROM acts WHERE (?1 IS NULL OR paper = ?1) AND (?2 IS NULL OR at >= ?2)"
        " ORDER BY at DESC, id DESC LIMIT ?3",
        (paper, since and stamp(since), limit),
    )
    return readable("acts", rows, lambda row: PaperInteraction(PaperId(int(row[0])), row[1], parsed(row[2]), row[3]))


def tells_of_taste(store: Store) -> bool:
    """Whether there is any interaction, saved paper or profile line; a fast check."""
    row = store.row(
        "SELECT EXISTS (SELECT 1 FROM acts) OR EXISTS (SELECT 1 FROM shelf) OR EXISTS (SELECT 1 FROM profile)"
    )
    return bool(row[0])


def changed_since(store: Store, when: datetime) -> bool:
    """Whether there is any interaction, saved paper, profile line or paper set aside after `when`."""
    row = store.row(
        "SELECT EXISTS (SELECT 1 FROM (SELECT at FROM acts UNION ALL SELECT saved FROM shelf"
        " UNION ALL SELECT made FROM profile UNION ALL SELECT at FROM set_aside)"
        f" WHERE at > ? AND {is_moment('at')})",
        (stamp(when),),
    )
    return bool(row[0])


LAST_CHANGES = "last changes"
"""Prefix of the names in `upkeep` of the steps that `cache.journal` stores."""


def forget_changes(db: sqlite3.Connection) -> None:
    """Delete the last changes, so that they cannot be undone any more."""
    db.execute("DELETE FROM upkeep WHERE name GLOB ?", (f"{LAST_CHANGES}*",))


def forget_interactions(store: Store, *, paper: int | None = None, before: datetime | None = None) -> int:
    """Delete the reading history, or its part about `paper` or before `before`; return the number of deleted
    interactions."""
    with store.writing() as db:
        forget_changes(db)
        return db.execute(
            "DELETE FROM acts WHERE (?1 IS NULL OR paper = ?1) AND (?2 IS NULL OR at < ?2)",
            (paper, before and stamp(before)),
        ).rowcount
