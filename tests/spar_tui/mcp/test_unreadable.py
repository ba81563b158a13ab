"""Lines that cannot be read as they stand, and calls that are too large: each has its answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from spar_tui.mcp.server import LARGEST_CALL
from tests.spar_tui.mcp.world import line_client

DEEP = "[" * 200_000
UNPARSED = ["no JSON", DEEP, f'{{"a": {DEEP}']
NO_REQUESTS = [
    f'{{"jsonrpc": "2.0"{part}, "method": "tools/list"}}'
    for part in (', "id": {"a": 1}', ', "id": [1]', ', "id": null', ', "id": true', "")
]


def call(number: int, arguments: str) -> str:
    parameters = f'{{"name": "query_library_sql", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {parameters}}}'


def test_every_line_has_its_answer_and_ends_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with line_client(tmp_path, "--offline", "--no-model") as client:

            async def reply(line: str) -> Any:
                await client.raw(line)
                return await client.next()

            async def error(line: str) -> tuple[Any, int]:
                answer = await reply(line)
                return answer["id"], answer["error"]["code"]

            for line in UNPARSED:
                assert await error(line) == (None, -32700)
            for line in NO_REQUESTS:  # whose id is neither text nor number
                assert await error(line) == (None, -32600)
            assert await error('{"jsonrpc": "2.0", "id": 71}') == (71, -32600)
            assert (await reply(call(72, '{"sql": "SELECT 1"}')))["id"] == 72
            half_an_emoji = await reply(call(73, r'{"sql": "SELECT ' + r"'x \ud83d'" + '"}'))
            assert half_an_emoji["id"] == 73
            assert "x \ufffd" in json.dumps(half_an_emoji["result"], ensure_ascii=False)
            too_large = await reply(call(74, json.dumps({"sql": "x" * (LARGEST_CALL + 1)})))
            assert "more than 1,000,000 characters" in too_large["result"]["content"][0]["text"]

    asyncio.run(scene())
