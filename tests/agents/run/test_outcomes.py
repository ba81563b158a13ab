"""What came of asking a source, out of the events that tell of it."""

from agents.run.events import QueryPlanned, RunEvent, SourceAnswered
from agents.run.findings import Findings, Outcome, outcome_of, tally_of
from agents.search.options import SearchOptions
from connectors.errors import RateLimited
from connectors.opening import ClosedSource
from connectors.registry import SOURCES
from tests.agents.scripted import ScriptedSource
from tests.agents.search.world import Library, made_up, searched, shelf
from tests.rows import each

ONCE = SearchOptions(choose_sources=False, understanding=False, refchain=False, evolution=False)
OK, EMPTY = SourceAnswered("s", "a", "ok", 3), SourceAnswered("s", "b", "ok", 0)
FAILED = SourceAnswered("s", "c", "failed", error="is down.")
SKIPPED = SourceAnswered("s", "d", "skipped", error="is off.", asked=False)
LEFT_ALONE = SourceAnswered("s", "e", "failed", error="left alone.", asked=False)


@each(
    ("events", "outcome"),
    [
        ((OK,), "answered"),
        ((OK, EMPTY, SKIPPED), "answered"),
        ((EMPTY,), "empty"),
        ((FAILED,), "failed"),
        ((FAILED, SKIPPED), "failed"),
        ((FAILED, LEFT_ALONE), "failed"),
        ((OK, FAILED), "partial"),
        ((SourceAnswered("s", "a", "partial", 2, error="cut short."),), "partial"),
        ((SKIPPED,), "not asked"),
        ((LEFT_ALONE,), "not asked"),
        ((QueryPlanned("s", "a"),), "waiting"),
    ],
)
def test_each_way_of_a_source_has_its_own_outcome(events: tuple[RunEvent, ...], outcome: Outcome) -> None:
    findings = Findings()
    for event in events:
        findings = findings.apply(event)
    assert outcome_of(findings.sources.get("s")) == outcome


@each(
    ("events", "reason"),
    [
        ((FAILED, LEFT_ALONE), "is down."),
        ((LEFT_ALONE, FAILED), "is down."),
        ((LEFT_ALONE,), "left alone."),
        ((OK, LEFT_ALONE), "left alone."),
    ],
)
def test_a_source_that_failed_is_known_by_its_fault_and_not_by_the_rest_that_followed(
    events: tuple[RunEvent, ...], reason: str
) -> None:
    findings = Findings()
    for event in events:
        findings = findings.apply(event)
    assert findings.sources["s"].error == reason


def test_what_an_earlier_version_kept_of_a_source_left_out_means_the_same() -> None:
    assert outcome_of(tally_of(SourceAnswered("s", "a", "skipped", error="was not asked: it does not suit."))) == (
        "not asked"
    )


def test_a_source_without_its_key_was_not_asked() -> None:
    closed = ClosedSource(SOURCES["google"])
    assert outcome_of(searched(shelf(closed), ONCE).state.sources["google"]) == "not asked"


def test_a_source_that_was_left_alone_was_not_asked() -> None:
    error = RateLimited("openalex", "left alone until tomorrow.")
    error.request_sent = False
    found = searched(shelf(ScriptedSource("openalex", error=error), Library(made_up(3), "pubmed")), ONCE)
    assert {name: outcome_of(tally) for name, tally in found.state.sources.items()} == {
        "openalex": "not asked", "pubmed": "answered",
    }  # fmt: skip
    assert "openalex" in found.state.failed_sources  # nobody asked it, and the person has to know


def test_each_query_to_a_source_has_an_outcome_of_its_own() -> None:
    findings = Findings()
    for event in (OK, EMPTY, FAILED, SKIPPED, LEFT_ALONE):
        findings = findings.apply(event)
    outcomes = [outcome_of(tally_of(findings.answered.get(("s", query)))) for query in "abcdef"]
    assert outcomes == ["answered", "empty", "failed", "not asked", "not asked", "waiting"]
