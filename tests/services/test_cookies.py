"""No cookie of a service, a model or Zotero is kept, let alone sent back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agents.llm.client import ModelClient
from agents.llm.config import ModelConfig
from connectors.http.pool import ConnectionPool
from connectors.zotero.client import ZoteroClient
from tests.rows import each


@contextmanager
def baker() -> Iterator[tuple[str, list[str | None]]]:
    """A server that gives everybody a cookie: its address, and the cookies that came back."""
    received = list[str | None]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            received.append(self.headers.get("cookie"))
            body = b'{"data": []}'
            self.send_response(200)
            self.send_header("Set-Cookie", "sid=secret; Path=/")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", received
        finally:
            server.shutdown()
            thread.join()


async def ask_service(address: str) -> None:
    async with ConnectionPool() as pool:
        for _ in range(2):
            await pool.client("crossref").get(address)


async def ask_zotero(address: str) -> None:
    async with ZoteroClient(address) as zotero:
        for _ in range(2):
            await zotero.ask("GET", "/api/")


async def ask_model(address: str) -> None:
    client = ModelClient(ModelConfig("m", address))
    for _ in range(2):
        await client.models("The model")
    await client.close()


@each("ask", [ask_service, ask_zotero, ask_model])
def test_a_cookie_is_never_sent_back(ask: object) -> None:
    with baker() as (address, received):
        asyncio.run(ask(address))  # type: ignore[operator]
    assert received == [None, None]
