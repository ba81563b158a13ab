"""What the person did with a paper, and what that says of their taste."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple


class Worth(NamedTuple):
    """What a kind of act says of a paper when it has just happened, from 0 (nothing) to 1; it says half as much after
    so many days."""

    worth: float
    half_life: float
    why: str


WORTH = {
    "liked": Worth(0.9, 730, "stated explicitly"),
    "noted": Worth(0.8, 730, "you wrote your thoughts about it"),
    "cited": Worth(0.8, 1_095, "used in your own text, and your topics change slowly"),
    "saved": Worth(0.7, 730, "chosen on purpose, but often before reading"),
    "exported": Worth(0.6, 1_095, "added to a bibliography, often with many others"),
    "read": Worth(0.6, 365, "read to the end, whether you liked it or not"),
    "opened": Worth(0.3, 90, "a look inside"),
    "viewed": Worth(0.1, 30, "a look at the abstract, often by chance"),
}
AGAINST = {
    "disliked": Worth(1.0, 730, "stated explicitly"),
    "dismissed": Worth(0.6, 180, "not wanted now"),
}
"""What speaks against a paper, and against those like it."""
CHOSEN = "chosen"
"""That the person started from a paper: no act that is kept, but what names it when something rests on it."""
GLANCES = frozenset(("viewed", "opened"))
"""Acts after which a paper may still be one to read."""
SESSION = timedelta(hours=2)
"""What was done in the last hours tells what the person is after now."""
SESSION_WORTH = 2.0
"""How many times as much a paper of this session counts."""
_TAKEN_BACK = {
    "unsaved": ("saved",),
    "unrated": ("liked", *AGAINST),
    "liked": tuple(AGAINST),
    "saved": ("dismissed",),
    "disliked": ("liked",),
}
"""What an act takes back of those before it."""


@dataclass(slots=True)
class Standing:
    """What stands of all that was done with one paper: each kind of act, with when it happened last."""

    acts: dict[str, datetime] = field(default_factory=dict)

    def take(self, act: str, at: datetime) -> None:
        """Take in the next act in the order of time."""
        for gone in _TAKEN_BACK.get(act, ()):
            self.acts.pop(gone, None)
        if act in WORTH or act in AGAINST:
            self.acts[act] = at

    def weight(self, now: datetime) -> float:
        """How much it says of what the person likes, from 0 to 1: each act adds to what the others leave open."""
        return _together(WORTH[act].worth * _faded(act, at, now) for act, at in self.acts.items() if act in WORTH)

    def against(self, now: datetime) -> float:
        """How much it says of what the person does not want, from 0 to 1."""
        return _together(AGAINST[act].worth * _faded(act, at, now) for act, at in self.acts.items() if act in AGAINST)

    def in_session(self, now: datetime) -> bool:
        """Whether anything was done with it in the session that is going on."""
        return any(now - at <= SESSION for act, at in self.acts.items() if act in WORTH)


def _faded(act: str, at: datetime, now: datetime) -> float:
    """What is left of an act; one from the future, by another clock, is of now."""
    days = max((now - at).total_seconds(), 0.0) / 86_400
    return float(0.5 ** (days / (WORTH.get(act) or AGAINST[act]).half_life))


def _together(chances: Iterable[float]) -> float:
    left = 1.0
    for chance in chances:
        left *= 1 - chance
    return 1 - left
