"""A language model's endpoint on loopback that says what a script wants: real HTTP, plain and streamed.

def script(request: ModelRequest) -> ModelSays:
    return answer({"relevant": "P1" in request.text})

with ScriptedModel(by_prompt({"judge": script})) as model:
    ...  # run the program with model.environment, then look at model.requests, model.calls, model.peak
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from zlib import crc32

from tests.services.http.message import Reply, Request, json_reply
from tests.services.http.server import Connection, Sender, Server, send_plainly
from tests.services.model.says import ModelSays, answer, completion, error, events

TEXT = "text"
"""The name of a request that asks for no schema."""
_FENCE_LINES = re.compile(r"\n<<[0-9a-f]{8}>>\n")
_TITLE = re.compile(r'\{"title": ?"([A-Za-z0-9_-]+)"')


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to the model. `name` is the prompt's: the title of the schema asked for, or `text`."""

    name: str
    messages: tuple[tuple[str, str], ...]
    by_schema: bool
    streamed: bool
    body: Mapping[str, Any]
    headers: Mapping[str, str]
    number: int
    """Counts from 1 among the requests of this name."""

    @property
    def text(self) -> str:
        """The first user message, without the fences around data."""
        return _FENCE_LINES.sub("", next((text for role, text in self.messages if role == "user"), ""))

    @property
    def system(self) -> str:
        return next((text for role, text in self.messages if role == "system"), "")

    @property
    def corrected(self) -> bool:
        """Whether the model is asked again because its answer was bad."""
        return any(role == "assistant" for role, _ in self.messages)


Script = Callable[[ModelRequest], ModelSays]


def by_prompt(scripts: Mapping[str, Callable[[ModelRequest], object]]) -> Script:
    """A script that looks the prompt's name up; each entry gives a `ModelSays` or the answer itself."""

    def script(request: ModelRequest) -> ModelSays:
        said = scripts[request.name](request)
        return said if isinstance(said, ModelSays) else answer(said)

    return script


def in_turn(*says: ModelSays) -> Script:
    """A script that says one after the other, and the last one from then on."""
    left = list(says)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """What the endpoint takes. `schema` may be refused (400), ignored, or kept to as far as the script does."""

    schema: bool = True
    temperature: bool = True
    max_tokens: bool = True
    system: bool = True
    stream: bool = True
    stream_usage: bool = True
    key: str | None = None
    """The only key that is let in; None lets everybody in."""

    def refusal(self, request: ModelRequest) -> ModelSays | None:
        """What a breach of these rules is answered with."""
        body = request.body
        if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
            return error(401, "Incorrect API key provided.", "invalid_api_key")
        if not self.max_tokens and "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens' is not supported with this model. "
            return error(400, message + "Use 'max_completion_tokens' instead.", "unsupported_parameter", "max_tokens")
        if not self.temperature and "temperature" in body:
            message = "Unsupported value: 'temperature' does not support 0 with this model."
            return error(400, message, "unsupported_value", "temperature")
        if not self.schema and "response_format" in body:
            return error(400, "'response_format' of type 'json_schema' is not supported.", None, "response_format")
        if not self.system and any(role == "system" for role, _ in request.messages):
            return error(400, "System role not supported by this model.", None, "messages[0].role")
        if not self.stream and body.get("stream"):
            message = "Unsupported value: 'stream' does not support true with this model."
            return error(400, message, "unsupported_value", "stream")
        if not self.stream_usage and "stream_options" in body:
            return error(422, "Extra inputs are not permitted: stream_options")
        return None


_LENIENT = Rules()


class ScriptedModel:
    """The endpoint, in a thread of its own while the `with` block lasts.

    `latency` seconds pass before each reply. A prompt that the script does not know, or fails on, is answered with
    HTTP 500 and a sentence, and is noted in `surprises`.
    """

    def __init__(
        self, script: Script, latency: float = 0.0, rules: Rules = _LENIENT, models: Sequence[str] = ("scripted-1",)
    ) -> None:
        self.service = "model"
        self.requests: list[ModelRequest] = []
        self.embedded: list[str] = []
        """The texts that vectors were asked of."""
        self.embeds: Callable[[Sequence[str]], Reply] | None = None
        """What is answered to them in place of good vectors."""
        self.surprises: list[str] = []
        self.peak = 0
        self._script, self._latency, self._rules, self._models = script, latency, rules, tuple(models)
        self._under_way: set[int] = set()
        self._said: dict[int, tuple[ModelRequest, ModelSays]] = {}
        self._server = Server(self)

    @property
    def url(self) -> str:
        """The API's root."""
        return f"{self._server.url}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """The settings that point the program here."""
        return {"OPENAI_BASE_URL": self.url, "OPENAI_API_KEY": self._rules.key or "", "SPAR_MODEL": self._models[0]}

    @property
    def environment_with_vectors(self) -> dict[str, str]:
        """The same, and that a model here makes vectors."""
        return {**self.environment, "SPAR_EMBEDDING_MODEL": "vectors-1"}

    @property
    def calls(self) -> int:
        """How many completions were asked for."""
        return len(self.requests)

    def asked(self, name: str) -> list[ModelRequest]:
        """The requests of the prompt called `name`."""
        return [request for request in self.requests if request.name == name]

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripted model", daemon=True)
        self._thread.start()
        self._await(self._server.start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._await(self._server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def shut(self) -> None:
        """Close the port: connections are refused from now on."""
        self._await(self._server.stop())

    async def arrived(self, request: Request) -> None:
        if request.path.endswith("/chat/completions"):
            self._under_way.add(request.number)
            self.peak = max(self.peak, len(self._under_way))

    async def answer(self, request: Request) -> Reply:
        if request.method == "GET" and request.path == "/v1/models":
            rows = [{"id": name, "object": "model", "created": 1, "owned_by": "tests"} for name in self._models]
            return json_reply({"object": "list", "data": rows})
        if request.method == "POST" and request.path == "/v1/embeddings":
            return self._embeddings(json.loads(request.body))
        if request.method != "POST" or request.path != "/v1/chat/completions":
            return json_reply({"error": {"message": f"Unknown request URL: {request.path}", "code": None}}, 404)
        asked = self._understood(request)
        self.requests.append(asked)
        says = self._rules.refusal(asked) or self._unknown_model(asked) or self._says(asked)
        await asyncio.sleep(self._latency + says.seconds)
        if says.body is not None:
            return Reply(says.status, says.body, says.content_type, dict(says.headers))
        self._said[request.number] = asked, says
        return json_reply(completion(says, asked.body["model"], _read(asked)), says.status, **dict(says.headers))

    def _embeddings(self, body: dict[str, Any]) -> Reply:
        """A vector for each text, by its words; or the reply that the test has put in place of it."""
        texts: list[str] = body["input"]
        self.embedded += texts
        if self.embeds is not None:
            return self.embeds(texts)
        made = [by_words(text) for text in texts]
        rows = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(made)]
        usage = {"prompt_tokens": sum(len(text) // 4 + 1 for text in texts)}
        return json_reply({"object": "list", "data": rows, "model": body["model"], "usage": usage})

    def sending(self, request: Request) -> Sender:
        asked, says = self._said.pop(request.number, (None, None))
        if asked is None or says is None:
            return send_plainly
        if says.reset:
            return _reset
        return _streaming(asked, says) if asked.streamed else send_plainly

    def finished(self, request: Request, status: int | None) -> None:
        self._under_way.discard(request.number)

    def _understood(self, request: Request) -> ModelRequest:
        body: dict[str, Any] = json.loads(request.body)
        messages = tuple((message["role"], message["content"]) for message in body["messages"])
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        titled = _TITLE.search(messages[0][1])
        name = schema["title"] if schema else titled[1] if titled else TEXT
        number = len(self.asked(name)) + 1
        streamed = bool(body.get("stream"))
        return ModelRequest(name, messages, schema is not None, streamed, body, request.headers, number)

    def _unknown_model(self, asked: ModelRequest) -> ModelSays | None:
        name = asked.body["model"]
        known = name in self._models
        return None if known else error(404, f"The model `{name}` does not exist.", "model_not_found")

    def _says(self, asked: ModelRequest) -> ModelSays:
        try:
            return self._script(asked)
        except Exception as problem:  # noqa: BLE001  # a test's script may fail in any way, and must be heard
            sentence = f"the script has no answer to the prompt {asked.name!r}: {problem!r}"
            self.surprises.append(sentence)
            return error(500, sentence)

    def _await(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        asyncio.run_coroutine_threadsafe(run(), self._loop).result(timeout=60)


def by_words(text: str, size: int = 64) -> list[float]:
    """A vector of a text: texts that share words are near each other."""
    vector = [0.01] * size
    for word in re.findall(r"\w{4,}", text.lower()):
        vector[crc32(word.encode()) % size] += 1.0
    return vector


def _read(asked: ModelRequest) -> int:
    return sum(len(text) for _, text in asked.messages) // 4 + 1


async def _reset(connection: Connection, request: Request, reply: Reply) -> bool:
    raise connection.reset()


def _streaming(asked: ModelRequest, says: ModelSays) -> Sender:
    with_usage = bool((asked.body.get("stream_options") or {}).get("include_usage"))
    rows = list(events(says, asked.body["model"], _read(asked), with_usage))

    async def send(connection: Connection, request: Request, reply: Reply) -> bool:
        await connection.send_head(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        middle = len(rows) // 2
        match says.breaks:
            case "none":
                sent = rows
            case "no_end":
                sent = [row for row in rows if b"content" in row]
            case "inside":
                sent = [*rows[:middle], rows[middle][: len(rows[middle]) // 2]]
            case "error":
                sent = [*rows[:middle], b'data: {"error": {"message": "Overloaded", "code": "server_error"}}\n\n']
            case _:
                sent = rows[:middle]
        for number, row in enumerate(sent):
            if says.held is not None and number == middle:
                await asyncio.to_thread(says.held.wait, 60.0)
            await connection.send(row)
            await asyncio.sleep(says.drip)
        if says.breaks == "stall":
            await connection.wait(None)
        return False

    return send
