"""What the language model answered, so that the same question about the same papers is paid for once.

Only an answer that was found good is ever kept. Its text is a stranger's, like a paper's: what reads it back
treats it as it did when it came.
"""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from cache.store import Store
from cache.timestamps import stamp

LIFETIME = timedelta(days=180)


@dataclass(frozen=True, slots=True)
class Asked:
    """All that shapes a reply. `prompt` is its name and version, `text` its parts, `shape` the answer's schema."""

    endpoint: str
    model: str
    prompt: str
    text: tuple[str, ...]
    shape: str

    @property
    def key(self) -> str:
        whole = json.dumps([self.endpoint, self.model, self.prompt, self.text, self.shape])
        return sha256(whole.encode()).hexdigest()


def recall(store: Store, request: Asked, now: datetime) -> str | None:
    """The answer kept for `request`, unless it is too old or was, says its stamp, stored in the future."""
    sql = "SELECT answer FROM model_replies WHERE key = ? AND stored_at <= ? AND stored_at > ?"
    with store.reading() as db:
        row = db.execute(sql, (request.key, stamp(now), stamp(now - LIFETIME))).fetchone()
    return str(row[0]) if row else None


def keep(store: Store, request: Asked, answer: str, now: datetime) -> None:
    """Keep a good answer, in place of an earlier one; those that are too old are thrown away."""
    with store.writing() as db:
        db.execute("DELETE FROM model_replies WHERE stored_at <= ?", (stamp(now - LIFETIME),))
        db.execute(
            "INSERT OR REPLACE INTO model_replies (key, endpoint, model, prompt, answer, stored_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (request.key, request.endpoint, request.model, request.prompt, answer, stamp(now)),
        )
