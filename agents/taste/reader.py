"""The person as a run reads them: their context, and the library that papers are compared in."""

from dataclasses import dataclass
from datetime import datetime

from agents.taste.context import UserContext
from cache.store import Store


@dataclass(frozen=True, slots=True)
class Reader:
    """A person's context at `now`, and the library it is of. `last` is when something was recommended last."""

    store: Store
    context: UserContext
    now: datetime
    last: datetime | None = None
