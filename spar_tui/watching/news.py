"""The new papers of a watch, and sentences about them. Uses no clock, store or terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from agents.run.findings import SourceTally, any_answered, failures
from agents.search.events import Ranked
from agents.search.state import SearchState
from cache.watches import Watch
from connectors.paper import Paper
from spar_tui.phrases import counted, papers_text

Order = Literal["taste", "relevance"]
ORDER_TITLES: dict[Order, str] = {"taste": "your taste", "relevance": "relevance"}


def since_text(watch: Watch) -> str:
    """Return ` since 21 Nov 09:30`, the local time of the last check; "" if the watch was never checked."""
    return f" since {moment(watch.last_asked)}" if watch.last_asked else ""


def moment(then: datetime) -> str:
    """Return local time as `21 Nov 09:30`."""
    return f"{then.astimezone():%d %b %H:%M}"


def watches_text(watches: Sequence[Watch], now: datetime) -> str:
    """Return `3 watches, last asked 2 days ago`."""
    times = [watch.last_asked for watch in watches if watch.last_asked]
    last = f"last asked {_ago(max(times), now)}" if times else "never asked"
    return f"{counted(len(watches), 'watch', 'watches')}, {last}"


def _ago(then: datetime, now: datetime) -> str:
    days = (now.astimezone().date() - then.astimezone().date()).days
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"


NOT_OFFLINE = "spar is offline, so it cannot ask the sources for new papers."
"""Why a watch on a person or a paper cannot be checked offline."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The run of a watched search, its final state, and its new papers."""

    run: str
    state: SearchState
    ranked: Sequence[Ranked]

    @property
    def by(self) -> Order:
        """How the new papers are sorted."""
        return "taste" if self.state.personal else "relevance"


@dataclass(frozen=True, slots=True)
class News:
    """The new, never shown `papers` of a watch, in display order.

    `watch` is its state before the check that started at `begun`; `failed` maps incomplete sources to the reason.
    `search` is set for a watched question. `there` are the papers that a first answer had no room for; they are not
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
        """Whether this is the first answer to a question that no source answered when the watch was stored. It shows
        all relevant papers, not only new ones."""
        return is_first(self.watch) and self.search is not None

    @property
    def answered(self) -> bool:
        """Whether any source answered."""
        return any_answered(self.sources)


def is_first(watch: Watch) -> bool:
    """Return whether no source has ever answered `watch`."""
    return watch.last_asked is None


def failed_to_tell(sources: Mapping[str, SourceTally], of_a_person: bool) -> dict[str, str]:
    """Return the sources that failed, with the reason. A source without a paper failed only if none answered; a source
    without a person failed, because the id is its own."""
    skipped = {name: tally.error or "" for name, tally in sources.items() if tally.state == "skipped"}
    return failures(sources) | (skipped if of_a_person or not any_answered(sources) else {})


def exit_code(outcomes: Sequence[News | None]) -> int:
    """Return the exit code of `spar watch`: 0 for news, 3 for none if all sources answered, 4 if some failed, 1 if none
    answered. None stands for an unchecked watch."""
    if any(news and news.papers for news in outcomes):
        return 0
    if not any(news and news.answered for news in outcomes):
        return 1
    return 3 if all(news and news.answered and not news.failed for news in outcomes) else 4


def nothing_text(news: News) -> str:
    """Say that nothing is new, or that this could not be checked."""
    if not news.answered:
        return "no source answered" if news.failed else "no source was asked"
    if news.first:
        return f"no relevant paper in the first answer{whence_text(news)}"
    return "nothing new from the sources that answered" if news.failed else f"nothing new{since_text(news.watch)}"


def shown_text(news: News) -> str:
    """Say how many papers are new since when, or why there are none."""
    if not news.papers:
        return nothing_text(news)
    many = papers_text(len(news.papers))
    text = f"{many} in the first answer" if news.first else f"{many} new{since_text(news.watch)}"
    return f"{text}{whence_text(news)}"


def whence_text(news: News) -> str:
    """Return a phrase for the end of the count if some sources failed; "" if all answered."""
    return " from the sources that answered" if news.failed else ""
