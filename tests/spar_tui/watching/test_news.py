"""What is said of a watch that was asked."""

from datetime import UTC, datetime, timedelta
from typing import Literal

from agents.run.findings import SourceTally, failures
from cache.watches import Watch
from spar_tui.watching.news import News, exit_code, nothing_text, shown_text, watches_text
from tests.agents.scripted import paper
from tests.rows import each

THEN = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
SINCE = f"since {THEN.astimezone():%d %b %H:%M}"
State = Literal["ok", "partial", "failed", "skipped"]


def watch(asked: datetime | None = THEN) -> Watch:
    return Watch("sparse", "sparse retrieval", {}, THEN, asked, 0)


def news(papers: int = 0, **states: State) -> News:
    sources = {name: SourceTally(state, asked=1) for name, state in states.items()}
    new = [paper(f"Part {one}", f"10.1000/{one}") for one in range(papers)]
    return News(watch(), new, sources, failures(sources), THEN)


@each(
    ("found", "said"),
    [
        (news(openalex="ok", arxiv="ok"), f"nothing new {SINCE}"),
        (news(openalex="ok", arxiv="failed"), "nothing new from the sources that answered"),
        (news(openalex="ok", arxiv="partial"), "nothing new from the sources that answered"),
        (news(openalex="failed"), "no source answered"),
        (news(), "no source was asked"),
    ],
)
def test_nothing_is_new_since_the_last_time_only_where_every_source_that_was_asked_answered(
    found: News, said: str
) -> None:
    assert nothing_text(found) == shown_text(found) == said


def test_news_say_since_when_they_are_news_and_by_whom_they_were_told() -> None:
    assert shown_text(news(2, openalex="ok")) == f"2 papers new {SINCE}"
    assert shown_text(news(1, openalex="ok", arxiv="failed")) == f"1 paper new {SINCE} from the sources that answered"


@each(
    ("outcomes", "code"),
    [
        ([news(1, openalex="ok"), news(openalex="failed")], 0),
        ([news(openalex="ok"), news(arxiv="ok")], 3),
        ([news(openalex="ok", arxiv="failed")], 4),
        ([news(openalex="ok"), news(arxiv="failed")], 4),
        ([news(openalex="ok"), None], 4),
        ([news(openalex="failed"), None], 1),
        ([news()], 1),
    ],
)
def test_a_script_can_tell_news_from_nothing_new_and_from_not_known(outcomes: list[News | None], code: int) -> None:
    assert exit_code(outcomes) == code


def test_watches_are_told_with_the_day_on_which_one_was_last_asked() -> None:
    both = [watch(THEN - timedelta(days=9)), watch()]
    assert watches_text(both, THEN) == "2 watches, last asked today"
    assert watches_text(both, THEN + timedelta(days=1)) == "2 watches, last asked yesterday"
    assert watches_text(both, THEN + timedelta(days=2)) == "2 watches, last asked 2 days ago"
    assert watches_text([watch(None)], THEN) == "1 watch, never asked"
