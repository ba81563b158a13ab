"""The user context u = (C_lt, C_st) of ARAG §2.1: the whole reading history, weighted by kind and age of its
interactions, and the interactions of the current session."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from agents.builtin.text.terms import terms
from agents.taste.records import HistoryPaper
from cache import citation_keys, papers, profile, runs, shelf
from cache.profile import WrittenLine
from cache.reading_history import EVERYTHING, interactions
from cache.store import PaperId, Store
from connectors.query.terms import is_filler

_WORD = re.compile(r"[^\W_]+")


class Contradiction(NamedTuple):
    """Lines that cannot all hold, with the reason as a clause. A single line is an expectation that no paper can
    meet."""

    lines: tuple[WrittenLine, ...]
    why: str


def contradictions(lines: Sequence[WrittenLine], today: date) -> list[Contradiction]:
    """Return the contradictions among `lines`: subjects both wanted and unwanted, and expectations that no paper can
    meet.

    `today` is the day from which an expectation such as "of the last five years" counts.
    """
    return [*_wanted_and_not(lines), *_never_met(lines, today)]


def content_words(text: str) -> frozenset[str]:
    """Return the content terms of a line, without question words; the whole text if there are none."""
    words = [word for word in _WORD.findall(text.lower()) if not is_filler(word)]
    return frozenset(terms(" ".join(words))) or frozenset({text.casefold()})


def _wanted_and_not(lines: Sequence[WrittenLine]) -> Iterator[Contradiction]:
    about = {line.number: content_words(line.text) for line in lines}
    for first, second in combinations(lines, 2):
        if about[first.number] == about[second.number] and (first.facet == "dislike") != (second.facet == "dislike"):
            positive, negative = (second, first) if first.facet == "dislike" else (first, second)
            yield Contradiction(
                (first, second), f"you {positive.facet} “{positive.text}”, and you dislike “{negative.text}”"
            )


def _never_met(lines: Sequence[WrittenLine], today: date) -> Iterator[Contradiction]:
    expectations = [line for line in lines if line.facet == "expect"]
    if not expectations:
        return
    # imported here, because most people's lines do not need it
    from agents.builtin.question_parsing.question import read

    bounds = [(line, reading.since, reading.until) for line in expectations for reading in [read(line.text, today)]]
    for line, since, until in bounds:
        if since and until and since > until:
            yield Contradiction((line,), f"no paper can be “{line.text}”")
    for (first, since, until), (second, other_since, other_until) in combinations(bounds, 2):
        for after, before in ((since, other_until), (other_since, until)):
            if after and before and after > before:
                yield Contradiction((first, second), f"no paper can be both “{first.text}” and “{second.text}”")
                break


class Worth(NamedTuple):
    """The weight of a new interaction of one kind, from 0 to 1; it halves after `half_life` days."""

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
AGAINST = {"disliked": Worth(1.0, 730, "stated explicitly"), "dismissed": Worth(0.6, 180, "not wanted now")}
"""Interactions that count against a paper and similar papers."""
CHOSEN = "chosen"
"""Marks a paper from which the person started; not a stored interaction."""
GLANCES = frozenset(("viewed", "opened"))
"""Interactions after which a paper may still be unread."""
SESSION = timedelta(hours=2)
"""Length of the current session, whose interactions show the person's present interest."""
SESSION_WORTH = 2.0
"""Factor on the weight of papers of this session."""
_TAKEN_BACK = {
    "unsaved": ("saved",),
    "unrated": ("liked", *AGAINST),
    "liked": tuple(AGAINST),
    "saved": ("dismissed",),
    "disliked": ("liked",),
}
"""The earlier interactions that each interaction cancels."""


@dataclass(slots=True)
class TasteStanding:
    """The interactions with one paper that still hold: each kind, with the time of the last one."""

    acts: dict[str, datetime] = field(default_factory=dict)

    def take(self, act: str, at: datetime) -> None:
        """Apply the next interaction; call this in chronological order."""
        for opposite in _TAKEN_BACK.get(act, ()):
            self.acts.pop(opposite, None)
        if act in WORTH or act in AGAINST:
            self.acts[act] = at

    def weight(self, now: datetime) -> float:
        """Return how much the paper shows what the person likes, from 0 to 1: the interactions combine like
        independent probabilities."""
        return _together(WORTH[act].worth * _faded(act, at, now) for act, at in self.acts.items() if act in WORTH)

    def against(self, now: datetime) -> float:
        """Return how much the paper shows what the person does not want, from 0 to 1."""
        return _together(AGAINST[act].worth * _faded(act, at, now) for act, at in self.acts.items() if act in AGAINST)

    def in_session(self, now: datetime) -> bool:
        """Whether the paper was used in the current session."""
        return any(now - at <= SESSION for act, at in self.acts.items() if act in WORTH)


def _faded(act: str, at: datetime, now: datetime) -> float:
    """Return the remaining share of an interaction's weight; one dated in the future, by another clock, counts as
    now."""
    days = max((now - at).total_seconds(), 0.0) / 86_400
    return float(0.5 ** (days / (WORTH.get(act) or AGAINST[act]).half_life))


def _together(chances: Iterable[float]) -> float:
    remaining = 1.0
    for chance in chances:
        remaining *= 1 - chance
    return 1 - remaining


PASSED_OVER = 3
"""Number of times a paper is recommended, without any reaction, before it is left out."""
LEAST = 0.02
"""Weights up to this are ignored."""


@dataclass(frozen=True)
class UserContext:
    """What is known of the person: library numbers of papers, each with its weight.

    `closed` are the papers not to recommend: those that the person knows (saved, read, liked, cited …) or does not
    want, however long ago, and those recommended repeatedly without any reaction. `lines` are the person's own lines
    that count, `contradicting` those that do not, because they contradict another.
    """

    wanted: Mapping[PaperId, float] = field(default_factory=dict)
    unwanted: Mapping[PaperId, float] = field(default_factory=dict)
    acts: Mapping[PaperId, tuple[str, ...]] = field(default_factory=dict)
    session: frozenset[PaperId] = frozenset()
    closed: frozenset[PaperId] = frozenset()
    lines: tuple[WrittenLine, ...] = ()
    contradicting: tuple[WrittenLine, ...] = ()

    @property
    def claimed(self) -> frozenset[PaperId]:
        """The papers on which the person's own lines rest."""
        return frozenset(number for line in (*self.lines, *self.contradicting) for number in line.papers)

    @property
    def empty(self) -> bool:
        """Whether nothing shows what the person likes."""
        return not self.wanted and not any(line.facet != "dislike" for line in self.lines)


def read_context(store: Store, now: datetime, start: Sequence[int] = (), tag: str | None = None) -> UserContext:
    """Return the person's context at `now`; with papers or a tag to `start` from, the context of these alone. Raises
    `CacheError`."""
    everything = _standings(store)
    aside = profile.papers_set_aside(store)
    standings = _standings(store, aside) if aside else everything
    unwanted = {number: weight for number, of in standings.items() if (weight := of.against(now)) > LEAST}
    paper_ids = {number for number, of in everything.items() if not of.acts.keys() <= GLANCES}
    passed_over = runs.shown_often(store, "recommendation", PASSED_OVER)
    context = UserContext(
        unwanted=unwanted,
        acts={number: tuple(of.acts) for number, of in standings.items()},
        session=frozenset(number for number, of in standings.items() if of.in_session(now)),
        closed=frozenset((*shelf.numbers_on_shelf(store), *paper_ids, *(passed_over - everything.keys()))),
    )
    if start:
        start_weights = dict.fromkeys((PaperId(number) for number in start), 1.0)
        rest = {number: weight for number, weight in unwanted.items() if number not in start_weights}
        acts = {**context.acts, **{number: (CHOSEN, *context.acts.get(number, ())) for number in start_weights}}
        return replace(
            context, wanted=start_weights, unwanted=rest, acts=acts, closed=context.closed | {*start_weights}
        )
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
    at_odds = {
        line.number for contradiction in contradictions(own, now.astimezone().date()) for line in contradiction.lines
    }
    return replace(
        context,
        wanted=wanted,
        lines=tuple(line for line in own if line.number not in at_odds),
        contradicting=tuple(line for line in own if line.number in at_odds),
    )


def _standings(store: Store, aside: Mapping[PaperId, datetime] = MappingProxyType({})) -> dict[PaperId, TasteStanding]:
    """Return the interactions that still hold, by paper, without those up to the time at which a paper was set
    `aside`."""
    standings: defaultdict[PaperId, TasteStanding] = defaultdict(TasteStanding)
    events = ((event.number, event.act, event.at) for event in reversed(interactions(store, limit=EVERYTHING)))
    for number, act, at in sorted((*events, *shelf.acts_of_shelf(store)), key=lambda event: event[2]):
        if number not in aside or at > aside[number]:
            standings[number].take(act, at)
    return {number: standing for number, standing in standings.items() if standing.acts}


def history_papers(
    store: Store, numbers: Sequence[PaperId], weights: Mapping[PaperId, float], acts: Mapping[PaperId, tuple[str, ...]]
) -> Iterable[HistoryPaper]:
    """Return the papers of these numbers as reasons name them, with their weights. Raises `CacheError`."""
    keys = citation_keys.keys_of(store, numbers) if numbers else {}
    for number in numbers:
        for paper in papers.by_ids(store, [number]):
            weight = round(min(weights[number], 1.0), 4)
            yield HistoryPaper(
                number, paper.id, paper.title, paper.year, weight, acts.get(number, ()), keys.get(number) or ""
            )


@dataclass(frozen=True, slots=True)
class ReaderContext:
    """A person's context at `now`, and their library. `last` is the time of the last recommendation."""

    store: Store
    context: UserContext
    now: datetime
    last: datetime | None = None
