"""What goes over the wire: a request as it arrived, a reply as it will be sent."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote
from xml.sax.saxutils import escape

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Request:
    """One request, and what became of it.

    `time` and `ended` are seconds of the monotonic clock: arrival of the whole request, and the moment the last byte
    was sent or the client went away. `query` is raw. Header names are in lower case. `status` is None while the
    request is under way, and stays so if no status line was sent; `fault` names the fault it met, if any.
    """

    time: float
    service: str
    connection: int
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes = b""
    status: int | None = None
    ended: float | None = None
    fault: str | None = None
    number: int = 0

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The decoded parameters in order: those of the address, then those of a form in the body."""
        form = ""
        if "x-www-form-urlencoded" in self.headers.get("content-type", ""):
            form = self.body.decode("utf-8", "replace")
        return parse_qsl(self.query, keep_blank_values=True) + parse_qsl(form, keep_blank_values=True)

    @property
    def parameters(self) -> dict[str, str]:
        """The decoded parameters, the first of each name."""
        return dict(reversed(self.pairs))

    @property
    def raw_pairs(self) -> list[tuple[str, str]]:
        """The parameters of the address, names decoded and values as they were written."""
        parts = (part.partition("=") for part in self.query.split("&") if part)
        return [(unquote(name), value) for name, _, value in parts]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the service says: a whole body, its type and its headers (without lengths, which the server adds)."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)


def json_reply(value: Any, status: int = 200, **headers: str) -> Reply:
    """`value` as JSON; a header name is written with `_` for `-`."""
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return Reply(status, body, headers={name.replace("_", "-"): text for name, text in headers.items()})


def html_reply(text: str, status: int) -> Reply:
    return Reply(status, text.encode(), "text/html; charset=utf-8")


def xml_reply(text: str, status: int = 200, content_type: str = "text/xml; charset=UTF-8") -> Reply:
    return Reply(status, text.encode(), content_type)


def xml_text(value: str) -> str:
    """Escaped for XML text and attributes, without the characters that XML cannot hold."""
    return escape(_NOT_XML.sub("", value), {'"': "&quot;"})
