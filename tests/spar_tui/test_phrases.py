"""What app and command line say alike: each sentence holds in the state in which it is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.run.events import FoundBy, PaperFound, QueryPlanned, SourceAnswered, Spent, Warned
from agents.run.findings import TOOK_OVER, Findings, outcome_of, tallied, tally_of
from agents.search.events import Finished, PaperJudged, PapersRanked, Ranked
from agents.search.state import SearchState
from agents.search.verdicts import IN_WORDS
from connectors.paper import WorkId
from spar_tui.phrases import cost_lines, quotation, why_text
from spar_tui.source_phrases import failed_sources_text, nothing_found, source_count, source_text, troubles
from spar_tui.tui.models.search_rows import row
from spar_tui.tui.models.search_trail import trail
from spar_tui.tui.widgets.paper_list import row_text
from spar_tui.tui.widgets.paper_page import InSearch, page
from spar_tui.tui.widgets.status_lines import cost_told, sources_line
from tests.agents.scripted import paper
from tests.rows import each
from tests.services import Services
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui import overlap_model
from tests.spar_tui.in_process import spar

CLAIM = "Smith et al. proved it."
MARK = "not proven by the paper"
WORK = WorkId(1)
PAPER = paper("Sparse retrieval of passages", "10.1000/s", abstract="It works well.")


def judged(**more: Any) -> SearchState:
    """A search of one paper, which was judged."""
    state = SearchState().apply(PaperFound(WORK, PAPER, FoundBy("openalex", "q", 1)))
    return state.apply(PaperJudged(WORK, 0.8, CLAIM, **more))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a search in which a model has judged papers without a word of theirs to prove it."""

    def judge(request: ModelRequest) -> dict[str, Any]:
        return {**overlap_model.judge(request), "reason": CLAIM, "quote": "words that stand nowhere"}

    home = tmp_path_factory.mktemp("home")
    script = by_prompt({**overlap_model.SCRIPTS, "judge": judge})
    with Services() as services, ScriptedModel(script) as model:
        more = {**services.environment, **model.environment}
        ran = spar(
            home, "search", "dense retrieval", "--source", "openalex", "--limit", "8", "--calls", "150", more=more
        )
    assert ran.returncode == 0, ran.stderr
    return home


@pytest.mark.parametrize("arguments", [("search", "--resume", "last"), ("log",)], ids=["the list", "the search log"])
def test_a_reason_whose_quote_stands_nowhere_is_marked_wherever_it_is_printed(
    arguments: tuple[str, ...], home: Path
) -> None:
    printed = spar(home, *arguments).stdout.replace("\\", "")
    assert CLAIM in printed
    assert printed.count(CLAIM) == printed.replace("Not proven", "not proven").count(f"{MARK}: {CLAIM}")


def test_json_tells_that_such_a_reason_is_not_proven(home: Path) -> None:
    listed = json.loads(spar(home, "search", "--resume", "last", "--json").stdout)["papers"]
    log = json.loads(spar(home, "log", "--json").stdout)
    lines = map(json.loads, spar(home, "search", "--resume", "last", "--jsonl").stdout.splitlines())
    events = [line for line in lines if line["event"] == "PaperJudged"]
    for one in (*listed, *log["included"], *log["excluded"], *events):
        by_the_model = one.get("reason") in {CLAIM, *IN_WORDS}
        assert one.get("proven") == (None if not one.get("reason") else not by_the_model)
    assert {one["proven"] for one in listed} == {False}


def test_the_apps_page_marks_it_too_and_its_list_does_not_repeat_it() -> None:
    state = judged(by="model")
    assert CLAIM not in row_text(row(state, WORK), 200).plain
    assert f"{MARK.capitalize()}: {CLAIM}" in page(PAPER, InSearch(state, WORK)).plain


@each("more", [{"by": "model", "quote": "It works well."}, {"by": "built-in"}])
def test_a_reason_with_a_quote_or_by_a_rule_bears_no_mark(more: dict[str, str]) -> None:
    state = judged(**more)
    told = page(PAPER, InSearch(state, WORK)).plain
    assert CLAIM in told
    assert MARK not in told.lower()


@each(
    ("answer", "text", "count"),
    [
        (SourceAnswered("s", "q", "ok", 3), "answered with 3 records", "3"),
        (SourceAnswered("s", "q", "ok", 0), "answered with no records", "0"),
        (
            SourceAnswered("s", "q", "partial", 2, error="cut short."),
            "answered in part, with 2 records (cut short)",
            "2 in part",
        ),
        (SourceAnswered("s", "q", "failed", error="is down."), "failed (is down)", "failed"),
        (SourceAnswered("s", "q", "failed", error="is down (HTTP 500)."), "failed (is down, HTTP 500)", "failed"),
        (
            SourceAnswered("s", "q", "stopped", error="was stopped before it answered."),
            "was stopped before it answered",
            "stopped",
        ),
        (SourceAnswered("s", "q", "skipped", error="is off."), "was not asked (is off)", "not asked"),
        (
            SourceAnswered("s", "q", "failed", error="left alone until noon.", asked=False),
            "was not asked (left alone until noon)",
            "not asked",
        ),
        (None, "has not answered", "not answered"),
    ],
    ids=[
        "answered",
        "empty",
        "partial",
        "failed",
        "failed with brackets",
        "stopped",
        "skipped",
        "left alone",
        "waiting",
    ],
)
def test_each_outcome_of_a_source_has_its_own_sentence_on_screens_and_in_reports(
    answer: SourceAnswered | None, text: str, count: str
) -> None:
    tally = tally_of(answer)
    assert (source_text(tally), source_count(tally)) == (text, count)
    events: list[Any] = [QueryPlanned("s", "q"), *([answer] if answer else []), Finished()]
    state = SearchState()
    for event in events:
        state = state.apply(event)
    assert sources_line(state, 80, over=True).plain.strip("✘~ ") == f"s {count}"
    said = outcome_of(tally) in ("failed", "stopped", "not asked")  # the trail has room for the reason
    assert trail(state)[0].children[0].note == (text if said else count)


def test_a_source_stopped_after_some_answers_is_not_said_to_have_given_none() -> None:
    findings = Findings()
    for event in (
        SourceAnswered("a", "q", "ok", 3),
        SourceAnswered("a", "r", "stopped", error="was stopped before it answered."),
        SourceAnswered("b", "q", "stopped", error="was stopped before it answered."),
    ):
        findings = findings.apply(event)
    assert troubles(findings) == ["Stopped before b answered.", "Stopped before a answered all queries."]


def test_what_failed_is_told_before_what_failed_in_part_and_what_came_of_it_before_why() -> None:
    events: list[Any] = [
        Warned("Only English is read."),
        SourceAnswered("a", "q", "partial", 2, error="cut short."),
        SourceAnswered("b", "q", "failed", error="is down."),
        SourceAnswered("c", "q", "failed", error="did not answer."),
        SourceAnswered("d", "q", "failed", error="left alone until noon.", asked=False),
        SourceAnswered("e", "q", "ok", 3),
        SourceAnswered("f", "q", "skipped", error="is off."),
        Warned(f"The model is down. {TOOK_OVER}"),
    ]
    findings = Findings()
    for event in events:
        findings = findings.apply(event)
    assert findings.troubled
    assert troubles(findings) == [
        f"{TOOK_OVER} The model is down.",
        "b and c failed (is down; did not answer).",
        "a answered in part, with 2 records (cut short).",
        "d was not asked (left alone until noon).",
        "Only English is read.",
    ]
    only_told = Findings().apply(events[0]).apply(events[5]).apply(events[6])
    assert not only_told.troubled  # a remark, an empty answer and a source left out are no failures
    assert troubles(only_told) == ["Only English is read."]


def test_advice_that_holds_for_all_sources_that_failed_is_said_once() -> None:
    findings = Findings()
    for name in "ab":
        error = f"cannot be reached at {name}.org; is this machine online?"
        findings = findings.apply(SourceAnswered(name, "q", "failed", error=error))
    assert troubles(findings) == [
        "a and b failed; is this machine online? (cannot be reached at a.org; cannot be reached at b.org)."
    ]


@each("reason", ["has no key", "did not answer in time", "cannot be reached at a.org"])
def test_a_reason_that_sources_share_is_said_once(reason: str) -> None:
    text = failed_sources_text(dict.fromkeys("abc", f"{reason}; try again later."))
    assert text == f"a, b and c failed; try again later ({reason})."


def test_a_query_that_failed_is_not_shown_as_one_that_found_nothing() -> None:
    """Though the source has answered another one."""
    events: list[Any] = [QueryPlanned("s", query) for query in "ab"]
    events += [SourceAnswered("s", "a", "ok", 0), SourceAnswered("s", "b", "failed", error="is down.")]
    state = SearchState()
    for event in events:
        state = state.apply(event)
    assert [query.children[0].note for query in trail(state)] == ["0", "failed (is down)"]


@each(
    ("outcomes", "said"),
    [
        ("ok", "no papers found"),
        ("ok failed", "no papers found by the sources that answered"),
        ("ok skipped", "no papers found"),
        ("failed skipped", "no papers found, because no source answered"),
        ("", "no papers found"),
    ],
)
def test_that_nothing_was_found_is_said_of_those_who_answered(outcomes: str, said: str) -> None:
    states: list[Any] = outcomes.split()
    tallies = {str(place): tallied(None, SourceAnswered("s", "q", state)) for place, state in enumerate(states)}
    assert nothing_found(tallies) == said


def test_the_library_is_no_source_that_answered() -> None:
    here, down = SourceAnswered("library", "q", "ok"), SourceAnswered("s", "q", "failed", error="is down.")
    assert nothing_found({"library": tallied(None, here)}) == "no papers found"
    assert nothing_found({"library": tallied(None, here), "s": tallied(None, down)}).endswith(
        "because no source answered"
    )


TOLD = Spent("judge", 1, 900, 100, 0.0123, usd_estimated=False)
BY_PRICE = Spent("judge", 1, 900, 100, 0.0123)


@each(
    ("spent", "lines", "in_the_app"),
    [
        ((), [], "0:05"),
        (
            (Spent("judge", 2, 1000, 200),),
            ["model: 2 calls, 1,000 tokens in, 200 out, cost unknown"],
            "0:05 · 1k tokens · cost unknown",
        ),
        ((TOLD,), ["model: 1 call, 900 tokens in, 100 out, 0.0123 USD"], None),
        ((BY_PRICE,), ["model: 1 call, 900 tokens in, 100 out, 0.0123 USD (estimate)"], None),
        ((TOLD, BY_PRICE), ["model: 2 calls, 1,800 tokens in, 200 out, 0.0246 USD (estimate)"], None),
        (
            (Spent("judge", 1, 900, 100, 0.01, tokens_estimated=True),),
            ["model: 1 call, about 900 tokens in, about 100 out, 0.0100 USD (estimate)"],
            "0:05 · about 1k tokens · 0.0100 USD (estimate)",
        ),
        (
            (Spent("judge", 1, 900, 100, 0.00001, usd_estimated=False),),
            ["model: 1 call, 900 tokens in, 100 out, under 0.0001 USD"],
            None,
        ),
        (
            (Spent("judge", 1, 900, 100, 0.0),),
            ["model: 1 call, 900 tokens in, 100 out, free"],
            "0:05 · 1k tokens · free",
        ),
        (
            (Spent("judge", 1, 900, 100, 0.5), Spent("write", 1, 10, 10)),
            ["model: 2 calls, 910 tokens in, 110 out, cost unknown"],
            None,
        ),
        ((Spent("judge", 1, usd=0.0),), ["model: 1 call, 0 tokens in, 0 out"], "0:05"),
        ((Spent("judge", usd=0.0, remembered=3),), ["model: 3 stored answers, free"], "0:05"),
        (
            (Spent("judge", usd=0.0, remembered=1), Spent("write", 1, 900, 100)),
            ["model: 1 call and 1 stored answer, 900 tokens in, 100 out, cost unknown"],
            None,
        ),
    ],
    ids=[
        "nobody",
        "unknown",
        "known",
        "by prices",
        "in part by prices",
        "not counted",
        "little",
        "free",
        "known in part",
        "refused",
        "remembered",
        "both",
    ],
)
def test_what_the_model_cost_is_said_as_far_as_it_is_known(
    spent: tuple[Spent, ...], lines: list[str], in_the_app: str | None
) -> None:
    findings = Findings()
    for step in spent:
        findings = findings.apply(step)
    assert cost_lines(findings.cost) == lines
    shown = " · ".join(cost_told(findings, 5.0))
    assert in_the_app in (None, shown)
    assert "$0.00" not in shown


def test_a_score_that_was_lowered_is_not_said_to_have_had_a_quote() -> None:
    assert (
        "No exact quote from the paper supports"
        in page(PAPER, InSearch(judged(by="model", unsupported=True), WORK)).plain
    )


def test_a_models_word_for_the_place_of_a_paper_is_marked_and_the_rules_is_not() -> None:
    by_rule = Ranked(WorkId(2), 0.6, 0.6, "up 1: newer (2020)")
    state = judged().apply(PapersRanked((Ranked(WORK, 0.8, 0.8), by_rule)))
    by_model = Ranked(WORK, 0.9, 0.8, f"same place: {CLAIM}")
    state = state.apply(PapersRanked((by_model, by_rule), "model"))
    assert state.moved_by_model == {WORK}
    assert why_text(by_model, True) == f"same place, {MARK}: {CLAIM}"
    assert why_text(by_rule, False) == by_rule.why


def test_a_quote_that_is_from_a_page_is_told_with_the_page() -> None:
    assert quotation("It works well.") == "“It works well.”"
    assert quotation("It works well.", 1204) == "“It works well.” (p. 1,204)"


def test_the_apps_page_tells_on_which_page_of_the_pdf_a_quote_stands() -> None:
    state = judged(by="model", quote="It works well.", page=4)
    assert "“It works well.” (p. 4)" in page(PAPER, InSearch(state, WORK)).plain
