"""What is new in a stored watch, and how that is told. No clock, no store and no terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.run.findings import SourceTally, any_answered, failures
from agents.search.events import Ranked
from agents.search.state import SearchState
from cache.watches import Watch
from connectors.paper import Paper
from spar_tui.phrases import papers_text
from spar_tui.watching.when import Order, since_text

NOT_OFFLINE = "only sources can tell what is new in it, and this is offline."
"""Why a person or a paper is not followed offline."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The run that a stored search was asked with, its end, and the new papers in it."""

    run: str
    state: SearchState
    ranked: Sequence[Ranked]

    @property
    def by(self) -> Order:
        """What the new papers are ordered by."""
        return "taste" if self.state.personal else "relevance"


@dataclass(frozen=True, slots=True)
class News:
    """The `papers` that are new in a watch and that it has never shown, in the order in which they are to be shown.

    `watch` is as it was before it was asked at `begun`, `failed` tells which sources could not tell all, and why.
    `search` is there where a question is watched. `there` are the papers without room in a first answer, which are no
    news later.
    """

    watch: Watch
    papers: Sequence[Paper]
    sources: Mapping[str, SourceTally]
    failed: Mapping[str, str]
    begun: datetime
    search: Searched | None = None
    there: Sequence[Paper] = ()

    @property
    def first(self) -> bool:
        """Whether this is the first answer to a question that no source could answer when its watch was stored: all
        that is relevant is shown, not only what has appeared since."""
        return is_first(self.watch) and self.search is not None

    @property
    def answered(self) -> bool:
        """Whether any source could tell what is new."""
        return any_answered(self.sources)


def is_first(watch: Watch) -> bool:
    """Return whether no source has ever answered `watch`."""
    return watch.last_asked is None


def failed_to_tell(sources: Mapping[str, SourceTally], of_a_person: bool) -> dict[str, str]:
    """Who could not tell all of a subject, and why. That a source does not know a paper is no fault; an id of a person
    was its own."""
    gone = {name: tally.error or "" for name, tally in sources.items() if tally.state == "skipped"}
    return failures(sources) | (gone if of_a_person or not any_answered(sources) else {})


def exit_code(outcomes: Sequence[News | None]) -> int:
    """Return what `spar watch` ends with: 0 for news, 3 for nothing new where all sources answered, 4 where some could
    not tell, 1 where none answered. None stands for a watch that was not asked."""
    if any(news and news.papers for news in outcomes):
        return 0
    if not any(news and news.answered for news in outcomes):
        return 1
    return 3 if all(news and news.answered and not news.failed for news in outcomes) else 4


def nothing_text(news: News) -> str:
    """Say that nothing is new, as far as that is known."""
    if not news.answered:
        return "no source could tell what is new" if news.failed else "no source was asked what is new"
    if news.first:
        return f"no relevant paper in the first answer{whence_text(news)}"
    return "nothing new by the sources that answered" if news.failed else f"nothing new{since_text(news.watch)}"


def shown_text(news: News) -> str:
    """Say how many papers are new since when, or why that is not known."""
    if not news.papers:
        return nothing_text(news)
    many = papers_text(len(news.papers))
    what = f"{many} in the first answer" if news.first else f"{many} new{since_text(news.watch)}"
    return f"{what}{whence_text(news)}"


def whence_text(news: News) -> str:
    """Return which sources the news are from, to stand behind their number; "" if all answered."""
    return " by the sources that answered" if news.failed else ""
