"""What other programs see of the tools: schemas that say what is taken, and hints that say what is so."""

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from agents.tools.table import by_name
from spar_tui.face import TextFace
from spar_tui.mcp.answers import PaperAnswer
from spar_tui.mcp.offered import LEFT_OUT, input_schema, listed, listed_more, offered, unpacked
from spar_tui.reports.json_objects import paper_object
from tests.spar_tui.mcp.world import BIRDS

FACE = TextFace().tools
TABLE = by_name(FACE)
ALL = offered(FACE, changes=True)


def test_every_tool_of_the_table_is_offered_but_those_of_a_conversation() -> None:
    assert ALL.keys() == TABLE.keys() - LEFT_OUT


def test_nothing_that_changes_what_the_person_keeps_is_offered_unless_they_allow_it() -> None:
    reading = offered(FACE, changes=False)
    assert {name for name in ALL if name not in reading} == {name for name, tool in TABLE.items() if tool.changes}
    assert "save" in ALL


def test_a_tool_is_called_read_only_only_if_it_writes_nothing_and_asks_nobody() -> None:
    for tool in ALL.values():
        hints = listed(tool).annotations
        assert hints is not None
        assert hints.read_only_hint == (not tool.changes and not tool.asks and tool.name != "export"), tool.name
        assert hints.open_world_hint == tool.asks
        assert not (hints.destructive_hint and not tool.changes)


@pytest.mark.parametrize("name", ["unsave", "tag", "note", "mark"])
def test_what_can_lose_something_that_the_person_wrote_says_so(name: str) -> None:
    hints = listed(ALL[name]).annotations
    assert hints is not None
    assert hints.destructive_hint


@pytest.mark.parametrize("name", list(ALL))
def test_no_schema_offers_what_was_shown_before_for_there_is_no_before(name: str) -> None:
    schema = input_schema(ALL[name])
    assert "@shown" not in str(schema)
    assert schema["additionalProperties"] is False
    if "papers" in ALL[name].arguments.model_fields and ALL[name].changes:
        assert "papers" in schema["required"]


def test_what_chooses_among_candidates_takes_them_by_name_and_nothing_else_does() -> None:
    taking = {name for name, tool in ALL.items() if "among" in input_schema(tool)["properties"]}
    assert taking == {name for name, tool in ALL.items() if tool.narrows}
    assert taking >= {"filter", "resemble", "rank"}


def test_a_list_that_a_client_writes_as_text_is_a_list_and_a_text_stays_one() -> None:
    schema = input_schema(ALL["filter"])
    assert unpacked({"words": '["sea birds"]', "since": "2020"}, schema) == {"words": ["sea birds"], "since": "2020"}
    assert unpacked({"question": '["x"]'}, input_schema(ALL["search"])) == {"question": '["x"]'}
    assert unpacked({"words": "[not json"}, schema) == {"words": "[not json"}


def test_a_paper_is_what_json_gives_with_a_name_to_call_it_by() -> None:
    assert PaperAnswer.model_fields.keys() == {"name", "saved", *paper_object(BIRDS[0], 1)}


def test_the_next_page_is_asked_for_by_a_tool_that_only_reads() -> None:
    hints = listed_more().annotations
    assert hints is not None
    assert hints.read_only_hint
