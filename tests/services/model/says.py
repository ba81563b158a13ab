"""What a scripted model can say: answers, and every way in which real endpoints fail to answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, Literal

Break = Literal["none", "between", "inside", "no_end", "error", "stall"]


@dataclass(frozen=True, slots=True)
class ModelSays:
    """A reply. With `body` those bytes are sent as they are; else a completion is made of the other fields.

    `breaks` is how a stream goes wrong: the connection closes between two events, or inside one; all words come but
    no end; an error event comes; or nothing more does.
    """

    text: str | None = ""
    finish: str | None = "stop"
    refusal: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    seconds: float = 0.0
    breaks: Break = "none"
    reset: bool = False
    held: Event | None = None
    """A stream sends its second half when this is set."""
    drip: float = 0.0
    """Seconds between the pieces of a stream."""
    counted: bool = True
    """Whether tokens are counted."""
    reasoning: str | None = None
    """What a server tells of the model's thoughts beside the content."""
    call: str | None = None
    """The arguments of the one call of a tool that comes in place of content."""
    cost: float | None = None
    """What the endpoint says that the request cost, in USD."""


def answer(value: object) -> ModelSays:
    """A good answer: anything that JSON can hold."""
    return ModelSays(json.dumps(value, ensure_ascii=False))


def fenced(value: object) -> ModelSays:
    return ModelSays(f"```json\n{json.dumps(value)}\n```")


def chatty(value: object) -> ModelSays:
    """An answer after thinking aloud, between friendly words."""
    thought = '<think>The form is {"score": …}, so I say {"draft": true}.</think>\n'
    return ModelSays(f"{thought}Sure! Here you go:\n{json.dumps(value)}\nLet me know if {{anything}} is unclear.")


def sloppy(value: object) -> ModelSays:
    """JSON as some models write it: a comma too many, and the end missing."""
    return ModelSays(json.dumps(value)[:-1] + ",")


def wrong() -> ModelSays:
    return ModelSays("{results: [id: P1 score 0.9")


def incomplete() -> ModelSays:
    """An object that lacks what was asked for."""
    return ModelSays('{"something": "else"}')


def prose(text: str = "The papers look interesting to me.") -> ModelSays:
    return ModelSays(text)


def empty() -> ModelSays:
    return ModelSays("")


def silent() -> ModelSays:
    """Content null."""
    return ModelSays(None)


def refusal() -> ModelSays:
    return ModelSays(None, refusal="I'm sorry, but I can't help with that.")


def reasoned(value: object) -> ModelSays:
    """The answer where some servers put what a model thinks, and no content."""
    return ModelSays(None, reasoning=json.dumps(value))


def called(value: object) -> ModelSays:
    """The answer as arguments of a call."""
    return ModelSays(None, call=json.dumps(value), finish="tool_calls")


def thinking() -> ModelSays:
    """All the room went into thoughts."""
    return ModelSays("", finish="length", reasoning="Let me think about the first paper. " * 20)


def filtered() -> ModelSays:
    return ModelSays("", finish="content_filter")


def cut_off(value: object) -> ModelSays:
    """Half of an answer, ended by the limit of tokens."""
    text = json.dumps(value)
    return ModelSays(text[: len(text) // 2], finish="length")


def slow(value: object, seconds: float) -> ModelSays:
    return replace(answer(value), seconds=seconds)


def held_back(value: object, until: Event, drip: float = 0.0) -> ModelSays:
    """A good answer whose second half is streamed when `until` is set."""
    return replace(answer(value), held=until, drip=drip)


def breaking(text: str, how: Break) -> ModelSays:
    return ModelSays(text, breaks=how)


def dropped() -> ModelSays:
    """The connection reset instead of a reply."""
    return ModelSays(reset=True)


def endless() -> ModelSays:
    """Nine megabytes."""
    return ModelSays("A" * 9_000_000)


def page(status: int = 200) -> ModelSays:
    """A login page where data was asked for."""
    body = b"<!DOCTYPE html><html><body>Please log in, secret-in-page</body></html>"
    return ModelSays(status=status, body=body, content_type="text/html; charset=utf-8")


def no_choices() -> ModelSays:
    return raw({"id": "x", "object": "chat.completion", "choices": None})


def error_in_ok(code: int) -> ModelSays:
    """A gateway's way to tell of an upstream's error."""
    return raw({"error": {"code": code, "message": "Upstream failed"}})


def broken_json() -> ModelSays:
    return ModelSays(body=b'{"choices": [{"index": 0, "mess')


def unauthorized() -> ModelSays:
    return error(401, "Incorrect API key provided: sk-CANARY.", "invalid_api_key")


def slow_down(retry_after: str | None = None) -> ModelSays:
    said = error(429, "Rate limit reached for requests.", "rate_limit_exceeded")
    return replace(said, headers={"Retry-After": retry_after}) if retry_after is not None else said


def quota() -> ModelSays:
    return error(429, "You exceeded your current quota, please check your plan.", "insufficient_quota")


def down(status: int = 500) -> ModelSays:
    return error(status, "The server had an error.", "server_error")


def overflow() -> ModelSays:
    message = "This model's maximum context length is 8192 tokens. Please reduce the length of the messages."
    return error(400, message, "context_length_exceeded")


def elsewhere(address: str) -> ModelSays:
    return ModelSays(status=307, body=b"", headers={"Location": address})


def error(status: int, message: str, code: str | None = None, param: str | None = None) -> ModelSays:
    inner = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return replace(raw({"error": inner}), status=status)


def raw(value: object) -> ModelSays:
    """Any JSON body."""
    return ModelSays(body=json.dumps(value).encode())


def completion(says: ModelSays, model: str, read: int) -> dict[str, Any]:
    """The whole reply as the API puts it."""
    message: dict[str, Any] = {"role": "assistant", "content": says.text, "refusal": says.refusal}
    if says.reasoning is not None:
        message["reasoning_content"] = says.reasoning
    if says.call is not None:
        function = {"name": "answer", "arguments": says.call}
        message["tool_calls"] = [{"id": "call-1", "type": "function", "function": function}]
    found: dict[str, Any] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": says.finish, "logprobs": None}],
    }
    return {**found, "usage": usage(says, read)} if says.counted else found


def usage(says: ModelSays, read: int) -> dict[str, Any]:
    written = len(says.text or says.reasoning or says.call or "") // 4 + 1
    cost = {} if says.cost is None else {"cost": says.cost}
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written, **cost}


def events(says: ModelSays, model: str, read: int, with_usage: bool) -> Sequence[bytes]:
    """The reply as server-sent events, without what comes of `breaks`."""
    text = says.text or ""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    size = max(7, len(text) // 50)  # a long text would be thousands of events
    deltas += [{"content": text[start : start + size]} for start in range(0, len(text), size)]
    if says.refusal:
        deltas.append({"refusal": says.refusal})
    ends = [None] * len(deltas) + [says.finish]
    rows: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
        for delta, end in zip([*deltas, {}], ends, strict=True)
    ]
    if with_usage and says.counted:
        rows.append({"choices": [], "usage": usage(says, read)})
    head: dict[str, Any] = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": model}
    told = [b"data: " + json.dumps({**head, **row}).encode() + b"\n\n" for row in rows]
    return [*told, b"data: [DONE]\n\n"]
