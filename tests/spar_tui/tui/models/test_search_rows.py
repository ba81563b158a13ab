"""What the screens are told to show, without a screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.run.events import FoundBy, PaperFound, QueryPlanned, SourceAnswered, WorksJoined
from agents.search.events import CandidatesChosen, Event, PaperJudged, PapersAssessed, ReferencesFollowed
from agents.search.kind import SEARCH
from agents.search.state import SearchState
from connectors.paper import Author, Paper, WorkId
from spar_tui.tui.commands import COMMANDS
from spar_tui.tui.models.run_status import SHOWN_KINDS
from spar_tui.tui.models.search_rows import Rows, by_relevance, carried_on, misplaced, row, row_of, waiting_works
from spar_tui.tui.models.search_trail import Branch, trail
from spar_tui.tui.widgets.status_lines import sources_line, stage_line
from tests.agents.scripted import paper

ZERO, ONE, TWO = WorkId(0), WorkId(1), WorkId(2)


def found(work: int, source: str = "openalex", query: str = "q", **link: object) -> PaperFound:
    return PaperFound(WorkId(work), paper(f"Paper {work}", f"10.1000/{work}"), FoundBy(source, query, 1, **link))  # type: ignore[arg-type]


def asked(source: str = "openalex", query: str = "q") -> list[Event]:
    return [QueryPlanned(source, query), SourceAnswered(source, query, "ok", 3)]


def all_of(branches: tuple[Branch, ...]) -> list[Branch]:
    return [one for branch in branches for one in (branch, *all_of(branch.children))]


@given(st.lists(st.integers(0, 9).map(WorkId), unique=True, min_size=1), st.data())
def test_what_was_shown_stays_in_its_order_whatever_comes(works: list[WorkId], data: st.DataObject) -> None:
    state = SEARCH.folded(found(work) for work in works)
    order = carried_on([], state)
    later = state
    for work in data.draw(st.lists(st.integers(10, 19), unique=True)):
        later = later.apply(found(work))
    for gone in data.draw(st.lists(st.sampled_from(works), unique=True)):
        kept = data.draw(st.sampled_from(sorted(later.found)))
        if kept != gone:
            later = later.apply(WorksJoined(kept, gone))
    later = later.apply(PapersAssessed(tuple((work, data.draw(st.floats(0, 1))) for work in later.found)))
    now = carried_on(order, later)
    assert sorted(now) == sorted(later.found)
    survivors = [work for work in order if work in later.found and work not in later.joined.values()]
    assert [work for work in now if work in survivors] == survivors


def test_the_relevant_papers_that_a_sort_would_lift_are_counted() -> None:
    state = SEARCH.folded([found(0), found(1), PapersAssessed(((ZERO, 0.1), (ONE, 0.9)))])
    assert by_relevance(state) == [1, 0]
    assert misplaced([ZERO, ONE], state) == 1
    assert misplaced([ONE, ZERO], state) == 0


@given(st.lists(st.integers(0, 29), min_size=1))
def test_rows_made_while_a_search_goes_on_are_those_that_would_be_made_at_its_end(chosen: list[int]) -> None:
    rows, state = Rows(), SearchState()
    for step in chosen:
        work = WorkId(step % 10)
        if work not in state.found:
            state = state.apply(found(work))
        elif step < 20:
            state = state.apply(CandidatesChosen((work,), 1))
        else:
            state = state.apply(PaperJudged(work, step / 30, "It is on the subject.", by="model"))
        waiting = waiting_works(state)
        assert rows(state, state.found, waiting) == [row(state, one, waiting) for one in state.found]


def test_a_row_waits_until_its_judgement_is_there() -> None:
    state, rows = SEARCH.folded([found(0), CandidatesChosen((ZERO,), 1)]), Rows()
    (waiting,) = rows(state, [ZERO], waiting_works(state))
    assert waiting.waiting
    assert waiting.score is None
    after = state.apply(PaperJudged(ZERO, 0.8, "It is on the subject.", "Its subject", by="model"))
    (judged,) = rows(after, [ZERO], waiting_works(after))
    assert not judged.waiting
    assert (judged.score, judged.relevant) == (0.8, True)


def test_the_trail_leads_from_the_query_over_a_paper_to_its_references() -> None:
    state = SEARCH.folded(
        [
            *asked(),
            found(0),
            ReferencesFollowed(ZERO, "references", 1, listed=7, new=1),
            found(1, query="", link="references", link_of=ZERO),
            PapersAssessed(((ZERO, 0.9), (ONE, 0.8))),
        ]
    )
    (query,) = trail(state)
    (source,) = query.children
    (seed,) = source.children
    (links,) = seed.children
    assert [one.label for one in (query, source, seed, links)] == ["q", "openalex", "Paper 0", "7 references"]
    assert [one.work for one in links.children] == [1]


def test_papers_that_found_each_other_do_not_lead_in_circles() -> None:
    """Works that turn out to be one can make a paper a reference of its own reference."""
    state = SEARCH.folded(
        [
            *asked(),
            found(0),
            found(1, query="", link="references", link_of=ZERO),
            found(2, query="", link="references", link_of=ONE),
            ReferencesFollowed(ZERO, "references", 1, 3, 1),
            ReferencesFollowed(ONE, "references", 1, 3, 1),
            WorksJoined(TWO, ZERO),
            PapersAssessed(((ONE, 0.9), (TWO, 0.8))),
        ]
    )
    assert len(all_of(trail(state))) < 20


def test_every_branch_has_a_key_of_its_own() -> None:
    state = SEARCH.folded(
        [*asked(), *asked("arxiv"), *asked("arxiv", "other"), found(0), found(1, "arxiv"), found(2, "arxiv", "other")]
    )
    state = state.apply(PapersAssessed(((ZERO, 0.9), (ONE, 0.8), (TWO, 0.7))))
    keys = [one.key for one in all_of(trail(state))]
    assert len(keys) == len(set(keys)) == 8


@given(st.integers(1, 300))
def test_the_status_lines_fit_and_the_time_stays_on_the_edge(width: int) -> None:
    state = SEARCH.folded(
        [*asked(), *asked("arxiv"), SourceAnswered("arxiv", "x", "failed", error="no answer."), found(0)]
    )
    line = stage_line(state, "running", 83.0, width)
    assert line.plain.endswith("1:23")
    assert line.cell_length <= max(width, len(" 1:23"))
    assert sources_line(state, width).cell_length <= width


def test_a_source_in_trouble_is_named_before_the_others_where_there_is_little_room() -> None:
    events = [*asked(), *asked("semanticscholar"), SourceAnswered("arxiv", "q", "failed", error="no answer.")]
    assert "✘ arxiv failed" in sources_line(SEARCH.folded(events), 30).plain


def test_a_search_that_has_not_begun_has_lines_too() -> None:
    assert "understand" in stage_line(SearchState(), "running", 0, 80).plain
    assert sources_line(SearchState(), 80).plain == ""


TURNS = {(f"{kind}.{turn}", key) for kind in SHOWN_KINDS for turn, key in (("resume", "p"), ("cut", "x"))} | {
    ("search.order", "R")
}


def test_no_place_uses_a_key_for_two_commands_that_can_be_used_together() -> None:
    for place, commands in COMMANDS.items():
        # Pause and go on take turns, as re-sort and order do; x stops gently, and at once when it is pressed again.
        keys = [key for one in commands for key in one.keys if (one.id, key) not in TURNS]
        assert len(keys) == len(set(keys)), place
    ids = [one.id for commands in COMMANDS.values() for one in commands]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("families", "et_al", "shown"),
    [(["One"], False, "One 2020"), (["One"], True, "One et al. 2020"), (["One", "Two"], True, "One et al. 2020"),
     (["One", "Two"], False, "One & Two 2020"), ([], True, "2020")],
)  # fmt: skip
def test_a_paper_whose_authors_are_not_all_known_says_so(families: list[str], et_al: bool, shown: str) -> None:
    one = Paper("T", authors=tuple(map(Author, families)), date="2020", et_al=et_al)
    assert row_of(0, one).byline == shown
