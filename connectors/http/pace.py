"""The shared state of one service: when the next request may start, and until when the service wants none.

Pure: a frozen value whose transitions return the next value. The holder stores it where all processes can read it
(`shared_notes.py`) and supplies the clock, seconds since 1970, the only clock that all processes share across restarts.
As the clock may be set, times further ahead than the rules allow are not believed, and if it went back, every wait
keeps its remaining length.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

from connectors.http.limits import WHOLE, RateLimit

Reason = TypeVar("Reason")


@dataclass(frozen=True, slots=True)
class Circuit(Generic[Reason]):
    """A circuit breaker: the failures in a row, the time until which nobody asks, and the reason."""

    failures: int = 0
    open_until: float = 0.0
    reason: Reason | None = None

    def is_open(self, now: float) -> bool:
        """Whether the service must not be asked yet."""
        return now < self.open_until

    def opened(self, reason: Reason, until: float) -> "Circuit[Reason]":
        """Return the circuit open until `until`; a longer opening is kept."""
        return replace(self, open_until=until, reason=reason) if until > self.open_until else self

    def failed(
        self, reason: Reason, now: float, *, limit: int, rest: float, until: float | None = None
    ) -> "Circuit[Reason]":
        """Return the circuit after one more failure: open until the service's own `until`, else for `rest` seconds
        after `limit` failures in a row, which are then counted anew."""
        circuit = replace(self, failures=self.failures + 1)
        if until is not None:
            return circuit.opened(reason, until)
        if circuit.failures < limit:
            return circuit
        return replace(self, failures=0).opened(reason, now + rest)

    def succeeded(self) -> "Circuit[Reason]":
        """Return the circuit after a good answer: closed."""
        return replace(self, failures=0)


LONGEST_CLOSURE = 26 * 3600.0
LONGEST_GAP = 10.0
"""Maximum gap in seconds that is believed; a service that really needs more refuses requests."""
MEMORY = 600.0
"""Seconds for which the service's recent answers count."""
_SLACK = 1.0
"""Seconds by which clocks are routinely corrected."""


class FailedRequest(NamedTuple):
    """The reason for not asking a service, and whether its budget is spent."""

    sentence: str
    quota_exhausted: bool


Circuits = Mapping[str, Circuit[FailedRequest]]
_CLOSED: Circuit[FailedRequest] = Circuit()


@dataclass(frozen=True, slots=True)
class Pace:
    """The state of a service's rate limit.

    `slots` has for each slot the time from which another request may use it; None while one does. `circuits` are by
    part of the service, because a service may refuse searches and still allow look-ups. Until `sure_until` the service
    is known to answer well; otherwise only one request at a time is sent, because a second one in flight would not hear
    of a requested pause. That holds at first, and until `wary_until` after a pause. `gaps` are the last gaps in seconds
    that the service requested, by part. `noted` is the time of writing.
    """

    next_start: float = 0.0
    slots: tuple[float | None, ...] = ()
    circuits: Circuits = field(default_factory=dict)
    sure_until: float = 0.0
    wary_until: float = 0.0
    noted: float = 0.0
    gaps: Mapping[str, float] = field(default_factory=dict)

    def circuit(self, part: str = WHOLE) -> Circuit[FailedRequest]:
        """Return the circuit of the whole service or of `part`, whichever stays open longer."""
        return max((self.circuits.get(name, _CLOSED) for name in (WHOLE, part)), key=lambda circuit: circuit.open_until)

    def slots_by_rest(self, limit: RateLimit) -> list[int]:
        """Return the slots, longest idle first."""
        return sorted(range(limit.in_flight), key=lambda slot: self._free_from(slot) or 0.0)

    def is_sure(self, now: float) -> bool:
        """Whether requests may be sent in parallel."""
        return now < self.sure_until

    def limit(self, part: str, rule: RateLimit) -> RateLimit:
        """Return `rule` with the gap for `part`, at least the one that the service last requested."""
        gap = max(rule.gaps.get(part, rule.gap), self.gaps.get(part, 0.0))
        return rule if gap == rule.gap else replace(rule, gap=gap)

    def slowed(self, gap: float, part: str) -> "Pace":
        """Return the state after the service requested a gap."""
        gap = min(gap, LONGEST_GAP)
        return self if self.gaps.get(part) == gap else replace(self, gaps={**self.gaps, part: gap})

    def earliest(self, slot: int, part: str, limit: RateLimit, now: float) -> float:
        """Return the earliest start of a request from `slot`, which the caller holds."""
        free = self._free_from(slot)
        if free is None:  # its process died, and the request may still be in flight
            free = now + self.limit(part, limit).afterwards
        return max(now, self.next_start, free, self.circuit(part).open_until)

    def reserved(self, start: float, limit: RateLimit, part: str = WHOLE) -> "Pace":
        """Return the state with a request to `part` reserved for `start`."""
        return replace(self, next_start=start + self.limit(part, limit).gap)

    def begun(self, slot: int) -> "Pace":
        """Return the state with a request in flight from `slot`."""
        return self._with_slot(slot, None)

    def ended(self, slot: int, limit: RateLimit, now: float, part: str = WHOLE) -> "Pace":
        """Return the state with the request to `part` from `slot` ended; the slot rests, because the service may
        have seen the request only now."""
        return self._with_slot(slot, now + self.limit(part, limit).afterwards)

    def succeeded(self, now: float) -> "Pace":
        """Return the state after a good answer. An answer to a request sent before the service asked for a pause
        counts little."""
        circuits = {name: circuit.succeeded() for name, circuit in self.circuits.items()}
        news = now >= self.wary_until and self.sure_until < now + MEMORY / 2  # not written for every answer
        return replace(self, circuits=circuits, sure_until=now + MEMORY if news else self.sure_until)

    def failed(
        self, failure: FailedRequest, now: float, limit: RateLimit, until: float | None = None, part: str = WHOLE
    ) -> "Pace":
        """Return the state after a failure; `until` is the time, if any, until which the service wants no requests
        to `part`."""
        before = self.circuits.get(part, _CLOSED)
        after = before.failed(failure, now, limit=limit.failures, rest=limit.rest, until=until)
        pace = replace(self, circuits={**self.circuits, part: after})
        if not after.is_open(now):
            return pace
        return replace(pace, sure_until=0.0, wary_until=max(self.wary_until, after.open_until + MEMORY))

    def as_of(self, now: float, limit: RateLimit) -> "Pace":
        """Return the state at `now`: without impossible times, and shifted if the clock was set back."""
        back = self.noted - now if self.noted - now > _SLACK else 0.0
        slowest = replace(limit, gap=max(limit.gap, *limit.gaps.values(), *self.gaps.values(), 0.0))
        latest_start = now + limit.deadline + slowest.gap  # nobody reserves a start beyond their own deadline
        return Pace(
            min(self.next_start - back, latest_start),
            tuple(None if free is None else min(free - back, now + slowest.afterwards) for free in self.slots),
            {name: _moved(circuit, back, now) for name, circuit in self.circuits.items()},
            min(self.sure_until - back, now + MEMORY),
            min(self.wary_until - back, now + LONGEST_CLOSURE + MEMORY),
            self.noted - back,
            self.gaps,
        )

    def _free_from(self, slot: int) -> float | None:
        return self.slots[slot] if slot < len(self.slots) else 0.0

    def _with_slot(self, slot: int, free: float | None) -> "Pace":
        slots = [*self.slots, *[0.0] * (slot + 1 - len(self.slots))]
        slots[slot] = free
        return replace(self, slots=tuple(slots))


def _moved(circuit: Circuit[FailedRequest], back: float, now: float) -> Circuit[FailedRequest]:
    until = circuit.open_until - back
    return replace(circuit, open_until=until if until <= now + LONGEST_CLOSURE else 0.0)


def dumped(pace: Pace) -> str:
    """Return `pace` as stored text, without keys or addresses."""
    return json.dumps(asdict(pace))


def loaded(text: str) -> Pace:
    """Parse stored text. Raises `ValueError`, `TypeError`, `KeyError` or `AttributeError` if it is damaged."""
    stored = json.loads(text)
    return Pace(
        circuits={name: _loaded_circuit(circuit) for name, circuit in stored["circuits"].items()},
        gaps={name: min(_moment(gap), LONGEST_GAP) for name, gap in stored["gaps"].items()},
        slots=tuple(None if free is None else _moment(free) for free in stored["slots"]),
        **{name: _moment(stored[name]) for name in ("next_start", "sure_until", "wary_until", "noted")},
    )


def _loaded_circuit(stored: Mapping[str, Any]) -> Circuit[FailedRequest]:
    sentence, quota_exhausted = stored["reason"] or ("", False)
    if not isinstance(sentence, str) or not isinstance(stored["failures"], int):
        raise TypeError("a circuit has a sentence and a number of failures")
    reason = FailedRequest(sentence, bool(quota_exhausted)) if stored["reason"] else None
    return Circuit(stored["failures"], _moment(stored["open_until"]), reason)


def _moment(stored: object) -> float:
    if isinstance(stored, bool) or not isinstance(stored, int | float) or not math.isfinite(stored):
        raise ValueError("a moment is a finite number of seconds")
    return float(stored)
