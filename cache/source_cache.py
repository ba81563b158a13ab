"""What a source has answered, kept for as long as it is likely to hold."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from cache.packing import compress, decompress
from cache.paper_json import from_mapping, to_mapping
from cache.store import Store
from cache.timestamps import stamp
from connectors.source import Answer

PARSER_VERSION = 1
"""Grows whenever the sources read replies differently: what an older reader understood is then asked for again."""


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that shapes an answer. `version` is the caller's mark for the source's address and mode."""

    source: str
    version: str
    operation: str
    arguments: tuple[tuple[str, str | int | None], ...]

    @property
    def key(self) -> str:
        text = json.dumps([PARSER_VERSION, self.source, self.version, self.operation, self.arguments])
        return sha256(text.encode()).hexdigest()[:24]


def recall(store: Store, request: Request, now: datetime, since: datetime | None = None) -> Answer | None:
    """The answer kept for `request`, unless its time is over or it was, says its stamp, stored in the future, or
    before `since`."""
    sql = "SELECT answer FROM answers WHERE key = ? AND stored_at <= ? AND stored_at >= ? AND expires_at > ?"
    with store.reading() as db:
        row = db.execute(sql, (request.key, stamp(now), stamp(since) if since else "", stamp(now))).fetchone()
    return _from_cell(row[0]) if row else None


def keep(store: Store, request: Request, answer: Answer, lifetime: timedelta, now: datetime) -> None:
    """Keep a whole answer for `lifetime`; those whose time is over are thrown away. A partial one is not kept."""
    if answer.partial:
        return
    with store.writing() as db:
        db.execute("DELETE FROM answers WHERE expires_at <= ?", (stamp(now),))
        db.execute(
            "INSERT OR REPLACE INTO answers (key, source, operation, answer, stored_at, expires_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                request.key,
                request.source,
                request.operation,
                _to_cell(answer),
                stamp(now),
                stamp(now + lifetime),
            ),
        )


def _to_cell(answer: Answer) -> bytes:
    found = {
        "papers": [to_mapping(paper) for paper in answer.papers],
        "total": answer.total,
        "sent": answer.sent,
        "notes": answer.notes,
    }
    return compress(json.dumps(found, ensure_ascii=False, separators=(",", ":")))


def _from_cell(cell: bytes) -> Answer:
    found: dict[str, Any] = json.loads(decompress(cell))
    return Answer(
        papers=tuple(map(from_mapping, found["papers"])),
        total=found["total"],
        sent=tuple(found["sent"]),
        notes=tuple(found["notes"]),
    )
