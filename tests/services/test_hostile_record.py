"""A service whose records were made to keep their reader busy: whoever waits is heard all the same."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.spar_tui.running import PATIENCE, answer, environment, forked, spar, wait_until

SEARCH = ("search", "migration of sea birds", "--source", "crossref", "--no-model")
SAVED = "@article{one, title={Sea birds of the northern harbours}, author={Weiss, Anna}, year={2020}}"


def bomb(size: int) -> str:
    """Markup in as many layers as fit into `size` characters."""
    return "<b" * (size // 3) + ">" * (size // 3)


def page() -> bytes:
    """As many records as a reply may hold; reading all of it takes minutes."""
    work = {"DOI": "10.3000/{}", "title": ["Sea birds"], "type": "journal-article", "abstract": bomb(150_000)}
    items = [{**work, "DOI": f"10.3000/{number}"} for number in range(120)]
    return json.dumps({"status": "ok", "message-type": "work-list", "message": {"items": items}}).encode()


@contextmanager
def hostile() -> Iterator[tuple[dict[str, str], threading.Event]]:
    """A Crossref of such records: what names it to spar, and what is set when it has sent a page."""
    sent, body = threading.Event(), page()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            sent.set()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield {"SPAR_CROSSREF_URL": f"http://127.0.0.1:{server.server_port}"}, sent
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_is_heard_while_a_hostile_record_is_read(tmp_path: Path) -> None:
    (tmp_path / "one.bib").write_text(SAVED)
    assert spar(tmp_path, "import", str(tmp_path / "one.bib")).returncode == 0
    with hostile() as (more, sent):
        process = subprocess.Popen(
            forked(*SEARCH), env=environment(tmp_path, more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert sent.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in messages
    assert [paper["title"] for paper in answer(tmp_path, "shelf")["papers"]] == ["Sea birds of the northern harbours"]


def test_a_hostile_record_costs_its_source_alone(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("source_seconds = 1\n")
    with hostile() as (more, _):
        ran = spar(tmp_path, *SEARCH, "--json", more=more)
    assert "crossref did not answer" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
def test_an_mcp_server_answers_cancels_and_ends_while_a_hostile_record_is_read(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs the extra mcp")
    from tests.spar_tui.mcp.world import line_client

    async def scene(more: dict[str, str], sent: threading.Event) -> None:
        async with line_client(tmp_path, "--no-model", more=more) as client:
            number = await client.send(
                "tools/call",
                name="search_sources",
                arguments={"question": "migration of sea birds", "sources": ["crossref"]},
            )
            await asyncio.to_thread(wait_until, sent.is_set)
            assert not (await client.call("search_library", where="is:saved"))["isError"]
            await client.send("notifications/cancelled", asking=False, requestId=number)
            client.process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(client.process.wait(), PATIENCE)
            assert client.process.returncode == 0

    with hostile() as (more, sent):
        asyncio.run(scene(more, sent))
