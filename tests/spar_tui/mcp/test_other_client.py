"""A client that knows nothing of the SDK: JSON-RPC written by hand, over standard input and over HTTP."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from tests.spar_tui.mcp.world import (
    ACCEPTING,
    BIRDS,
    OPENING,
    furnish,
    http_here,
    kept_state,
    line_client,
    messages,
    post_client,
)
from tests.spar_tui.running import PATIENCE

CALLS: dict[str, dict[str, Any]] = {
    "search_sources": {"question": "sea birds"},
    "search_library": {"where": '"sea birds"'},
    "query_library_sql": {"sql": "SELECT id AS paper FROM papers"},
    "get_paper": {"paper": BIRDS[0].title},
    "list_references": {"paper": "#1"},
    "list_citing_papers": {"paper": "#1"},
    "find_similar_papers": {"paper": "#1"},
    "recommend_papers": {},
    "write_summary": {"topic": "sea birds", "papers": ["#1", "#2"]},
    "ask_papers": {"question": "how do sea birds migrate over harbours?"},
    "find_quote": {"quote": "We follow sea birds over harbors with means 3"},
    "get_selection": {},
    "export_bibliography": {"papers": ["#1"]},
    "check_papers": {"papers": ["#1"]},
    "list_past_runs": {},
    "get_profile": {},
}


def calls(listing: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """A call of each tool that is listed."""
    names = {tool["name"] for tool in listing["result"]["tools"]} - {"next_page"}
    assert names <= CALLS.keys()
    return {name: CALLS[name] for name in names}


def test_every_tool_can_be_called_over_standard_input_after_lines_that_are_no_message(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        async with line_client(tmp_path, "--offline") as client:
            for line in ("", "{", "[]", '"hello"', '{"jsonrpc": "2.0"}', "\x00\x1b[2J", "x" * 100_000):
                await client.raw(line)
            assert (await client.ask("no/such/method"))["error"]["code"] == -32601
            for name, given in calls(await client.ask("tools/list")).items():
                result = await client.call(name, **given)
                assert not result.get("isError"), (name, result)
                assert result["content"][0]["text"], name

    asyncio.run(scene())


def test_every_tool_can_be_called_over_http(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        with http_here(tmp_path, "--offline") as url:
            async with post_client(url) as client:
                listed = calls(await client.ask("tools/list", 99))
                for number, (name, given) in enumerate(listed.items(), 1):
                    reply = await client.ask("tools/call", number, name=name, arguments=given)
                    assert reply["id"] == number
                    assert not reply["result"].get("isError"), (name, reply)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "spar.evil.invalid"}, 421),
        ({"host": "spar.evil.invalid:7727"}, 421),
        ({"host": "127.0.0.1:1"}, 421),
        ({"origin": "http://evil.invalid"}, 403),
        ({"origin": "null"}, 403),
        ({"content-type": "text/plain"}, 400),
    ],
)
def test_a_page_in_a_browser_cannot_reach_the_server_by_a_name_of_its_own(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": OPENING}
    with http_here(tmp_path, "--offline") as url, httpx.Client(trust_env=False, timeout=PATIENCE) as web:
        own = {**ACCEPTING, "content-type": "application/json"}
        assert web.post(url, json=opening, headers={**own, **headers}).status_code == status
        assert messages(web.post(url, json=opening, headers=own))[0]["result"]["serverInfo"]["name"] == "spar"


def test_a_body_of_many_megabytes_is_refused_and_the_server_goes_on(tmp_path: Path) -> None:
    furnish(tmp_path)

    async def scene() -> None:
        with http_here(tmp_path, "--offline") as url:
            async with post_client(url) as client:
                reply = await client.post(
                    "tools/call", 1, {"name": "search_library", "arguments": {"x": "y" * 8_000_000}}
                )
                assert reply.status_code == 413
                assert (await client.ask("tools/call", 2, name="search_library", arguments={}))["result"]

    asyncio.run(scene())
    assert kept_state(tmp_path)
