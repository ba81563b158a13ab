"""The library is searched by one line of conditions; papers can be like others, and in any order."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from agents.run.resources import Resources
from agents.tools import shelf_actions
from agents.tools.tool import ToolContext, ToolError, ToolResult
from cache import papers
from cache.store import PaperId, Store
from cache.timestamps import utc_now
from spar_tui.mcp.library_tools import SEARCH_LIBRARY, SORTS
from tests.agents.scripted import paper
from tests.library import copied

FISH = [
    paper("Eels of rivers", "doi:10.1000/f1", author="Ann Lee", date="2021", citation_count=3,
          abstract="Eels migrate from rivers to the sea."),
    paper("Eels of lakes", "doi:10.1000/f2", author="Bo Lee", date="2022-05", citation_count=None,
          abstract="Eels of lakes migrate, too; many eels do."),
    paper("Birds of lakes", "doi:10.1000/f3", author="Cy Roe", date="2023", citation_count=9,
          abstract="Birds nest at lakes and eat fish."),
]  # fmt: skip


@pytest.fixture
def context(tmp_path: Path) -> Iterator[ToolContext]:
    with Store.open(copied(tmp_path / "library.db")) as store:
        papers.remember(store, FISH)
        shelf_actions.save(store, FISH[:1], ["fish"])
        yield ToolContext(store, Resources(live={}), utc_now())


def found(context: ToolContext, **given: Any) -> ToolResult:
    return asyncio.run(SEARCH_LIBRARY.run(given, context))


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ("", [3, 2, 1]),
        ("eels", [1, 2]),
        ("author:lee year:2020..2021 tag:fish", [1]),
        ("is:saved", [1]),
        ("-is:saved", [3, 2]),
        ('"eat fish"', [3]),
        ("cited:5..", [3]),
    ],
)
def test_every_condition_of_the_filter_language_holds(context: ToolContext, where: str, numbers: list[int]) -> None:
    result = found(context, where=where).papers
    assert result is not None
    assert sorted(result) == sorted(numbers)


def test_the_last_found_come_first_unless_words_or_an_order_say_otherwise(context: ToolContext) -> None:
    assert found(context).papers == (3, 2, 1)
    assert found(context, reverse=True).papers == (1, 2, 3)
    nearest = found(context, where="eels").papers
    assert nearest is not None
    assert found(context, where="eels", reverse=True).papers == nearest[::-1]


def test_papers_without_a_value_come_last_in_both_directions_and_that_is_said(context: ToolContext) -> None:
    most, fewest = found(context, sort="citations"), found(context, sort="citations", reverse=True)
    assert (most.papers, fewest.papers) == ((3, 1, 2), (1, 3, 2))
    assert "no known number of citations" in most.notes[0]


@pytest.mark.parametrize("order", SORTS)
def test_every_order_that_is_offered_keeps_all_papers(context: ToolContext, order: str) -> None:
    assert sorted(found(context, sort=order).papers or ()) == [1, 2, 3]


def test_papers_like_others_are_found_among_those_that_meet_the_conditions(context: ToolContext) -> None:
    assert (found(context, like=["#1"]).papers or ())[0] == 2
    assert found(context, where="author:roe", like=["#1"]).papers in ((), (3,))


def test_only_the_papers_that_are_named_are_searched(context: ToolContext) -> None:
    among = replace(context, candidates=(PaperId(2), PaperId(3)))
    assert found(among, where="lakes author:lee").papers == (2,)


def test_a_date_that_is_known_less_closely_than_it_is_asked_for_is_said(context: ToolContext) -> None:
    assert "may be outside these dates" in found(context, where="year:2022-05-10..2022-06").notes[0]


def test_where_nothing_is_found_the_answer_says_what_may_help(context: ToolContext) -> None:
    result = found(context, where="whales")
    assert result.papers == ()
    assert "search_sources to ask sources" in result.notes[0]


@pytest.mark.parametrize("where", ["colour:red", "year:soon", "is:blue", '""'])
def test_conditions_that_cannot_be_read_are_refused_and_never_left_out(context: ToolContext, where: str) -> None:
    with pytest.raises(ToolError, match="`where` cannot be read"):
        found(context, where=f"eels {where}")
