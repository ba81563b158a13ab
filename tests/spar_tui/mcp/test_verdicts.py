"""A search answers other programs with the verdicts that it answers the command line with, and in its words."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from spar_tui.mcp.answers import PAPER, filled
from tests.services import Fault, Services
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.mcp.world import sdk_client

VERDICT = ("score", "relevance", "reason", "proven", "quote", "page", "judged_by", "found_by")


def searched(home: Path, question: str, *flags: str, more: dict[str, str] | None = None) -> Any:
    """What a client gets for a question."""

    async def scene() -> Any:
        async with sdk_client("here", home, "--no-model", *flags, more=more) as client:
            result = await client.call_tool("search_sources", {"question": question})
            assert not result.is_error, result.content
            return result

    return asyncio.run(scene())


def test_each_paper_has_the_verdict_that_json_has(tmp_path: Path) -> None:
    with Services(rules=False) as services:
        found = searched(tmp_path, "sparse retrieval of passages", more=services.environment).structured_content
    printed = answer(tmp_path, "search", "--resume", found["run"], "--offline", "--no-model")
    assert found["papers"]
    for one, told in zip(found["papers"], printed["papers"], strict=True):
        assert {name: one.get(name) for name in VERDICT} == {name: filled(told[name]) or None for name in VERDICT}
        assert (one["rank"], one["id"]) == (told["rank"], told["id"])
    assert any(one.get("quote") for one in found["papers"])
    assert found["facts"]["relevant"] == printed["counts"]["kept"]


def test_the_text_has_a_short_line_for_each_paper_with_its_verdict(tmp_path: Path) -> None:
    result = searched(tmp_path, "variational autoencoders", "--offline")
    papers = result.structured_content["papers"]
    (text,) = (one.text for one in result.content)
    lines = [line for line in text.splitlines() if line.partition(".")[0].isdecimal()]
    assert len(lines) == len(papers)
    for one, line in zip(papers, lines, strict=True):
        assert len(line) <= PAPER
        assert line.startswith(f"{one['rank']}. {one['name']} ")
        assert f"relevance {one['relevance']:.2f}" in line
    assert f"({result.structured_content['facts']['relevant']} judged relevant):" in text
    assert "no relevant paper found" not in text


def test_a_question_that_no_paper_is_about_is_answered_in_the_words_of_the_command_line(tmp_path: Path) -> None:
    question = "does coffee reduce sleep quality?"
    result = searched(tmp_path, question, "--offline")
    printed = spar(tmp_path, "search", "--resume", "last", "--offline").stderr
    said = result.content[0].text.splitlines()[0]
    assert said.startswith("no relevant paper found; listed are the closest matches.")
    assert f"spar: {said}" in printed.splitlines()
    assert said in result.structured_content["notes"]
    assert "No relevant paper found. Closest matches:" in result.content[0].text


def test_a_source_is_named_under_one_outcome_alone(tmp_path: Path) -> None:
    with Services(faults=[Fault("400", service="openalex")], rules=False) as services:
        result = searched(tmp_path, "sparse retrieval of passages", more=services.environment)
    facts = result.structured_content["facts"]
    outcomes = {name: facts.get(name, []) for name in ("answered", "answered_in_part", "failed")}
    assert [name for name, sources in outcomes.items() if "openalex" in sources] == ["failed"]
    assert sorted(name for sources in outcomes.values() for name in sources) == sorted(facts["asked"])
    assert "failed: openalex" in result.content[0].text
