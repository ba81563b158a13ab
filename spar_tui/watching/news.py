"""What is new in a stored watch, and how that is told. No clock, no store and no terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.run.findings import SourceTally, failures
from agents.search.events import Ranked
from agents.search.state import SearchState
from cache.watches import Watch
from connectors.paper import Paper
from spar_tui.phrases import papers_text
from spar_tui.watching.order import Order
from spar_tui.watching.when import since_text

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
    """The `papers` that a watch has never shown, in the order in which they are to be shown.

    `watch` is as it was before it was asked, `failed` tells who could not tell all, and why. `search` is there where a
    question is watched.
    """

    watch: Watch
    papers: Sequence[Paper]
    sources: Mapping[str, SourceTally]
    failed: Mapping[str, str]
    search: Searched | None = None

    @property
    def answered(self) -> bool:
        """Whether any source could tell what is new."""
        return answered(self.sources)


def answered(sources: Mapping[str, SourceTally]) -> bool:
    """Whether any of those that were asked answered, be it in part."""
    return any(tally.state in ("ok", "partial") and tally.asked for tally in sources.values())


def failed_to_tell(sources: Mapping[str, SourceTally], of_a_person: bool) -> dict[str, str]:
    """Who could not tell all of a subject, and why. That a source does not know a paper is no fault; an id of a person
    was its own."""
    gone = {name: tally.error or "" for name, tally in sources.items() if tally.state == "skipped"}
    return failures(sources) | (gone if of_a_person or not answered(sources) else {})


def nothing_text(news: News) -> str:
    """That nothing is new, as far as that is known: only where every source that was asked has answered it is said of
    all of them."""
    if news.failed:
        return "nothing new by the sources that answered" if news.answered else "no source could tell what is new"
    if not news.answered:
        return "no source was asked; nothing new among the papers that are here"
    return f"nothing new{since_text(news.watch)}"


def shown_text(news: News) -> str:
    """How many papers are new since when, or why that is not known."""
    if not news.papers:
        return nothing_text(news)
    return f"{papers_text(len(news.papers))} new{since_text(news.watch)}{whence_text(news)}"


def whence_text(news: News) -> str:
    """By whom new papers were told, to stand behind how many they are; nothing if everybody answered."""
    if not news.answered:
        return " among the papers that are here"
    return " by the sources that answered" if news.failed else ""
