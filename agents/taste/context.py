"""The user context u = (C_lt, C_st) of ARAG §2.1: the whole reading history, weighed by kind and age of its acts, and
what was done in the session that is going on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from agents.taste.acts import CHOSEN, GLANCES, SESSION_WORTH, Standing
from agents.taste.contradictions import contradictions
from cache import profile, runs, shelf
from cache.profile import Line
from cache.reading_history import EVERYTHING, interactions
from cache.store import PaperId, Store

PASSED_OVER = 3
"""So many times a paper is recommended that nothing is ever done with."""
LEAST = 0.02
"""What says less than this says nothing."""


@dataclass(frozen=True)
class UserContext:
    """What is known of the person. Papers go by their numbers in the library, with how much each says.

    `closed` are the papers that are not recommended: those that the person knows (saved, read, liked, cited …) or does
    not want, however long ago that was, and those passed over again and again. `lines` are the person's own that
    count, `contradicting` those that do not, because they contradict another.
    """

    wanted: Mapping[PaperId, float] = field(default_factory=dict)
    unwanted: Mapping[PaperId, float] = field(default_factory=dict)
    acts: Mapping[PaperId, tuple[str, ...]] = field(default_factory=dict)
    session: frozenset[PaperId] = frozenset()
    closed: frozenset[PaperId] = frozenset()
    lines: tuple[Line, ...] = ()
    contradicting: tuple[Line, ...] = ()

    @property
    def claimed(self) -> frozenset[PaperId]:
        """The papers that lines of the person's own rest on."""
        return frozenset(number for line in (*self.lines, *self.contradicting) for number in line.papers)

    @property
    def empty(self) -> bool:
        """Whether nothing says what the person likes."""
        return not self.wanted and not any(line.facet != "dislike" for line in self.lines)


def read_context(store: Store, now: datetime, start: Sequence[int] = (), tag: str | None = None) -> UserContext:
    """The person's context at `now`; with papers or a tag to `start` from, of these alone. Raises `CacheError`."""
    everything = _standings(store)
    aside = profile.papers_set_aside(store)
    standings = _standings(store, aside) if aside else everything
    unwanted = {number: weight for number, of in standings.items() if (weight := of.against(now)) > LEAST}
    known = {number for number, of in everything.items() if not of.acts.keys() <= GLANCES}
    shown = runs.shown_often(store, "recommendation", PASSED_OVER)
    context = UserContext(
        unwanted=unwanted,
        acts={number: tuple(of.acts) for number, of in standings.items()},
        session=frozenset(number for number, of in standings.items() if of.in_session(now)),
        closed=frozenset((*shelf.numbers_on_shelf(store), *known, *(shown - everything.keys()))),
    )
    if start:
        chosen = dict.fromkeys((PaperId(number) for number in start), 1.0)
        rest = {number: weight for number, weight in unwanted.items() if number not in chosen}
        acts = {**context.acts, **{number: (CHOSEN, *context.acts.get(number, ())) for number in chosen}}
        return replace(context, wanted=chosen, unwanted=rest, acts=acts, closed=context.closed | {*chosen})
    weights = {number: of.weight(now) for number, of in standings.items() if number not in unwanted}
    wanted = {
        number: weight * (SESSION_WORTH if number in context.session else 1.0)
        for number, weight in weights.items()
        if weight > LEAST
    }
    if tag is not None:
        tagged = {row.number for row in shelf.rows(store, tag=tag)}
        return replace(context, wanted={number: weight for number, weight in wanted.items() if number in tagged})
    own = profile.own_lines(store)
    at_odds = {line.number for found in contradictions(own, now.astimezone().date()) for line in found.lines}
    return replace(
        context,
        wanted=wanted,
        lines=tuple(line for line in own if line.number not in at_odds),
        contradicting=tuple(line for line in own if line.number in at_odds),
    )


def _standings(store: Store, aside: Mapping[PaperId, datetime] = MappingProxyType({})) -> dict[PaperId, Standing]:
    """What stands of everything that was done, by paper; what was done with those set `aside` until then is left
    out."""
    found: defaultdict[PaperId, Standing] = defaultdict(Standing)
    acts = ((done.number, done.act, done.at) for done in reversed(interactions(store, limit=EVERYTHING)))
    for number, act, at in sorted((*acts, *shelf.acts_of_shelf(store)), key=lambda done: done[2]):
        if number not in aside or at > aside[number]:
            found[number].take(act, at)
    return {number: standing for number, standing in found.items() if standing.acts}
