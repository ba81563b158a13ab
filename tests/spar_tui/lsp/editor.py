"""An editor by hand: `spar lsp` in a process of its own, and JSON-RPC over its standard streams."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from tests.spar_tui.running import PATIENCE, environment, forked


class Editor:
    """Speaks with the server; `told` are the notifications that came and nobody has taken yet."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process, self._count = process, 0
        self._came: Queue[dict[str, Any]] = Queue()
        self.told: list[dict[str, Any]] = []
        Thread(target=self._listen, daemon=True).start()

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request."""
        self._count += 1
        number = f"ours-{self._count}"
        self._send({"id": number, "method": method, **({"params": params} if params else {})})
        while (came := self._came.get(timeout=PATIENCE)).get("id") != number:
            self._take(came)
        assert "error" not in came, came
        return came["result"]

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, **({"params": params} if params else {})})

    def open(self, file: Path) -> list[dict[str, Any]]:
        """Open a file; what is wrong with it."""
        document = {"uri": file.as_uri(), "languageId": "x", "version": 1, "text": file.read_text()}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.diagnostics(file)

    def diagnostics(self, file: Path) -> list[dict[str, Any]]:
        """What is told next of a file."""
        told = self.notification(lambda one: one["method"] == "textDocument/publishDiagnostics"
                                 and one["params"]["uri"] == file.as_uri())  # fmt: skip
        found: list[dict[str, Any]] = told["params"]["diagnostics"]
        return found

    def notification(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while (found := next(filter(wanted, self.told), None)) is None:
            self._take(self._came.get(timeout=PATIENCE))
        self.told.remove(found)
        return found

    def actions(self, file: Path, line: int, diagnostics: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """The actions offered at a line, by their titles."""
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0}}
        found = self.ask("textDocument/codeAction", textDocument={"uri": file.as_uri()}, range=place,
                         context={"diagnostics": diagnostics or []})  # fmt: skip
        return {one["title"]: one for one in found}

    def do(self, command: Mapping[str, Any]) -> None:
        self.ask("workspace/executeCommand", command=command["command"], arguments=command["arguments"])

    def _take(self, came: dict[str, Any]) -> None:
        if "method" in came and "id" in came:
            self._send({"id": came["id"], "result": None})
        else:
            self.told.append(came)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream
        size = 0
        while line := stream.readline():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
            elif not line.strip():
                self._came.put(json.loads(stream.read(size)))


@contextmanager
def editing(
    home: Path, *options: str, more: Mapping[str, str] | None = None, capabilities: Mapping[str, Any] | None = None
) -> Iterator[Editor]:
    """An editor over the library in `home`, with the server as it is started by one."""
    process = subprocess.Popen(forked("lsp", *options), env=environment(home, more), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])  # fmt: skip
    try:
        editor = Editor(process)
        editor.ask("initialize", processId=None, rootUri=None, capabilities=capabilities or {})
        editor.tell("initialized", capabilities={})
        yield editor
        editor.ask("shutdown")
        editor.tell("exit")
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()
