"""Lines that cannot be read as they stand, and calls that are too large: each has its answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from spar_tui.mcp.server import LARGEST_CALL
from tests.spar_tui.mcp.world import line_client


def replies_to(home: Path, *lines: str) -> list[dict[str, Any]]:
    async def scene() -> list[dict[str, Any]]:
        async with line_client(home, "--offline", "--no-model") as client:
            replies = []
            for line in lines:
                await client.raw(line)
                replies.append(await client.next())
            return replies

    return asyncio.run(scene())


def call(number: int, arguments: str) -> str:
    parameters = f'{{"name": "query_library_sql", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {parameters}}}'


def test_what_is_no_message_is_answered_with_an_error_and_ends_nothing(tmp_path: Path) -> None:
    deep = "[" * 200_000
    lines = ["no JSON", deep, f'{{"a": {deep}', '{"jsonrpc": "2.0", "id": 71}', call(72, '{"sql": "SELECT 1"}')]
    *errors, last = replies_to(tmp_path, *lines)
    assert [(reply["id"], reply["error"]["code"]) for reply in errors] == [
        (None, -32700), (None, -32700), (None, -32700), (71, -32600)
    ]  # fmt: skip
    assert last["id"] == 72


def test_a_request_whose_id_is_neither_text_nor_number_is_answered_with_an_error(tmp_path: Path) -> None:
    ids = [', "id": {"a": 1}', ', "id": [1]', ', "id": null', ', "id": true', ""]
    replies = replies_to(tmp_path, *(f'{{"jsonrpc": "2.0"{part}, "method": "tools/list"}}' for part in ids))
    assert [(reply["id"], reply["error"]["code"]) for reply in replies] == [(None, -32600)] * 5


def test_half_an_emoji_is_read_as_a_replacement_character(tmp_path: Path) -> None:
    (reply,) = replies_to(tmp_path, call(73, r'{"sql": "SELECT ' + r"'x \ud83d'" + '"}'))
    assert reply["id"] == 73
    assert "x \ufffd" in json.dumps(reply["result"], ensure_ascii=False)


def test_a_call_that_is_too_large_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (reply,) = replies_to(tmp_path, call(74, json.dumps({"sql": "x" * (LARGEST_CALL + 1)})))
    assert "more than 1,000,000 characters" in reply["result"]["content"][0]["text"]
