"""How a run that a tool began gets on is told by what happened, and by nothing that did not."""

import asyncio

import pytest

from agents.run.resources import Resources
from agents.tools.table import by_name
from agents.tools.tool import ToolContext, ToolError, ToolResult
from cache import papers, runs
from cache.local_source import Library
from cache.store import Store
from cache.timestamps import utc_now
from connectors.errors import NotConfigured, SourceUnavailable
from spar_tui.interface import TextInterface
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import made_up


def searched(store: Store, *live: ScriptedSource) -> tuple[ToolResult, list[str]]:
    told: list[str] = []
    resources = Resources(live={source.name: source for source in live})
    context = ToolContext(store, resources, utc_now(), tell=told.append)
    return asyncio.run(by_name()["search"].run({"question": "sparse retrieval of passages"}, context)), told


def test_a_search_tells_what_it_has_and_who_has_answered(store: Store) -> None:
    result, told = searched(store, ScriptedSource("arxiv", made_up(30), seconds=0.5))
    assert told[0] == f"Started the search {result.run}."
    assert not any("answered" in sentence for sentence in told[:2])
    assert any("30 identified" in sentence and "answered: arxiv" in sentence for sentence in told)


def test_a_source_that_failed_is_never_told_as_one_that_answered(store: Store) -> None:
    broken = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is down."))
    _, told = searched(store, ScriptedSource("arxiv", made_up(30), seconds=0.5), broken)
    assert any("failed: openalex" in sentence for sentence in told)
    assert not any("openalex" in sentence.partition("answered:")[2].partition(";")[0] for sentence in told)


def test_a_source_that_answered_in_part_is_named_as_that_alone(store: Store) -> None:
    empty = ScriptedSource("semanticscholar", [])
    broken = ScriptedSource("openalex", error=SourceUnavailable("openalex", "is down."))
    result, _ = searched(store, ScriptedSource("arxiv", made_up(30), partial=True), empty, broken)
    outcomes = [result.values[name] for name in ("answered", "answered_in_part", "failed")]
    assert outcomes == [["semanticscholar"], ["arxiv"], ["openalex"]]
    assert sorted(result.values["asked"]) == ["arxiv", "openalex", "semanticscholar"]


def test_a_source_that_does_not_suit_the_question_is_named(store: Store) -> None:
    result, _ = searched(store, ScriptedSource("arxiv", made_up(3)), ScriptedSource("pubmed", made_up(3)))
    assert (result.values["asked"], result.values["not_asked"]) == (["arxiv"], ["pubmed"])


def test_a_source_that_was_at_hand_but_never_asked_is_not_said_to_have_been(store: Store) -> None:
    off = ScriptedSource("google", error=NotConfigured("google", "is off."))
    result, _ = searched(store, ScriptedSource("arxiv", made_up(30)), off)
    assert result.values["asked"] == ["arxiv"]


def test_a_summary_of_no_papers_is_not_kept_as_a_run(store: Store) -> None:
    context = ToolContext(store, Resources(live={"arxiv": ScriptedSource("arxiv", [])}), utc_now())
    result = asyncio.run(by_name()["summarize"].run({"topic": "depth"}, context))
    assert (result.papers, result.text, result.run) == (None, "", None)
    assert runs.recent(store) == []


def test_a_run_that_a_tool_begins_waits_for_sources_as_long_as_the_person_wants(store: Store) -> None:
    resources = Resources(live={"arxiv": ScriptedSource("arxiv", made_up(30))}, source_seconds=2.5)
    context = ToolContext(store, resources, utc_now())
    asyncio.run(by_name()["search"].run({"question": "sparse retrieval of passages"}, context))
    (run,) = runs.recent(store)
    assert run.parameters["source_seconds"] == 2.5


def test_a_search_that_is_left_in_the_middle_is_kept_as_one_that_was_cut_off(store: Store) -> None:
    async def scene() -> None:
        begun = asyncio.Event()
        source = ScriptedSource("arxiv", made_up(30), seconds=600)
        context = ToolContext(store, Resources(live={"arxiv": source}), utc_now(), tell=lambda sentence: begun.set())
        search = asyncio.create_task(by_name()["search"].run({"question": "sparse retrieval"}, context))
        await begun.wait()
        await asyncio.sleep(0)
        search.cancel()
        await asyncio.wait([search])

    asyncio.run(scene())
    (run,) = runs.recent(store)
    assert run.state == "interrupted"


def asked(store: Store, **given: object) -> ToolResult:
    resources = Resources(live={"arxiv": ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "is down."))},
                          local={"library": Library(store)})  # fmt: skip
    context = ToolContext(store, resources, utc_now(), interface=TextInterface())
    question = {"question": "do statins raise the risk of diabetes?"}
    return asyncio.run(by_name()["ask_papers"].run({**question, **given}, context))


def test_a_question_is_answered_from_the_library_or_from_the_papers_named_and_no_source_is_asked(store: Store) -> None:
    told = "Statins raised the risk of diabetes by 9%."
    trial, other = paper("A trial", "10.1000/a", abstract=told), paper("Statins", "10.1000/b", abstract="Too costly.")
    papers.remember(store, [trial, other])
    assert told in asked(store).text
    assert told in asked(store, papers=["10.1000/a"]).text
    silent = (
        "Judged by words alone, no sentence of this paper bears on the question.\n\nThe whole abstract: “Too costly.”\n"
    )
    assert asked(store, papers=["10.1000/b"]).text == silent
    assert [(run.kind, run.state) for run in runs.recent(store)] == [("answer", "finished")] * 3
    assert asked(store).values["asked"] == []


def test_papers_are_named_in_one_way(store: Store) -> None:
    with pytest.raises(ToolError, match="Give one of papers, tag and run, not tag and run"):
        asked(store, tag="a", run="last")
