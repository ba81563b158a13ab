"""Interpret an endpoint's reply: the model's text, or the error that it reports. Pure functions that trust nothing."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import NamedTuple

from agents.llm.errors import (
    ModelDown,
    ModelError,
    NoSuchModel,
    NotAllowed,
    QuotaGone,
    Rejected,
    SlowedDown,
    TooLong,
    Unavailable,
    Unusable,
)
from agents.llm.prompt import is_about_parameters
from connectors.http.json_values import listing, mapping
from connectors.records.clean import clean_text

_NAME = r"(?:\w+:)?(?:begin_of_|start_)?(?:think(?:ing)?|thoughts?|reasoning)"
_END = r"(?:/|end_(?:of_)?)"
_CHANNEL = r"(?:<\|start\|>assistant\s{0,5})?<\|channel\|>\s{0,5}"
_MESSAGE = r"[^<>]{0,40}(?:<\|constrain\|>[^<>]{0,20})?<\|message\|>"
_TAG = re.compile(
    rf"(?<!`)<\|?(?:(?P<end>{_END}){_NAME}|{_NAME})\|?>"
    r"|(?-i:(?P<bracketed_end>\[/THINK\])|\[THINK\])"
    r"|(?P<arrowed_end>◁/think(?:ing)?▷)|◁think(?:ing)?▷"
    r"|(?P<channel_end><channel\|>|<unused95>)|<(?:\|channel|unused94)>thought"  # Gemma
    r"|(?P<bare_end>assistantfinal)"  # a harmony channel without its tokens, which the server dropped
    rf"|{_CHANNEL}(?:(?P<final>final\b{_MESSAGE})|\w+{_MESSAGE})",
    re.IGNORECASE,
)
_CLOSING_TOKENS = ("<|return|>", "<|end|>", "<|im_end|>", "<|eot_id|>")
_MOST_BRACES = 200
_DECODER = json.JSONDecoder()


def without_thoughts(text: str) -> str:
    """Return `text` without thoughts; "" if nothing else is left.

    A closing tag without an opening one ends a thought that began with the text; an opening tag without a closing one
    starts a thought up to the end, because servers may drop either tag. Tags inside a JSON object or behind a backtick
    are text.
    """
    parts, at = list[str](), 0
    while tag := _TAG.search(text, at):
        if (end := _end_of_object(text, at, tag.start())) is not None:
            parts.append(text[at:end])
            at = end
        elif any(tag.groups()):  # a closing tag
            if text[tag.end() :].strip():
                parts = []
            else:
                parts.append(text[at : tag.start()])
            at = tag.end()
        else:
            parts.append(text[at : tag.start()])
            closing = next((later for later in _TAG.finditer(text, tag.end()) if any(later.groups())), None)
            at = closing.end() if closing else len(text)
    parts.append(text[at:])
    whole = "".join(parts)
    while token := next(filter(whole.rstrip().endswith, _CLOSING_TOKENS), ""):
        whole = whole.rstrip().removesuffix(token)
    return whole


def _end_of_object(text: str, start: int, position: int) -> int | None:
    """Return the end of the JSON object that begins between `start` and `position` and ends after `position`."""
    brace = text.find("{", start, position)
    for _ in range(_MOST_BRACES):
        if brace < 0:
            return None
        try:
            _, end = _DECODER.raw_decode(text, brace)
        except (ValueError, RecursionError):
            end = brace + 1
        if end > position:
            return end
        brace = text.find("{", end, position)
    return None


QUOTE_CAP = 200
TOKENS_CAP = 100_000_000
LONGEST_VECTOR = 16_384
MONEY_CAP = 10_000.0
_OVERFLOW = re.compile(
    r"context_length_exceeded|context (?:length|window|size)|maximum (?:prompt|input) length|prompt is too long"
    r"|too many (?:input )?tokens|reduce the length|input is too long"
)
_QUOTA = re.compile(r"insufficient_quota|insufficient (?:balance|credits|funds)|billing|exceeded your current quota")
_UNKNOWN_MODEL = re.compile(r"model_not_found|model .*(?:not (?:exist|found)|unknown)|no such model|invalid model")


class ModelReply(NamedTuple):
    """The model's text and how it ended. Tokens and cost are None if the endpoint does not report them.

    `thought` is whether the model reasoned before it answered; its reasoning is not part of the text.
    """

    text: str
    finish: str = "stop"
    refusal: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    thought: bool = False


def read_reply(subject: str, status: int, headers: Mapping[str, str], body: bytes) -> ModelReply:
    """Return the text of a complete reply. Raises the `ModelError` that it reports; `subject` begins the error's
    sentence."""
    reply = _json(body)
    if 200 <= status < 300 and isinstance(reply, dict) and listing(reply.get("choices")):
        return read_choice(reply, "message", headers)
    if 200 <= status < 300 and isinstance(reply, dict) and reply.get("error"):
        # Some gateways report an upstream error as a 200 and put its status into the body.
        code = mapping(reply["error"]).get("code")
        status = code if isinstance(code, int) and 400 <= code < 600 else 500
    if 200 <= status < 300:
        raise _no_answer(subject, reply)
    raise fault(subject, status, headers, body)


def read_vectors(
    subject: str, status: int, headers: Mapping[str, str], body: bytes, texts: int
) -> tuple[list[list[float]], int | None]:
    """Return the vectors of a complete reply, one per text, and the number of tokens read.

    Raises the `ModelError` that the reply reports. A vector of the wrong length, of zeros only, or with anything but
    finite numbers makes the whole reply unusable.
    """
    if not 200 <= status < 300:
        raise fault(subject, status, headers, body)
    reply = mapping(_json(body))
    rows = sorted(map(mapping, listing(reply.get("data"))), key=lambda row: _index(row.get("index")))
    vectors = [_vector(row.get("embedding")) for row in rows]
    lengths = {len(vector) for vector in vectors}
    if (
        len(vectors) != texts
        or len(lengths) != 1
        or not min(lengths)
        or len({_index(row.get("index")) for row in rows}) != texts
    ):
        raise Unusable(f"{subject} did not give one vector for each text.")
    return vectors, tokens(reply.get("usage"), "prompt_tokens")


def _index(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _vector(value: object) -> list[float]:
    """Return a list of finite numbers, not all 0; empty for anything else."""
    numbers = listing(value)[:LONGEST_VECTOR]
    vector = [float(number) for number in numbers if isinstance(number, int | float) and not isinstance(number, bool)]
    whole = len(vector) == len(numbers) and all(map(isfinite, vector)) and any(vector)
    return vector if whole else []


def fault(subject: str, status: int, headers: Mapping[str, str], body: bytes) -> ModelError:
    """Return the error for a reply with an error `status`."""
    message, code = _message(_json(body))
    complaint = f"{code} {message}".strip().lower()
    quote = f": “{clean_text(message, QUOTE_CAP)}”" if message else ""
    if status in (401, 403):
        # The service's own words may repeat a part of the key.
        return NotAllowed(f"{subject} refuses the key (HTTP {status}); check OPENAI_API_KEY and OPENAI_BASE_URL.")
    if status == 402 or (status in (400, 429) and _QUOTA.search(complaint)):
        return QuotaGone(
            f"{subject} has no quota left for this key (HTTP {status}); check the account's plan and billing."
        )
    if status == 429:
        wait = _wait(headers)
        when = f" for {wait:.0f} s" if wait is not None else ""
        return SlowedDown(f"{subject} got requests too fast and asks for a pause{when}; try again later.", wait)
    if status == 413 or _OVERFLOW.search(complaint):
        return TooLong(f"{subject} cannot read a prompt of this length{quote}.")
    if is_about_parameters(complaint):
        return Rejected(f"{subject} refuses the request (HTTP {status}){quote}.", complaint)
    if status == 404 or (status == 400 and _UNKNOWN_MODEL.search(complaint)):
        return NoSuchModel(
            f"{subject} is not known there (HTTP {status}){quote}; check SPAR_MODEL, and that OPENAI_BASE_URL is the "
            "address of the API, which usually ends in /v1."
        )
    if 300 <= status < 400:
        return Rejected(
            f"{subject} redirects elsewhere, which is not followed; set OPENAI_BASE_URL to that address.", ""
        )
    if status in (408, 409, 425) or status >= 500:
        return Unavailable(f"{subject} is not working right now (HTTP {status}){quote}; try again later.")
    return Rejected(f"{subject} refuses the request (HTTP {status}){quote}.", complaint)


def event_fault(subject: str, error: object) -> ModelError:
    """Return the error for an error event in a stream."""
    message, code = _message({"error": error})
    status = 429 if re.search(r"rate_limit|quota", code) else 400 if "context" in code else 500
    reply_fault = fault(subject, status, {}, json.dumps({"error": {"message": message, "code": code}}).encode())
    # The endpoint has read the prompt.
    return ModelDown(reply_fault.sentence) if isinstance(reply_fault, Unavailable) else reply_fault


def tokens(usage: object, name: str) -> int | None:
    """Return a plausible number of tokens from a reply's `usage`."""
    value = mapping(usage).get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= TOKENS_CAP else None


def words(content: object) -> str:
    """Return a message's content as text; some endpoints send it in parts."""
    if isinstance(content, list):
        return "".join(words(mapping(part).get("text")) for part in content)
    return content if isinstance(content, str) else ""


def money(usage: object, headers: Mapping[str, str]) -> float | None:
    """Return the cost of a request in USD, as the endpoint reports it: OpenRouter in `usage`, LiteLLM in a header."""
    fields = mapping(usage)
    upstream = mapping(fields.get("cost_details")).get("upstream_inference_cost")
    cost = fields.get("cost", fields.get("total_cost"))
    try:
        usd = float(str(headers.get("x-litellm-response-cost", "") if cost is None else cost))
        usd += float(str(upstream)) if upstream is not None and fields.get("is_byok") else 0.0
    except ValueError:
        return None
    return usd if 0 <= usd <= MONEY_CAP else None


def thought(message: object, usage: object) -> bool:
    """Whether the model reasoned before it answered, as far as the reply shows."""
    fields, details = mapping(message), mapping(mapping(usage).get("completion_tokens_details"))
    if words(fields.get("reasoning_content")) or words(fields.get("reasoning")) or tokens(details, "reasoning_tokens"):
        return True
    return _TAG.match(words(fields.get("content")).lstrip()) is not None


def read_choice(reply: Mapping[str, object], field: str, headers: Mapping[str, str]) -> ModelReply:
    """Return the first choice of a reply; its text is in `field`, the "message" of a whole reply or the "delta" of a
    piece."""
    choices, usage = listing(reply.get("choices")), reply.get("usage")
    choice = mapping(choices[0]) if choices else {}
    message, finish = mapping(choice.get(field)), choice.get("finish_reason")
    return ModelReply(
        words(message.get("content")) if field == "delta" else _answer_text(message, finish != "length"),
        finish if isinstance(finish, str) else "" if field == "delta" else "stop",
        words(message.get("refusal")),
        tokens(usage, "prompt_tokens"),
        tokens(usage, "completion_tokens"),
        money(usage, headers),
        thought(message, usage),
    )


def _answer_text(message: Mapping[str, object], whole: bool) -> str:
    """Return the answer from whichever field holds it: the content, else the arguments of a call, else the reasoning if
    it is complete."""
    content = words(message.get("content"))
    if content.strip():
        return content
    calls = [*listing(message.get("tool_calls")), {"function": message.get("function_call")}]
    for call in calls:
        arguments = mapping(mapping(call).get("function")).get("arguments")
        if arguments:
            return arguments if isinstance(arguments, str) else json.dumps(arguments)
    reasoned = words(message.get("reasoning_content")) or words(message.get("reasoning"))
    return reasoned if whole and "{" in reasoned else ""


def _no_answer(subject: str, reply: object) -> Unusable:
    if isinstance(reply, str):
        reason = "did not answer with JSON but, for example, a web page; is a login page or proxy in between?"
        return Unusable(f"{subject} {reason}")
    reason = "answered without any text; is OPENAI_BASE_URL the address of a chat model's API?"
    return Unusable(f"{subject} {reason}", complaint="it was empty.")


def _json(body: bytes) -> object:
    text = body.decode("utf-8-sig", "replace")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _message(body: object) -> tuple[str, str]:
    """Return the message of an error, and its code with the parameter's name, from any of the usual forms."""
    if isinstance(body, str):
        return ("" if "<" in body else body[:2_000]), ""
    whole = mapping(body)
    inner = whole.get("error") or whole.get("detail") or whole
    if isinstance(inner, str):
        return inner, ""
    fields = mapping(inner)
    message = fields.get("message") or whole.get("message")
    codes = [fields.get(name) for name in ("code", "param", "type")]
    if not isinstance(message, str):
        message = json.dumps(inner, ensure_ascii=False)[:2_000] if inner and inner is not whole else ""
    return message, " ".join(code for code in codes if isinstance(code, str))


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return the delay in seconds that the endpoint requests; None if it requests none."""
    import httpx

    from connectors.http.responses import HttpReply, retry_after

    until = retry_after(HttpReply(429, httpx.Headers(dict(headers)), b""))
    return max((until - datetime.now(UTC)).total_seconds(), 0.0) if until else None
