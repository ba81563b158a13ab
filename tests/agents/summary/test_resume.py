"""A summary that was cut off goes on where it was, and comes to the same document."""

from collections.abc import Sequence
from functools import cache
from random import Random

from agents.summary.events import NodeWritten, SummaryEvent, SummaryFinished
from agents.summary.kind import SUMMARY
from agents.summary.options import SummaryOptions
from tests.agents.search.world import Library, ScriptedReasoner, made_up, shelf
from tests.agents.summary.world import Summed, honest_model, summed
from tests.rows import each

OPTIONS = SummaryOptions(depth=2, branch=2, words=200, papers=4, table=("method",))
JUDGES = {"built-in": None, "a model": honest_model}
MOMENTS = 12


def world(name: str) -> tuple[Library, Library, ScriptedReasoner | None]:
    """Two sources that share half of the papers."""
    papers = made_up(20)
    kind = JUDGES[name]
    return Library(papers[:13]), Library(papers[9:], "pubmed"), kind() if kind else None


def gone_on(name: str, so_far: Sequence[SummaryEvent] = ()) -> Summed:
    one, other, model = world(name)
    return summed(shelf(one, other, model=model), OPTIONS, so_far=so_far)


@cache
def whole(name: str) -> Summed:
    return gone_on(name)


def check(name: str, cut: int) -> None:
    complete = whole(name)
    after = gone_on(name, complete.events[:cut])
    assert after.text == complete.text, f"cut after event {cut}: {complete.events[cut - 1 : cut + 1]}"
    written = [event.node for event in after.events if isinstance(event, NodeWritten)]
    assert len(written) == len(set(written))
    assert len([event for event in after.events if isinstance(event, SummaryFinished)]) == 1


@each("name", JUDGES)
def test_a_summary_killed_between_two_writes_comes_to_the_same_document(name: str) -> None:
    """Events that belong together are kept together, so these are the moments at which a kill can hit."""
    bursts = whole(name).bursts
    for cut in sorted(Random(1).sample(bursts, min(MOMENTS, len(bursts)))):
        check(name, cut)


@each("name", JUDGES)
def test_a_summary_cut_off_after_any_event_comes_to_the_same_document(name: str) -> None:
    for cut in sorted(Random(2).sample(range(len(whole(name).events) + 1), MOMENTS)):
        check(name, cut)


def test_a_finished_summary_asks_nothing_more() -> None:
    complete = whole("a model")
    one, other, model = world("a model")
    after = summed(shelf(one, other, model=model), OPTIONS, so_far=complete.events)
    assert after.events == complete.events
    assert model is not None
    assert [*model.asked, *one.searched, *other.searched] == []


@each("name", JUDGES)
def test_replaying_the_kept_rows_gives_the_same_state(name: str) -> None:
    complete = whole(name)
    rows = [SUMMARY.codec.encode(event) for event in complete.events]
    replayed = [event for row in rows if (event := SUMMARY.codec.decode(row.kind, row.content))]
    assert SUMMARY.folded(replayed) == complete.state


@each("name", JUDGES)
def test_the_same_document_comes_whichever_source_is_quicker(name: str) -> None:
    one, other, model = world(name)
    one.seconds = 0.02
    assert summed(shelf(one, other, model=model), OPTIONS).text == whole(name).text
