"""Papers that a model was not shown, wherever a search is told of."""

from agents.run.events import FoundBy, PaperFound
from agents.search.events import (
    Event,
    Finished,
    PaperJudged,
    PapersAssessed,
    PapersRanked,
    QuestionUnderstood,
    Ranked,
    RunStarted,
)
from agents.search.kind import SEARCH
from connectors.paper import WorkId
from spar_tui.cli.listing import placed, search_listing
from spar_tui.phrases import NOT_READ
from spar_tui.reports.json_objects import search_object
from spar_tui.reports.search_flow import Reasons
from spar_tui.screening import selection
from spar_tui.terminal import Style
from spar_tui.tui.models.search_rows import row
from spar_tui.tui.widgets.paper_list import facts_text
from spar_tui.tui.widgets.paper_page import InSearch, page
from tests.agents.scripted import paper

READ, UNREAD = WorkId(0), WorkId(1)
EVENTS: list[Event] = [
    RunStarted("q", ("openalex",)),
    QuestionUnderstood(("q",), ("openalex",)),
    *(
        PaperFound(work, paper(f"Paper {work}", f"10.1000/{work}", venue="Venue"), FoundBy("openalex", "q", work + 1))
        for work in (READ, UNREAD)
    ),
    PapersAssessed(((READ, 0.6), (UNREAD, 0.9))),
    PaperJudged(READ, 0.93, "It answers.", "Paper 0", by="model"),
    PapersRanked((Ranked(READ, 0.93, 0.93), Ranked(UNREAD, 0.44, 0.44))),
    Finished(),
]
STATE = SEARCH.folded(EVENTS)


def test_the_list_says_which_papers_the_model_has_not_read() -> None:
    lines = search_listing(STATE, placed(STATE, None), Style(False, 200))
    assert [NOT_READ in line for line in lines if "relevance" in line and "score" in line] == [False, True]


def test_json_says_it_of_each_paper() -> None:
    assert [one["unread"] for one in search_object("run", STATE)["papers"]] == [False, True]


def test_the_log_gives_it_as_the_reason_for_leaving_a_paper_out() -> None:
    assert Reasons(STATE, EVENTS, selection(STATE)).of(UNREAD) == NOT_READ


def test_a_row_and_the_page_of_the_app_say_it() -> None:
    assert [NOT_READ in facts_text(row(STATE, work), 80) for work in (READ, UNREAD)] == [False, True]
    for work in (READ, UNREAD):
        shown = page(STATE.found[work].paper, search=InSearch(STATE, work)).plain
        assert (NOT_READ in shown) == (work == UNREAD)
