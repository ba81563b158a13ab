"""The page on other programs names what is there, and the numbers that hold."""

import json
import re

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from spar_tui.cli.verbs.servers import mcp
from spar_tui.interface import TextInterface
from spar_tui.mcp.answers import LARGEST_PAGE, NEXT_PAGE, PAPER
from spar_tui.mcp.offered import input_schema, offered
from spar_tui.mcp.resources import PAGE, TEMPLATES
from tests.spar_tui.mcp.test_offered import MOST_TOKENS
from tests.spar_tui.mcp.world import ROOT

TEXT = (ROOT / "docs" / "mcp.md").read_text("utf-8")
WORDS = " ".join(TEXT.split())
TOOLS = offered(TextInterface().tools, changes=True)


def rows() -> dict[str, str]:
    """The rows of the table of tools, each tool with what is said of it."""
    found = re.findall(r"^\| ((?:`\w+` ?)+)\| (.+) \|$", TEXT, re.MULTILINE)
    return {name: said for names, said in found for name in re.findall(r"`(\w+)`", names)}


def test_every_tool_stands_in_the_table_and_no_other() -> None:
    assert rows().keys() == {*TOOLS, NEXT_PAGE}


def test_those_that_change_something_are_said_to_need_leave() -> None:
    assert {name for name, said in rows().items() if "--allow-changes" in said} == {
        name for name, row in TOOLS.items() if row.tool.changes
    }


def test_those_that_may_ask_sources_or_a_model_are_named() -> None:
    said = re.search(r"Only these tools contact sources or the language model, with your settings: (.+?)\. - ", WORDS)
    assert said
    assert set(re.findall(r"`(\w+)`", said[1])) == {name for name, row in TOOLS.items() if row.tool.asks}


def test_those_that_choose_among_papers_are_named() -> None:
    said = re.search(r"Calls share no state: (.+?) searches the papers", WORDS)
    assert said
    assert set(re.findall(r"`(\w+)`", said[1])) == {
        name for name, row in TOOLS.items() if "among" in input_schema(row)["properties"]
    }


def test_the_numbers_that_hold_are_told() -> None:
    assert f"at most {PAPER} characters for each paper" in WORDS
    assert f"fewer than {MOST_TOKENS:,} tokens" in WORDS


def test_resources_and_pages_are_as_they_are_told() -> None:
    assert len(TEMPLATES) == len(re.findall(r"^\| `spar://", TEXT, re.MULTILINE))
    assert f"{PAGE} at a time" in WORDS
    assert f"up to {LARGEST_PAGE} papers at a time (`limit`)" in WORDS


def test_the_lines_for_other_programs_are_json_that_starts_the_server() -> None:
    blocks = re.findall(r"```json\n(.+?)```", (ROOT / "docs/mcp.md").read_text("utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        (servers,) = json.loads(block).values()
        assert (servers["spar"]["command"], servers["spar"]["args"]) == ("spar", [mcp.__name__])
