"""Every tool and resource, by the SDK's own client, over both transports and without one."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from agents.tools.table import by_name
from connectors.registry import searchable
from spar_tui.face import TextFace
from spar_tui.mcp.offered import LEFT_OUT, MORE
from spar_tui.mcp.server import INSTRUCTIONS
from tests.agents.scripted import paper
from tests.services import Services
from tests.spar_tui.mcp.world import BIRDS, Transport, furnish, http_here, kept_state, sdk_client
from tests.spar_tui.tui.real_terminal import ask_only

FIRST, SECOND = "doi:10.1000/b1", "10.1000/b2"
READING: dict[str, dict[str, Any]] = {
    "query": {"sql": "SELECT id AS paper FROM papers"},
    "filter": {"words": ["sea birds"], "since": "2018"},
    "resemble": {"papers": [FIRST]},
    "rank": {"by": "citations", "among": [FIRST, SECOND, BIRDS[4].title]},
    "take": {"papers": ["#1", SECOND]},
    "paper": {"paper": FIRST},
    "references": {"paper": FIRST},
    "citations": {"paper": FIRST},
    "similar": {"paper": FIRST},
    "shelf": {"tag": "birds"},
    "runs": {},
    "profile": {},
    "search": {"question": "sparse retrieval of passages"},
    "summarize": {"topic": "sea birds", "papers": [FIRST, SECOND]},
    "recommend": {"limit": 3},
    "export": {"papers": [FIRST], "format": "bibtex"},
    "check": {"papers": [FIRST]},
}
"""A call of each tool that changes nothing, of those that the table has."""
CHANGING: dict[str, dict[str, Any]] = {
    "save": {"papers": [BIRDS[2].title], "tags": ["more"]},
    "tag": {"papers": [FIRST], "add": ["read-me"]},
    "note": {"paper": FIRST, "text": "Mine."},
    "mark": {"papers": [FIRST], "as": "read"},
    "remember": {"facet": "like", "text": "papers on sea birds"},
    "unsave": {"papers": [SECOND]},
}
"""A call of each tool that changes something, in an order in which each can be done."""
BOTH: list[Transport] = ["stdio", "http"]
WITH_HTTP_HERE: list[Transport] = ["stdio", "http here"]
HERE: list[Transport] = ["here", "http here"]


async def called(client: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, result.content[0].text)
    answer: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == answer  # for clients that know no structured output
    return answer


def names(answer: dict[str, Any]) -> list[str]:
    return [one["name"] for one in answer["papers"]]


@pytest.mark.parametrize("transport", BOTH)
def test_every_tool_that_reads_can_be_called(tmp_path: Path, transport: Transport) -> None:
    furnish(tmp_path)
    ask_only(tmp_path, "openalex")

    async def scene(more: dict[str, str]) -> None:
        async with sdk_client(transport, tmp_path, "--no-model", more=more) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            table = by_name(TextFace().tools)
            assert listed == {name for name, tool in table.items() if not tool.changes} - LEFT_OUT | {MORE}
            found = {name: await called(client, name, **given) for name, given in READING.items() if name in listed}
            assert found.keys() == listed - {MORE}
            assert names(found["filter"]) == ["#3", "#4", "#5"]
            assert names(found["rank"]) == ["#5", "#2", "#1"]
            assert names(found["take"]) == ["#1", "#2"]
            assert sorted(names(found["shelf"])) == ["#1", "#2"]
            assert found["paper"]["facts"]["paper"]["title"] == BIRDS[0].title
            assert found["search"]["papers"]
            assert found["search"]["run"]
            assert found["search"]["facts"]["asked"]
            assert "sea birds" in found["summarize"]["text"]
            assert found["export"]["text"].startswith("@")
            assert found["check"]["facts"]["entries"][0]["title"] == BIRDS[0].title
            # They are kept like those that the person began.
            kept = {run["run"]: run["state"] for run in (await called(client, "runs"))["facts"]["runs"]}
            made = [found[name]["run"] for name in ("search", "summarize", "recommend")]
            assert kept == dict.fromkeys(made, "finished")

    with Services(rules=False) as services:
        asyncio.run(scene(services.environment))


@pytest.mark.parametrize("transport", WITH_HTTP_HERE)
def test_every_tool_that_changes_something_can_be_called_where_it_is_allowed(
    tmp_path: Path, transport: Transport
) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        async with sdk_client(transport, tmp_path, "--allow-changes", "--offline") as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed >= CHANGING.keys()
            for name, given in CHANGING.items():
                await called(client, name, **given)
            assert sorted(names(await called(client, "shelf"))) == ["#1", "#3"]
            facts = (await called(client, "paper", paper=FIRST))["facts"]["paper"]
            assert (facts["note"], sorted(facts["tags"])) == ("Mine.", ["birds", "read-me"])

    asyncio.run(scene())


def test_other_programs_are_told_of_every_source() -> None:
    assert all(spec.title in INSTRUCTIONS for spec in searchable() if not spec.optional)


@pytest.mark.parametrize("transport", WITH_HTTP_HERE)
def test_a_server_that_only_reads_refuses_every_change_and_makes_none(tmp_path: Path, transport: Transport) -> None:
    furnish(tmp_path)
    before = kept_state(tmp_path)

    async def scene() -> None:
        async with sdk_client(transport, tmp_path, "--offline") as client:
            for name, given in CHANGING.items():
                result = await client.call_tool(name, given)
                assert result.is_error
                assert "--allow-changes" in result.content[0].text
            await called(client, "export", papers=[FIRST])

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
            run = (await called(client, "search", question="sea birds over harbours"))["run"]
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
                    called(one, "search", question="sea birds"),
                    *(called(other, "filter", words=["harbours"], limit=2) for _ in range(5)),
                )
                assert [answer["total"] for answer in found[1:]] == [5] * 5
                # What one was given pages on for itself alone: the other's calls move nothing.
                assert names(await called(other, MORE, cursor=found[1]["cursor"], limit=3)) == ["#3", "#4", "#5"]

    asyncio.run(scene())


def test_two_servers_on_one_library_serve_their_clients_side_by_side(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        async with (
            sdk_client("stdio", tmp_path, "--offline", "--allow-changes") as one,
            sdk_client("stdio", tmp_path, "--offline", "--allow-changes") as other,
        ):
            await asyncio.gather(
                *(called(one, "tag", papers=["#1"], add=[f"one{number}"]) for number in range(5)),
                *(called(other, "tag", papers=["#1"], add=[f"other{number}"]) for number in range(5)),
            )
            tags = (await called(one, "paper", paper="#1"))["facts"]["paper"]["tags"]
            assert len(tags) == 11

    asyncio.run(scene())


def test_what_is_asked_for_wrongly_is_answered_in_a_sentence_and_the_server_goes_on(tmp_path: Path) -> None:
    furnish(tmp_path)
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("no-such-tool", {}, "There is no tool"),
        ("undo", {}, "There is no tool"),
        ("filter", {"sql": "DROP TABLE papers"}, "extra inputs"),
        ("filter", {"limit": 0}, "from 1 to 100"),
        ("filter", {"among": "all"}, "list of names"),
        ("filter", {"among": ["A paper that nobody ever wrote about nothing"]}, "is called"),
        ("paper", {"paper": "@1"}, "There is no paper 1"),
        ("paper", {}, "needs paper"),
        ("export", {}, "needs papers"),
        ("paper", {"paper": "x" * 100_000}, "at most 500"),
        ("search", {"question": "q" * 100_000}, "at most 2000"),
        ("search", {"question": "birds", "sources": ["nowhere"]}, "is not asked here"),
        (MORE, {"cursor": "x:1"}, "no such cursor"),
        (MORE, {}, "needs a `cursor`"),
    ]

    async def scene() -> None:
        async with sdk_client("here", tmp_path, "--offline") as client:
            for tool, given, said in wrong:
                result = await client.call_tool(tool, given)
                assert result.is_error, (tool, given)
                assert said in result.content[0].text, (tool, result.content[0].text)
            assert (await called(client, "filter"))["total"] == 5

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("tool", "given", "shown"), [("shelf", {}, 10), ("shelf", {"limit": 12}, 12), ("filter", {}, 20)]
)
def test_an_answer_has_as_many_papers_as_the_schema_says_that_it_has(
    tmp_path: Path, tool: str, given: dict[str, Any], shown: int
) -> None:
    many = [paper(f"Birds of harbor number {number}", f"doi:10.1000/m{number}") for number in range(30)]
    furnish(tmp_path, many, saved=30)

    async def scene() -> None:
        async with sdk_client("here", tmp_path, "--offline") as client:
            schemas = {one.name: one.input_schema for one in (await client.list_tools()).tools}
            assert given.get("limit", schemas[tool]["properties"]["limit"]["default"]) == shown
            answer = await called(client, tool, **given)
            assert (len(answer["papers"]), answer["total"]) == (shown, 30)
            assert (await called(client, "runs", limit=200))["facts"]["found"] == 0

    asyncio.run(scene())


def test_an_empty_library_and_an_empty_shelf_are_said_to_be_empty(tmp_path: Path) -> None:
    async def scene() -> None:
        async with sdk_client("here", tmp_path, "--offline") as client:
            for tool in ("filter", "shelf"):
                answer = await called(client, tool)
                assert (answer["papers"], answer["total"], answer["cursor"]) == ([], 0, None)
            (content,) = (await client.read_resource("spar://shelf")).contents
            assert json.loads(content.text)["total"] == 0

    asyncio.run(scene())
