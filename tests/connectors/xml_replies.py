"""Replies in XML, as services send them and as nobody should."""

from pathlib import Path

import httpx

from connectors.errors import SourceError
from connectors.http.responses import HttpReply
from tests.connectors import recordings


def xml_reply(body: bytes | str, status: int = 200, content_type: str = "text/xml") -> HttpReply:
    content = body.encode() if isinstance(body, str) else body
    return HttpReply(status, httpx.Headers({"content-type": content_type}), content)


def with_entities(body: str, root: str) -> bytes:
    """`body`, whose element is `root`, under a document type by which `&f;` is a file and `&l11;` a flood."""
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    head = f'<!DOCTYPE {root} [<!ENTITY l0 "ha"><!ENTITY f SYSTEM "file:///etc/hostname">{bomb}]>'
    return body.replace(f"<{root}", f"{head}<{root}", 1).encode()


def brought_nothing_in(found: recordings.Outcome) -> bool:
    """Whether what was read of a reply `with_entities` can be shown, and says nothing of the file."""
    hostname = Path("/etc/hostname")
    secret = hostname.read_text().strip() if hostname.exists() else ""
    kept = isinstance(found, SourceError) or not secret or secret not in found[0].title
    return recordings.is_sound(found) and kept
