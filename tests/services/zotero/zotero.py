"""What Zotero answers, by the rules of its local server (versions 7 to 10)."""

from __future__ import annotations

import json
import math
import random
import re
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from tests.services.http.message import Reply, Request, json_reply
from tests.services.zotero.schema import invalid_part

_LETTERS = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"
_HOSTS = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$")
_SORTS = frozenset("dateAdded dateModified title creator itemType date publisher publicationTitle".split())
MOST_OBJECTS = 50
Json = dict[str, Any]


class Refused(Exception):
    """Zotero drops the connection without an answer."""


@dataclass
class Zotero:
    """One Zotero with one library.

    `answer_of_dialog` is what the person does: yes and remember, yes once, no, or (after `dialog_seconds`) nothing.
    `selected` is the key of the collection that is selected in the window, "" for the library itself.
    """

    version: int = 9
    api_on: bool = True
    answer_of_dialog: Literal["remember", "once", "no"] = "remember"
    dialog_seconds: float = 0.0
    window: float = 60.0
    """Seconds in which it asks five times at most."""
    editable: bool = True
    selected: str = ""
    own_user: str = "475425"
    server: str = "Zs3rverId012"
    refused_objects: dict[str, str] = field(default_factory=dict)
    """Why an object is not taken, by its title."""
    statuses: dict[str, int] = field(default_factory=dict)
    """The status that a request gets whose target holds a text."""
    moves_after: int = 0
    """Writes after which another Zotero answers at this place."""
    writes: int = 0
    items: dict[str, Json] = field(default_factory=dict)
    collections: dict[str, Json] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """The path of an attachment's file, by the attachment's key."""
    dialogs: int = 0
    largest_page: int = 0
    keys: dict[str, bool] = field(default_factory=dict)
    """Keys for writing; False for one that is good for one write only."""

    def __post_init__(self) -> None:
        self._random = random.Random(7)
        self._sessions: set[str] = set()
        self._asked: deque[float] = deque()

    # What a person does in the window.

    def new_key(self) -> str:
        while (key := "".join(self._random.choices(_LETTERS, k=8))) in self.items or key in self.collections:
            pass
        return key

    def add(self, data: Json, **more: Any) -> str:
        key = self.new_key()
        self.items[key] = {"tags": [], "collections": [], "relations": {}, **data, **more, "key": key, "version": 0}
        return key

    def add_collection(self, name: str, parent: str = "") -> str:
        key = self.new_key()
        self.collections[key] = {"name": name, "parentCollection": parent or False, "key": key, "version": 0}
        return key

    def attach(self, parent: str, path: str, mode: str = "imported_file") -> str:
        key = self.add({"itemType": "attachment", "linkMode": mode, "parentItem": parent, "title": "Full Text PDF"})
        self.files[key] = path
        return key

    def tops(self) -> list[Json]:
        return [item for item in self.items.values() if not item.get("parentItem")]

    def children(self, parent: str) -> list[Json]:
        return [item for item in self.items.values() if item.get("parentItem") == parent]

    # What it answers.

    def seconds_for_dialog(self, request: Request) -> float:
        return self.dialog_seconds if request.path == "/api/local/authorize" else 0.0

    def answer(self, request: Request) -> Reply:
        headers = request.headers
        page = headers.get("user-agent", "").startswith("Mozilla/") or "origin" in headers
        if page and not {"zotero-allowed-request", "x-zotero-connector-api-version"} & headers.keys():
            raise Refused
        if not _HOSTS.match(headers.get("host", "")):
            return _plain("Invalid Host header", 400)
        if status := next((status for part, status in self.statuses.items() if part in request.target), None):
            return _plain("as it was told", status)
        if request.path.startswith("/connector/"):
            return self._connector(request)
        if not request.path.startswith("/api/"):
            return _plain("No endpoint found", 404)
        return self._api(request)

    def _api(self, request: Request) -> Reply:
        if not self.api_on:
            return _plain("Local API is not enabled", 403)
        reply = self._of_api(request)
        reply.headers.setdefault("Zotero-API-Version", "3")
        if self.version >= 10:
            reply.headers.setdefault("Zotero-Server-ID", self.server)
        return reply

    def _of_api(self, request: Request) -> Reply:
        path = request.path.removeprefix("/api")
        if path == "/":
            return _plain("Nothing to see here.")
        if request.headers.get("zotero-api-version", "3") != "3":
            return _plain("Zotero-API-Version not implemented", 501)
        if path == "/local/authorize" and self.version >= 10:
            return self._authorize(request)
        user = re.match(r"/users/(\d+)(/.*)", path)
        if not user:
            return _plain("Not found", 404)
        if user[1] not in ("0", self.own_user):
            return _plain("Only data for the logged-in user is available locally -- use userID 0", 400)
        if request.method == "POST":
            return self._write(request, user[2])
        if request.parameters.get("format", "json") == "atom" or request.parameters.get("content") == "bib":
            return _plain("Not implemented", 501)
        return self._read(request, user[2])

    def _read(self, request: Request, path: str) -> Reply:
        if found := re.fullmatch(r"/items/(\w+)/file", path):
            return self._file(found[1])
        rows = self._rows(path)
        if rows is None:
            return _plain("Not found", 404)
        parameters = request.parameters
        if (sort := parameters.get("sort", "dateAdded")) not in _SORTS:
            return _plain(f"Invalid 'sort' value '{sort}'", 400)
        start = int(parameters.get("start", "0"))
        limit = int(parameters.get("limit", "0")) or len(rows)  # without a limit the whole library at once
        page = rows[start : start + limit]
        self.largest_page = max(self.largest_page, len(page))
        return json_reply([self._row(row) for row in page], Total_Results=str(len(rows)))

    def _rows(self, path: str) -> list[Json] | None:
        if path == "/items":
            return list(self.items.values())
        if path == "/items/top":
            return self.tops()
        if path == "/collections":
            return list(self.collections.values())
        if found := re.fullmatch(r"/items/(\w+)/children", path):
            return self.children(found[1]) if found[1] in self.items else None
        if found := re.fullmatch(r"/collections/(\w+)/items(/top)?", path):
            if found[1] not in self.collections:
                return None
            tops = [item for item in self.tops() if found[1] in item["collections"]]
            below = [] if found[2] else [child for item in tops for child in self.children(item["key"])]
            return tops + below
        return None

    def _row(self, data: Json) -> Json:
        meta = {"numChildren": len(self.children(data["key"]))} if "itemType" in data else {}
        library = {"type": "user", "id": int(self.own_user), "name": "My Library", "links": {}}
        return {
            "key": data["key"],
            "version": data["version"],
            "library": library,
            "links": {},
            "meta": meta,
            "data": data,
        }

    def _file(self, key: str) -> Reply:
        if key not in self.files:
            return _plain("Not found", 404)
        path = self.files[key]
        location = path if "://" in path else f"file://{quote(path)}"
        return Reply(302, b"", "text/plain", {"Location": location})

    def _authorize(self, request: Request) -> Reply:
        now = time.monotonic()
        while self._asked and now - self._asked[0] >= self.window:
            self._asked.popleft()
        if len(self._asked) >= 5:
            wait = math.ceil(self._asked[0] + self.window - now)
            return Reply(429, b"Too many authorization requests", "text/plain", {"Retry-After": str(wait)})
        if not json.loads(request.body).get("appName"):
            return _plain("appName not provided", 400)
        self._asked.append(now)
        self.dialogs += 1
        if self.answer_of_dialog == "no":
            return json_reply({"denied": True}, 403)
        key = f"key{self.dialogs:021}"
        self.keys[key] = self.answer_of_dialog == "remember"
        return json_reply({"key": key, "remember": self.keys[key]})

    def _write(self, request: Request, path: str) -> Reply:
        if self.version < 10:
            return _plain("Endpoint does not support method", 400)
        key = request.headers.get("zotero-api-key", "")
        if not key:
            return _plain("API key required -- POST /api/local/authorize to obtain one", 401)
        if key not in self.keys:
            return _plain("Invalid or expired API key", 401)
        if "zotero-server-id" not in request.headers:
            return _plain("Zotero-Server-ID not provided", 428)
        if request.headers["zotero-server-id"] != self.server:
            return _plain("Zotero-Server-ID does not match", 412)
        objects = json.loads(request.body)
        if not isinstance(objects, list):
            return _plain("Uploaded data must be a JSON array", 400)
        if len(objects) > MOST_OBJECTS:
            return _plain("Too many objects submitted", 413)
        if not self.keys[key]:
            del self.keys[key]
        kinds = {"/items": self._new_item, "/collections": self._new_collection}
        if path not in kinds:
            return _plain("Not found", 404)
        done: dict[str, Json] = {"successful": {}, "success": {}, "unchanged": {}, "failed": {}}
        for place, one in enumerate(objects):
            try:
                data = kinds[path](one)
            except ValueError as reason:
                done["failed"][str(place)] = {"code": 400, "message": str(reason)}
                continue
            done["successful"][str(place)] = self._row(data)
            done["success"][str(place)] = data["key"]
        self.writes += 1
        if self.writes == self.moves_after:
            self.server = "An0therServr"
        return json_reply(done)

    def _new_item(self, sent: Json) -> Json:
        if reason := self.refused_objects.get(str(sent.get("title"))):
            raise ValueError(reason)
        if reason := invalid_part(sent):
            raise ValueError(reason)
        parent = sent.get("parentItem")
        if parent and parent not in self.items:
            raise ValueError(f"Parent item {parent} doesn't exist")
        for key in sent.get("collections", ()):
            if key not in self.collections:
                raise ValueError(f"Collection {key} doesn't exist")
        key = self.add(sent)
        if sent["itemType"] == "attachment" and sent.get("path"):
            self.files[key] = sent["path"]
        return self.items[key]

    def _new_collection(self, sent: Json) -> Json:
        if not sent.get("name"):
            raise ValueError("Collection name not provided")
        return self.collections[self.add_collection(sent["name"], sent.get("parentCollection") or "")]

    def _connector(self, request: Request) -> Reply:
        if request.path == "/connector/ping":
            return Reply(200, b"<!DOCTYPE html><html></html>", "text/html", {"X-Zotero-Version": f"{self.version}.0"})
        if request.path != "/connector/saveItems" or request.method != "POST":
            return _plain("No endpoint found", 404)
        if int(request.headers.get("x-zotero-connector-api-version", "3")) < 3:
            return json_reply({"error": "CONNECTOR_VERSION_OUTDATED"}, 400)
        sent = json.loads(request.body)
        if sent["sessionID"] in self._sessions:
            return json_reply({"error": "SESSION_EXISTS"}, 409)
        if not self.editable:
            return json_reply({"libraryEditable": False}, 500)
        self._sessions.add(sent["sessionID"])
        for item in sent["items"]:
            self._translated(item)
        return Reply(201, b"")

    def _translated(self, sent: Json) -> None:
        """An item in the form of translators: notes and files in it, and fields that its type has not are dropped."""
        notes, attachments = sent.pop("notes", []), sent.pop("attachments", [])
        while (reason := invalid_part(sent)) and (wrong := re.match(r"'(\w+)' is not a valid field", reason)):
            del sent[wrong[1]]
        if reason:
            raise AssertionError(f"Zotero would throw: {reason}")
        parent = self.add(sent, collections=[self.selected] if self.selected else [])
        for note in notes:
            self.add({"itemType": "note", "parentItem": parent, "note": note["note"]})
        assert not attachments, "a local file cannot come this way"


def _plain(text: str, status: int = 200) -> Reply:
    return Reply(status, text.encode(), "text/plain")
