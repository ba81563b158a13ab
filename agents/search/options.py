"""What the person asked for besides the question, and how much work that allows."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from agents.run.resources import SOURCE_SECONDS
from agents.search.events import EvolvedQuery

Mode = Literal["fast", "deep"]


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Bounds, length, depth and budgets of a search; None means no bound.

    `seconds` bounds the whole search, `source_seconds` each question to a source. `calls` and `usd` bound what the
    language model may be asked. `sources` are the live ones that the run may use, None if that is not known;
    `choose_sources` is off where the person named them. `facets` lets every facet of what was found be asked for as
    well; None leaves it to the mode. `personal` lets the person's taste order papers of about the same relevance.
    Without `model` no language model is asked, though the person has one. With `any_date` dates that the question names
    are no limits. A source in `own_queries` is asked that text alone, as it stands. Without `library` nothing that the
    person's library held before takes part, so that others can repeat the search. `again` is the run whose log this
    search repeats, `later_queries` are those that were asked in its second and later rounds, `watch` the watch that
    asks it; then each source in `appeared` is also asked for what has appeared from that day on, which may stand behind
    more records than are asked for.
    """

    since: date | None = None
    until: date | None = None
    limit: int = 20
    source_seconds: float = SOURCE_SECONDS
    mode: Mode = "fast"
    seed: int = 0
    understanding: bool = True
    refchain: bool = True
    citing: bool = False
    evolution: bool = True
    facets: bool | None = None
    rerank: bool = True
    choose_sources: bool = True
    sources: tuple[str, ...] | None = None
    strict_judge: bool = False
    personal: bool = False
    model: bool = True
    calls: int | None = None
    usd: float | None = None
    seconds: float | None = None
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
    """How much a search does of each thing."""

    records: int
    """Papers that a source is asked for with each query; more than are shown, because sources order differently."""
    queries: int
    """Queries of the first round, the question among them."""
    rounds: int
    """Rounds of retrieval; between two of them queries evolve."""
    evolved: int
    """Evolved queries that go on to the next round."""
    judged: int
    """Papers that a model judges."""
    batch: int
    """Papers whose words a model judges in one request; after it the search decides whether the model judges more."""
    seeds: int
    """Papers a round whose references are followed."""
    asked_seeds: int
    """Those among them that services are asked about one by one, because no record lists their references."""
    references: int
    """References and citing papers a round that are taken in."""
    citing: int
    """Citing papers among them, at most, where a source tells what cites any of several papers."""
    cache: int
    """Relevant papers after which the search has enough (the size of SPAR's Paper Cache)."""
    calls: int
    """Questions to the model, unless the person set another bound."""
    facets: bool = False
    """Whether the facets of what was found are asked for, unless the person said."""
    read: int = 0
    """Papers, best first, whose texts a model reads at least, where their words do not rule them out."""


LIMITS: dict[str, Limits] = {
    "fast": Limits(
        records=50,
        queries=3,
        rounds=2,
        evolved=2,
        judged=70,
        batch=10,
        seeds=50,
        asked_seeds=2,
        references=100,
        citing=50,
        cache=60,
        calls=150,
    ),
    "deep": Limits(
        records=100,
        queries=5,
        rounds=3,
        evolved=3,
        judged=250,
        batch=10,
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
