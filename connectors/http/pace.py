"""What is known of one service by all who ask it: when the next request may start, and until when it wants none.

Pure: a frozen value whose transitions give the next one. Who holds it keeps it where all can read it
(`shared_notes.py`) and brings the clock, seconds since 1970: processes have no other clock in common that outlasts a
restart. It may be set, so no moment is believed that lies further ahead than the rules can have put it, and when it
went back, every wait lasts as long as it had still to last.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, TypeVar

from connectors.http.limits import WHOLE, RateLimit

Reason = TypeVar("Reason")


@dataclass(frozen=True, slots=True)
class Circuit(Generic[Reason]):
    """The failures in a row so far, until when nobody asks, and the failure that this is for."""

    failures: int = 0
    open_until: float = 0.0
    reason: Reason | None = None

    def is_open(self, now: float) -> bool:
        """Whether the service is to be left alone still."""
        return now < self.open_until

    def opened(self, reason: Reason, until: float) -> "Circuit[Reason]":
        """Left alone until `until`; what was to last longer stays as it is."""
        return replace(self, open_until=until, reason=reason) if until > self.open_until else self

    def failed(
        self, reason: Reason, now: float, *, limit: int, rest: float, until: float | None = None
    ) -> "Circuit[Reason]":
        """After one more failure: left alone until a service's own `until`, else for `rest` seconds from the
        `limit`th in a row on, after which they are counted anew."""
        counted = replace(self, failures=self.failures + 1)
        if until is not None:
            return counted.opened(reason, until)
        if counted.failures < limit:
            return counted
        return replace(self, failures=0).opened(reason, now + rest)

    def succeeded(self) -> "Circuit[Reason]":
        """After a good answer: the service works again."""
        return replace(self, failures=0)


LONGEST_CLOSURE = 26 * 3600.0
LONGEST_GAP = 10.0
"""A service that wants more between two requests is asked as if it had said this; who means it refuses."""
MEMORY = 600.0
"""Seconds for which it counts how a service took the last requests."""
_SLACK = 1.0
"""Seconds by which clocks are corrected all the time."""


class Failure(NamedTuple):
    """Why a service is left alone, and whether because its budget is spent."""

    sentence: str
    quota_exhausted: bool


Circuits = Mapping[str, Circuit[Failure]]
_CLOSED: Circuit[Failure] = Circuit()


@dataclass(frozen=True, slots=True)
class Pace:
    """`places` has for each request that may be under way from when on another may take its place; None while one is.

    `circuits` are by part of the service: a service may want no searches for a while and still look papers up.
    Before `sure_until` it is known to answer well. Else it is asked one request at a time, for whatever is under way
    beside the one that is told to wait has not been told; so it is at first, and until `wary_until`, for a while
    after it wanted to be left alone. `gaps` are the seconds that it last said it wants between two requests to a part.
    `noted` is when this was written.
    """

    next_start: float = 0.0
    places: tuple[float | None, ...] = ()
    circuits: Circuits = field(default_factory=dict)
    sure_until: float = 0.0
    wary_until: float = 0.0
    noted: float = 0.0
    gaps: Mapping[str, float] = field(default_factory=dict)

    def circuit(self, part: str = WHOLE) -> Circuit[Failure]:
        """Of the whole service and of `part`, the circuit that stays open longer."""
        return max((self.circuits.get(name, _CLOSED) for name in (WHOLE, part)), key=lambda circuit: circuit.open_until)

    def places_by_rest(self, limit: RateLimit) -> list[int]:
        """The places from which may be asked, the one that has rested longest first."""
        return sorted(range(limit.in_flight), key=lambda slot: self._free_from(slot) or 0.0)

    def is_sure(self, now: float) -> bool:
        """Whether a request may be sent while another is under way."""
        return now < self.sure_until

    def limit(self, part: str, rule: RateLimit) -> RateLimit:
        """`rule` as it is for `part`, no faster than the service said last."""
        gap = max(rule.gaps.get(part, rule.gap), self.gaps.get(part, 0.0))
        return rule if gap == rule.gap else replace(rule, gap=gap)

    def slowed(self, gap: float, part: str) -> "Pace":
        """After the service said which gap it wants."""
        gap = min(gap, LONGEST_GAP)
        return self if self.gaps.get(part) == gap else replace(self, gaps={**self.gaps, part: gap})

    def earliest(self, slot: int, part: str, limit: RateLimit, now: float) -> float:
        """When a request may start from `slot`, which nobody else holds."""
        free = self._free_from(slot)
        if free is None:  # who asked from it died, and the request may be under way still
            free = now + self.limit(part, limit).afterwards
        return max(now, self.next_start, free, self.circuit(part).open_until)

    def reserved(self, start: float, limit: RateLimit, part: str = WHOLE) -> "Pace":
        """With a request to `part` that is to start at `start`."""
        return replace(self, next_start=start + self.limit(part, limit).gap)

    def begun(self, slot: int) -> "Pace":
        """With a request under way from `slot`."""
        return self._with_place(slot, None)

    def ended(self, slot: int, limit: RateLimit, now: float, part: str = WHOLE) -> "Pace":
        """With no request to `part` under way from `slot` any more; the place rests, for the service may have seen
        the request only now."""
        return self._with_place(slot, now + self.limit(part, limit).afterwards)

    def succeeded(self, now: float) -> "Pace":
        """After a good answer. One that was asked for before the service wanted to be left alone says little."""
        circuits = {name: circuit.succeeded() for name, circuit in self.circuits.items()}
        news = now >= self.wary_until and self.sure_until < now + MEMORY / 2  # not to be written for every answer
        return replace(self, circuits=circuits, sure_until=now + MEMORY if news else self.sure_until)

    def failed(
        self, failure: Failure, now: float, limit: RateLimit, until: float | None = None, part: str = WHOLE
    ) -> "Pace":
        """After one more failure, for which the service itself may have said until when `part` of it wants nothing."""
        before = self.circuits.get(part, _CLOSED)
        after = before.failed(failure, now, limit=limit.failures, rest=limit.rest, until=until)
        pace = replace(self, circuits={**self.circuits, part: after})
        if not after.is_open(now):
            return pace
        return replace(pace, sure_until=0.0, wary_until=max(self.wary_until, after.open_until + MEMORY))

    def as_of(self, now: float, limit: RateLimit) -> "Pace":
        """The same, now: without moments that cannot be, and moved along if the clock was set back."""
        back = self.noted - now if self.noted - now > _SLACK else 0.0
        slowest = replace(limit, gap=max(limit.gap, *limit.gaps.values(), *self.gaps.values(), 0.0))
        latest_start = now + limit.deadline + slowest.gap  # nobody reserves a start beyond the own deadline
        return Pace(
            min(self.next_start - back, latest_start),
            tuple(None if free is None else min(free - back, now + slowest.afterwards) for free in self.places),
            {name: _moved(circuit, back, now) for name, circuit in self.circuits.items()},
            min(self.sure_until - back, now + MEMORY),
            min(self.wary_until - back, now + LONGEST_CLOSURE + MEMORY),
            self.noted - back,
            self.gaps,
        )

    def _free_from(self, slot: int) -> float | None:
        return self.places[slot] if slot < len(self.places) else 0.0

    def _with_place(self, slot: int, free: float | None) -> "Pace":
        places = [*self.places, *[0.0] * (slot + 1 - len(self.places))]
        places[slot] = free
        return replace(self, places=tuple(places))


def _moved(circuit: Circuit[Failure], back: float, now: float) -> Circuit[Failure]:
    until = circuit.open_until - back
    return replace(circuit, open_until=until if until <= now + LONGEST_CLOSURE else 0.0)


def dumped(pace: Pace) -> str:
    """`pace` as it is written down. No key and no address is in it."""
    whole = pace.circuits.get(WHOLE, _CLOSED)
    stored = {
        "next_free": pace.next_start,
        **_dumped_circuit(whole),
        "places": pace.places,
        "parts": {name: _dumped_circuit(circuit) for name, circuit in pace.circuits.items() if name != WHOLE},
        "sure_until": pace.sure_until,
        "wary_until": pace.wary_until,
        "noted": pace.noted,
        "gaps": pace.gaps,
    }
    return json.dumps(stored)


def loaded(text: str) -> Pace:
    """The pace that was written down. Raises `ValueError`, `TypeError`, `KeyError` or `AttributeError` for others."""
    stored = json.loads(text)
    parts = {name: _loaded_circuit(circuit) for name, circuit in stored.get("parts", {}).items()}
    return Pace(
        _moment(stored["next_free"]),
        tuple(None if free is None else _moment(free) for free in stored.get("places", ())),
        {WHOLE: _loaded_circuit(stored), **parts},
        _moment(stored.get("sure_until", 0.0)),
        _moment(stored.get("wary_until", 0.0)),
        _moment(stored.get("noted", 0.0)),
        {name: min(_moment(gap), LONGEST_GAP) for name, gap in stored.get("gaps", {}).items()},
    )


def _dumped_circuit(circuit: Circuit[Failure]) -> dict[str, object]:
    failure = circuit.reason or Failure("", quota_exhausted=False)
    return {
        "closed_until": circuit.open_until,
        "closed_for": failure.sentence,
        "budget_gone": failure.quota_exhausted,
        "failures": circuit.failures,
    }


def _loaded_circuit(stored: Mapping[str, object]) -> Circuit[Failure]:
    sentence, failures = stored["closed_for"], stored["failures"]
    if not isinstance(sentence, str) or not isinstance(failures, int):
        raise TypeError("a circuit has a sentence and a number of failures")
    failure = Failure(sentence, bool(stored["budget_gone"]))
    return Circuit(failures, _moment(stored["closed_until"]), failure)


def _moment(stored: object) -> float:
    if isinstance(stored, bool) or not isinstance(stored, int | float) or not math.isfinite(stored):
        raise ValueError("a moment is a finite number of seconds")
    return float(stored)
