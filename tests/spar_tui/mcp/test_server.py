"""Every tool and resource, by the SDK's own client, over both transports and without one."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from connectors.registry import searchable
from spar_tui.mcp.answers import NEXT_PAGE
from spar_tui.mcp.server import INSTRUCTIONS
from tests.agents.scripted import paper
from tests.services import Services
from tests.spar_tui.mcp.world import BIRDS, Transport, furnish, http_here, kept_state, sdk_client
from tests.spar_tui.tui.real_terminal import ask_only

FIRST, SECOND = "doi:10.1000/b1", "10.1000/b2"
READING: dict[str, dict[str, Any]] = {
    "search_sources": {"question": "sparse retrieval of passages"},
    "search_library": {"where": '"sea birds" year:2018..', "sort": "year"},
    "query_library_sql": {"sql": "SELECT id AS paper FROM papers"},
    "get_paper": {"paper": FIRST},
    "get_selection": {},
    "list_references": {"paper": FIRST},
    "list_citing_papers": {"paper": FIRST},
    "find_similar_papers": {"paper": FIRST},
    "recommend_papers": {"limit": 3},
    "write_summary": {"topic": "sea birds", "papers": [FIRST, SECOND]},
    "ask_papers": {"question": "how do sea birds migrate over harbours?"},
    "find_quote": {"quote": "We follow sea birds over harbors with means 3"},
    "export_bibliography": {"papers": [FIRST], "format": "bibtex"},
    "check_papers": {"papers": [FIRST]},
    "list_past_runs": {},
    "get_profile": {},
}
"""A call of each tool that changes nothing, without `next_page`."""
CHANGING: dict[str, dict[str, Any]] = {
    "save_papers": {"papers": [BIRDS[2].title], "tags": ["more"]},
    "tag_papers": {"papers": [FIRST], "add": ["read-me"]},
    "write_note": {"paper": FIRST, "text": "Mine."},
    "mark_papers": {"papers": [FIRST], "as": "read"},
    "remember_interest": {"facet": "like", "text": "papers on sea birds"},
    "remove_saved_papers": {"papers": [SECOND]},
}
"""A call of each tool that changes something, in an order in which each can be done."""
HERE: list[Transport] = ["here", "http here"]


async def called(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured content of an answer; of a document, which has none, its text."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, result.content[0].text)
    answer: dict[str, Any] | None = result.structured_content
    return answer if answer is not None else {"text": result.content[0].text, "more": result.content[1].text}


def names(answer: dict[str, Any]) -> list[str]:
    return [one["name"] for one in answer["papers"]]


def test_every_tool_that_reads_can_be_called(tmp_path: Path) -> None:
    furnish(tmp_path)
    ask_only(tmp_path, "openalex")

    async def scene(more: dict[str, str]) -> None:
        async with sdk_client("http", tmp_path, "--no-model", more=more) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == READING.keys() | {NEXT_PAGE}
            found = {name: await called(client, name, **given) for name, given in READING.items()}
            assert names(found["search_library"]) == ["#5", "#4", "#3"]
            assert found["get_paper"]["facts"]["title"] == BIRDS[0].title
            assert found["get_paper"]["facts"]["abstract"] == BIRDS[0].abstract
            assert found["get_paper"]["facts"]["shelf"]["tags"] == ["birds"]
            assert found["search_sources"]["papers"]
            assert found["search_sources"]["facts"]["asked"]
            assert "sea birds" in found["write_summary"]["text"]
            assert f"“{BIRDS[0].abstract}”" in found["ask_papers"]["text"]
            [origin] = found["find_quote"]["facts"]["origins"]
            assert (origin["paper"], origin["text"]) == ("#3", BIRDS[2].abstract.removesuffix("."))
            assert found["export_bibliography"]["text"].startswith("@")
            assert found["check_papers"]["facts"]["entries"][0]["title"] == BIRDS[0].title
            # They are kept like those that the person began.
            runs = (await called(client, "list_past_runs"))["facts"]["runs"]
            made = [found[name]["run"] for name in ("search_sources", "recommend_papers")]
            assert {run["run"] for run in runs} > set(made)
            assert all(run["run"] in found["write_summary"]["more"] for run in runs if run["kind"] == "summary")
            assert [run["state"] for run in runs] == ["finished"] * 4

    with Services(rules=False) as services:
        asyncio.run(scene(services.environment))


def test_every_tool_that_changes_something_can_be_called_where_it_is_allowed(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        async with sdk_client("stdio", tmp_path, "--allow-changes", "--offline") as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed >= CHANGING.keys()
            for name, given in CHANGING.items():
                await called(client, name, **given)
            assert sorted(names(await called(client, "search_library", where="is:saved"))) == ["#1", "#3"]
            kept = (await called(client, "get_paper", paper=FIRST))["facts"]["shelf"]
            assert (kept["note"], sorted(kept["tags"])) == ("Mine.", ["birds", "read-me"])

    asyncio.run(scene())


def test_other_programs_are_told_of_every_source() -> None:
    assert all(spec.title in INSTRUCTIONS for spec in searchable() if not spec.optional)


def test_a_server_that_only_reads_refuses_every_change_and_makes_none(tmp_path: Path) -> None:
    furnish(tmp_path)
    before = kept_state(tmp_path)

    async def scene() -> None:
        async with sdk_client("http here", tmp_path, "--offline") as client:
            for name, given in CHANGING.items():
                result = await client.call_tool(name, given)
                assert result.is_error
                assert "--allow-changes" in result.content[0].text
            await called(client, "export_bibliography", papers=[FIRST])

    asyncio.run(scene())
    assert kept_state(tmp_path) == before


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("transport", HERE)
def test_papers_runs_and_the_shelf_can_be_read_as_resources(tmp_path: Path, transport: Transport, mode: str) -> None:
    furnish(tmp_path)

    async def read(client: Any, uri: str) -> Any:
        (content,) = (await client.read_resource(uri)).contents
        assert content.mime_type == "application/json"
        return json.loads(content.text)

    async def scene() -> None:
        async with sdk_client(transport, tmp_path, "--offline", mode=mode) as client:
            run = (await called(client, "search_sources", question="sea birds over harbours"))["run"]
            shelf = await read(client, "spar://shelf")
            assert {one["name"]: one["shelf"]["tags"] for one in shelf["papers"]} == {"#1": ["birds"], "#2": ["birds"]}
            assert (await read(client, "spar://shelf?first=2"))["papers"][0] == shelf["papers"][1] | {"rank": 2}
            for name in ("3", "%233", "doi:10.1000/b3", "10.1000%2Fb3"):
                assert (await read(client, f"spar://paper/{name}"))["title"] == BIRDS[2].title
            found = await read(client, f"spar://run/{run}")
            assert (found["question"], found["state"]) == ("sea birds over harbours", "finished")
            assert [one["id"] for one in found["answer"]["papers"]] == [one["id"] for one in found["papers"]]
            listed = {str(one.uri) for one in (await client.list_resources()).resources}
            assert listed == {"spar://shelf", f"spar://run/{run}"}
            templates = (await client.list_resource_templates()).resource_templates
            assert {one.name for one in templates} == {"paper", "run", "shelf"}

    asyncio.run(scene())


def test_two_clients_of_one_server_are_served_side_by_side(tmp_path: Path) -> None:
    furnish(tmp_path)
    from mcp.client.client import Client

    async def scene() -> None:
        with http_here(tmp_path, "--offline") as url:
            async with Client(url, mode="legacy") as one, Client(url) as other:
                found = await asyncio.gather(
                    called(one, "search_sources", question="sea birds"),
                    *(called(other, "search_library", where="harbours", limit=2) for _ in range(5)),
                )
                assert [answer["total"] for answer in found[1:]] == [5] * 5
                # What one was given pages on for itself alone: the other's calls move nothing.
                assert names(await called(other, NEXT_PAGE, cursor=found[1]["cursor"], limit=3)) == ["#3", "#4", "#5"]

    asyncio.run(scene())


def test_two_servers_on_one_library_serve_their_clients_side_by_side(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        async with (
            sdk_client("stdio", tmp_path, "--offline", "--allow-changes") as one,
            sdk_client("stdio", tmp_path, "--offline", "--allow-changes") as other,
        ):
            await asyncio.gather(
                *(called(one, "tag_papers", papers=["#1"], add=[f"one{number}"]) for number in range(5)),
                *(called(other, "tag_papers", papers=["#1"], add=[f"other{number}"]) for number in range(5)),
            )
            tags = (await called(one, "get_paper", paper="#1"))["facts"]["shelf"]["tags"]
            assert len(tags) == 11

    asyncio.run(scene())


def test_what_is_asked_for_wrongly_is_answered_in_a_sentence_and_the_server_goes_on(tmp_path: Path) -> None:
    furnish(tmp_path)
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("no-such-tool", {}, "There is no tool"),
        ("undo", {}, "There is no tool"),
        ("search_library", {"sql": "DROP TABLE papers"}, "no argument 'sql'; its arguments: where, like, sort"),
        ("search_library", {"where": "colour:red"}, "colour: is unknown; known in the library: about:"),
        ("search_library", {"where": "year:soon"}, "`where` cannot be read"),
        ("search_library", {"sort": "mood"}, "`sort` is one of relevance, saved"),
        ("search_library", {"limit": 0}, "from 1 to 100"),
        ("search_library", {"among": 1}, "among: input should be a list"),
        ("search_library", {"like": {"a": 1}}, "like: input should be a list"),
        ("search_library", {"among": ["A paper that nobody ever wrote about nothing"]}, "is called"),
        ("get_paper", {"paper": "@1"}, "There is no paper 1"),
        ("get_paper", {}, "needs paper"),
        ("get_paper", {"paper": "10.1000/unknown"}, "search_sources finds papers that the library does not have"),
        ("export_bibliography", {}, "needs papers"),
        ("get_paper", {"paper": "x" * 100_000}, "at most 500"),
        ("get_paper", {"paper": FIRST, "parts": ["note"]}, "no argument 'parts'"),
        ("search_sources", {"question": "q" * 100_000}, "at most 2000"),
        ("search_sources", {"question": "birds", "sources": ["nowhere"]}, "is not used here"),
        (NEXT_PAGE, {"cursor": "x:1"}, "cursor does not exist"),
        (NEXT_PAGE, {}, "needs the `cursor`"),
    ]

    async def scene() -> None:
        async with sdk_client("here", tmp_path, "--offline") as client:
            for tool, given, said in wrong:
                result = await client.call_tool(tool, given)
                assert result.is_error, (tool, given)
                assert said in result.content[0].text, (tool, result.content[0].text)
            assert (await called(client, "search_library"))["total"] == 5

    asyncio.run(scene())


@pytest.mark.parametrize(("given", "shown"), [({}, 20), ({"limit": 12}, 12)])
def test_an_answer_has_as_many_papers_as_the_schema_says_that_it_has(
    tmp_path: Path, given: dict[str, Any], shown: int
) -> None:
    many = [paper(f"Birds of harbor number {number}", f"doi:10.1000/m{number}") for number in range(30)]
    furnish(tmp_path, many, saved=30)

    async def scene() -> None:
        async with sdk_client("here", tmp_path, "--offline") as client:
            schemas = {one.name: one.input_schema for one in (await client.list_tools()).tools}
            limit = schemas["search_library"]["properties"]["limit"]
            assert given.get("limit", limit["default"]) == shown
            answer = await called(client, "search_library", **given)
            assert (len(answer["papers"]), answer["total"]) == (shown, 30)
            assert (await called(client, "list_past_runs", limit=200))["facts"]["found"] == 0

    asyncio.run(scene())


def test_an_empty_library_and_an_empty_shelf_are_said_to_be_empty(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sdk_client("here", tmp_path, "--offline") as client:
            for where in ("", "is:saved"):
                result = await client.call_tool("search_library", {"where": where})
                answer = result.structured_content
                assert (answer["papers"], answer["total"], answer.get("cursor")) == ([], 0, None)
                assert result.content[0].text.endswith("No papers.")
            (content,) = (await client.read_resource("spar://shelf")).contents
            assert json.loads(content.text)["total"] == 0

    asyncio.run(scene())
