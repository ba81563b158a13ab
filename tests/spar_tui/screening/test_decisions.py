"""Decisions on the records of a search are counted as they stand, however often they were changed."""

from hypothesis import given
from hypothesis import strategies as st

from agents.run.events import FoundBy, PaperFound, WorksJoined
from agents.search.events import Decision, Event, FeedbackWithdrawn, PaperJudged, PaperScreened
from agents.search.kind import SEARCH
from agents.search.state import SearchState
from connectors.paper import WorkId
from spar_tui.screening import NO_REASON, REASONS, next_open, reasons_offered, screening, works_decided
from tests.agents.scripted import paper

WORKS = [WorkId(number) for number in range(5)]
FOUND = [
    PaperFound(work, paper(f"Paper {work}", f"10.1000/{work}"), FoundBy("openalex", "q", work + 1)) for work in WORKS
]
DECISIONS: tuple[Decision, ...] = ("included", "excluded", "later")
decided = st.builds(
    PaperScreened,
    st.sampled_from(WORKS),
    st.sampled_from([*DECISIONS, None]),
    st.sampled_from(["", "wrong subject", "animals only"]),
)
rated = st.builds(
    PaperJudged, st.sampled_from(WORKS), st.sampled_from([0.0, 1.0]), st.just("You said so"), by=st.just("person")
) | st.builds(FeedbackWithdrawn, st.sampled_from(WORKS))


def after(*events: Event) -> SearchState:
    return SEARCH.folded([*FOUND, *events])


@given(st.lists(decided))
def test_the_last_decision_on_each_record_counts_and_the_numbers_add_up(events: list[PaperScreened]) -> None:
    last = {one.work: one for one in events}
    told = screening(after(*events))
    for decision, many in (("included", told.included), ("excluded", told.excluded), ("later", told.later)):
        assert many == sum(one.decision == decision for one in last.values())
    for reason, many in told.reasons.items():
        assert many == sum(one.decision == "excluded" and (one.reason or NO_REASON) == reason for one in last.values())
    assert told.every == len(WORKS)
    assert told.screened + told.later == told.seen <= told.every
    assert told.progress.startswith(f"{told.seen} of {len(WORKS)} · ")


@given(st.lists(decided | rated))
def test_a_decision_is_feedback_until_the_person_says_something_else(events: list[Event]) -> None:
    """And taking it back takes back no more than what it said itself."""
    state = after(*events)
    for work in WORKS:
        said: bool | None = None
        by_decision = False
        for event in events:
            if isinstance(event, PaperScreened) and event.work == work:
                if event.judgement:
                    said, by_decision = event.decision == "included", True
                elif by_decision:
                    said, by_decision = None, False
            elif isinstance(event, PaperJudged) and event.work == work:
                said, by_decision = event.score == 1.0, False
            elif isinstance(event, FeedbackWithdrawn) and event.work == work:
                said, by_decision = None, False
        assert state.called_relevant.get(work) is said


@given(st.lists(decided | rated))
def test_a_stored_run_has_the_same_decisions_when_it_is_replayed(events: list[Event]) -> None:
    rows = [SEARCH.codec.encode(event) for event in [*FOUND, *events]]
    again = SEARCH.folded(one for row in rows if (one := SEARCH.codec.decode(row.kind, row.content)))
    assert again == after(*events)


@given(st.lists(decided), st.integers(0, len(WORKS) - 1))
def test_what_is_next_is_undecided_else_left_for_later_else_nothing(events: list[PaperScreened], start: int) -> None:
    state = after(*events)
    undecided = [work for work in WORKS if work not in state.screened]
    later = works_decided(state, "later")
    found = next_open(state, WORKS, start)
    if undecided:
        assert found == next((work for work in undecided if work >= start), undecided[0])
    else:
        assert found == (next((work for work in later if work >= start), later[0]) if later else None)


def test_of_two_records_that_turn_out_to_be_one_paper_the_decision_on_either_holds() -> None:
    state = after(PaperScreened(WORKS[1], "excluded", "duplicate"), WorksJoined(WORKS[0], WORKS[1]))
    assert state.screened[WORKS[0]].reason == "duplicate"
    assert screening(state, WORKS).every == len(WORKS) - 1
    assert screening(state, WORKS).excluded == 1


def test_at_most_nine_reasons_are_offered_the_ready_ones_first() -> None:
    own = [f"own {number}" for number in range(5)]
    state = after(*(PaperScreened(work, "excluded", reason) for work, reason in zip(WORKS, own, strict=True)))
    assert reasons_offered(state) == (*REASONS, *own[:4])
    assert reasons_offered(after(PaperScreened(WORKS[0], "excluded"))) == REASONS
