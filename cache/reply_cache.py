"""The language model's answers, so that the same question about the same papers is paid only once.

Only answers found good are stored. Their text is untrusted, like a paper's: readers check it as they did at first.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from cache.store import Store
from cache.timestamps import stamp

LIFETIME = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """Everything that determines a reply. `prompt` is its name and version, `text` its parts, `shape` the answer's
    schema."""

    endpoint: str
    model: str
    prompt: str
    text: tuple[str, ...]
    shape: str

    @property
    def key(self) -> str:
        whole = json.dumps([self.endpoint, self.model, self.prompt, self.text, self.shape])
        return sha256(whole.encode()).hexdigest()


def recall(store: Store, request: ReplyRequest, now: datetime) -> str | None:
    """Return the stored answer to `request`, unless it is too old or dated in the future."""
    sql = "SELECT answer FROM model_replies WHERE key = ? AND stored_at <= ? AND stored_at > ?"
    row = store.row(sql, (request.key, stamp(now), stamp(now - LIFETIME)))
    return str(row[0]) if row else None


def keep(store: Store, request: ReplyRequest, answer: str, now: datetime) -> None:
    """Store a good answer, replacing an earlier one, and delete those that are too old."""
    with store.writing() as db:
        db.execute("DELETE FROM model_replies WHERE stored_at <= ?", (stamp(now - LIFETIME),))
        db.execute(
            "INSERT OR REPLACE INTO model_replies (key, endpoint, model, prompt, answer, stored_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (request.key, request.endpoint, request.model, request.prompt, answer, stamp(now)),
        )
