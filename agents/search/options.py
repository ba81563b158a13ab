"""The options of a search, and the amount of work that each mode allows."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.run.resources import RunOptions
from agents.search.events import EvolvedQuery

Mode = Literal["fast", "deep"]


@dataclass(frozen=True, slots=True)
class SearchOptions(RunOptions):
    """Bounds, length, depth and budgets of a search; None means no bound.

    `seconds` limits the whole search, `source_seconds` each request to a source; `calls` and `usd` limit the use of the
    language model. `sources` are the live sources that the run may use, None if unknown; `choose_sources` is False if
    the person named them. `facets` sends a query for each facet of the papers found, None leaves that to the mode.
    `personal` orders papers of about the same relevance by the person's taste. `model`: False asks no language model
    even if there is one. `any_date` ignores dates in the question. A source in `own_queries` gets only that text,
    verbatim. `library`: False excludes the earlier contents of the library, so that others can repeat the search.
    `again` is the run that this search repeats, `later_queries` that run's queries from the second round on, `watch`
    the watch that runs it. Each source in `appeared` is also asked for papers since that day, which its usual first
    records may not include.
    """

    since: date | None = None
    until: date | None = None
    limit: int = 20
    mode: Mode = "fast"
    understanding: bool = True
    refchain: bool = True
    citing: bool = False
    evolution: bool = True
    facets: bool | None = None
    rerank: bool = True
    choose_sources: bool = True
    strict_judge: bool = False
    personal: bool = False
    any_date: bool = False
    own_queries: tuple[tuple[str, str], ...] = ()
    library: bool = True
    again: str = ""
    later_queries: tuple[tuple[EvolvedQuery, ...], ...] | None = None
    watch: str = ""
    appeared: tuple[tuple[str, date], ...] = ()

    @property
    def limits(self) -> "Limits":
        return LIMITS[self.mode]

    @property
    def asks_facets(self) -> bool:
        return self.limits.facets if self.facets is None else self.facets


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The amounts of work in a search; by default those of a fast one."""

    records: int = 50
    """Papers per query and source; more than are shown, because sources rank differently."""
    queries: int = 3
    """Queries of the first round, including the question."""
    rounds: int = 2
    """Rounds of retrieval; queries evolve between them."""
    evolved: int = 2
    """Evolved queries that are sent in the next round."""
    judged: int = 70
    """Papers that a model judges."""
    batch: int = 20
    """Papers in one request to judge words; if none of them is relevant, the step asks about no more."""
    seeds: int = 50
    """Papers per round whose references are followed."""
    asked_seeds: int = 2
    """Number of these for which services are asked one by one, because no record lists their references."""
    references: int = 100
    """References and citing papers added per round."""
    citing: int = 50
    """Maximum number of citing papers among these, from sources that list the papers citing any of several."""
    cache: int = 60
    """Relevant papers after which the search has enough (the size of SPAR's Paper Cache)."""
    calls: int = 10
    """Requests that the model answers, unless the person sets another number. Other steps come first, then reading."""
    facets: bool = False
    """Whether queries for the facets of the papers found are sent by default."""
    read: int = 0
    """Minimum number of papers, best first, whose texts a model reads if their words do not rule them out."""


LIMITS: dict[str, Limits] = {
    "fast": Limits(),
    "deep": Limits(
        records=100,
        queries=5,
        rounds=3,
        evolved=3,
        judged=250,
        seeds=100,
        asked_seeds=8,
        references=300,
        citing=100,
        cache=200,
        calls=520,
        facets=True,
        read=250,
    ),
}
