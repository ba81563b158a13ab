"""What other programs see of the tools: names, descriptions and arguments that need no docs, in few tokens."""

import asyncio
import json
import re
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from mcp.types import Tool as Listed

from agents.tools.candidates import FILTER, LIST, RANK, UNDO
from cache.conditions.scopes import LIBRARY
from cache.sql.views import OPEN
from spar_tui.interface import TextInterface
from spar_tui.mcp.offered import input_schema, listed, listed_next_page, offered, unpacked
from tests.rows import each
from tests.spar_tui.mcp.world import sdk_client

FACE = TextInterface().tools
ALL = offered(FACE, changes=True)
LISTED = [*map(listed, ALL.values()), listed_next_page()]
MOST_TOKENS = 5_000
"""An agent pays for the list of tools before it has asked anything. A token is taken for four characters."""


def test_the_whole_list_of_tools_costs_an_agent_few_tokens(tmp_path: Path) -> None:
    async def size() -> int:
        async with sdk_client("here", tmp_path, "--offline", "--allow-changes") as client:
            return len((await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True))

    assert asyncio.run(size()) / 4 <= MOST_TOKENS


@each("tool", LISTED, ids=lambda tool: tool.name)
def test_a_tool_says_what_it_does_with_an_example_that_its_schema_takes(tool: Listed) -> None:
    schema, text = tool.input_schema, tool.description or ""
    said, example = text.split(" Example: ")
    assert said.endswith(".")
    given = json.loads(example)
    assert given.keys() <= schema["properties"].keys()
    assert given.keys() >= set(schema.get("required", ()))
    for name, value in given.items():
        assert value in schema["properties"][name].get("enum", [value])


@each("tool", LISTED, ids=lambda tool: tool.name)
def test_every_argument_is_described(tool: Listed) -> None:
    schema = tool.input_schema
    assert [name for name, one in schema["properties"].items() if not one.get("description")] == []
    assert schema["additionalProperties"] is False


@each("name", list(ALL))
def test_an_example_is_read_by_the_tool_itself(name: str) -> None:
    ALL[name].tool.read(ALL[name].row.example)


def test_tools_that_need_an_earlier_turn_are_not_offered_and_names_say_what_they_do() -> None:
    assert not ALL.keys() & {tool.name for tool in (UNDO, LIST, FILTER, RANK)}
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", tool.name) for tool in LISTED)


def test_the_conditions_of_a_library_search_are_those_of_the_table() -> None:
    told = input_schema(ALL["search_library"])["properties"]["where"]["description"]
    assert [row.word for row in LIBRARY.conditions.values() if row.type and row.meaning not in told] == []
    assert [field for field in LIBRARY.fields if f"{field}:" not in told] == []


def test_the_columns_of_views_are_named() -> None:
    told = listed(ALL["query_library_sql"]).description or ""
    for view in OPEN:
        assert f"{view.name}({', '.join(column.name for column in view.columns)})" in told


def test_nothing_that_changes_what_the_person_keeps_is_offered_unless_they_allow_it() -> None:
    assert ALL.keys() - offered(FACE, False).keys() == {name for name, row in ALL.items() if row.tool.changes}
    assert "save_papers" in ALL


def test_a_tool_is_called_read_only_only_if_it_writes_nothing_and_asks_nobody() -> None:
    for name, row in ALL.items():
        hints = listed(row).annotations
        assert hints is not None
        changes, asks = row.tool.changes, row.tool.asks
        assert hints.read_only_hint == (not changes and not asks and name != "export_bibliography"), name
        assert hints.open_world_hint == asks
        assert not (hints.destructive_hint and not changes)


@each("name", ["remove_saved_papers", "tag_papers", "write_note", "mark_papers"])
def test_what_can_lose_something_that_the_person_wrote_says_so(name: str) -> None:
    hints = listed(ALL[name]).annotations
    assert hints is not None
    assert hints.destructive_hint


@each("name", list(ALL))
def test_no_schema_offers_what_was_shown_before_for_there_is_no_before(name: str) -> None:
    schema = input_schema(ALL[name])
    assert "@shown" not in str(schema)
    if "papers" in ALL[name].tool.arguments.model_fields and ALL[name].tool.changes:
        assert "papers" in schema["required"]


def test_a_list_that_a_client_writes_as_text_is_a_list_and_a_text_stays_one() -> None:
    schema = input_schema(ALL["export_bibliography"])
    assert unpacked({"papers": '["#1", "#2"]', "format": "ris"}, schema) == {"papers": ["#1", "#2"], "format": "ris"}
    assert unpacked({"papers": "#1"}, schema) == {"papers": ["#1"]}
    assert unpacked({"question": '["x"]'}, input_schema(ALL["search_sources"])) == {"question": '["x"]'}
    assert unpacked({"papers": "[not json"}, schema) == {"papers": "[not json"}


def test_the_next_page_is_asked_for_by_a_tool_that_only_reads() -> None:
    hints = listed_next_page().annotations
    assert hints is not None
    assert hints.read_only_hint
