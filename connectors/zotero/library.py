"""Read the person's Zotero: items with notes and files, and collections."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from connectors.batches import in_batches
from connectors.errors import BadQuery, BadResponse, RateLimited, SourceUnavailable
from connectors.http.responses import HttpReply, json_body, quoted
from connectors.records.clean import clean_text
from connectors.zotero.client import (
    NAME,
    ApiOff,
    Denied,
    KeyRefused,
    Moved,
    NoSuchCollection,
    ZoteroClient,
    answered,
    fault_of,
    listed,
)

LIBRARY = "/users/0"
"""The library of the user of this Zotero."""
PAGE = 100
MOST_ITEMS = 200_000
_KEY = re.compile(r"[A-Z0-9]{8}")
_WITHOUT_FILE = ("linked_url", "embedded_image")


@dataclass(slots=True)
class ZoteroItem:
    """An item's own fields (`data`), its notes unchanged, and the paths of its files."""

    key: str
    data: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


class ZoteroCollection(NamedTuple):
    """A collection, with its path of collection names: `Thesis/Chapter 2`."""

    key: str
    path: str


class ZoteroServer(NamedTuple):
    """The Zotero that answers: `server` is its id, "" before version 10, which this API cannot write to."""

    server: str


async def about(client: ZoteroClient) -> ZoteroServer:
    """Return which Zotero answers. Raises `SourceError`, with `NotRunning` and `ApiOff` distinguished."""
    reply = answered(await client.ask("GET", "/api/"))
    if "zotero-api-version" not in reply.headers:
        raise BadResponse(NAME, f"does not answer at {client.host}, but another program does.")
    return ZoteroServer(clean_text(reply.headers.get("zotero-server-id"), 100))


async def items(
    client: ZoteroClient,
    collection: ZoteroCollection | None = None,
    *,
    below: bool = True,
    progress: Callable[[int], None] = lambda more: None,
) -> list[ZoteroItem]:
    """Return the top-level items of the library or of a collection, with their notes and files if `below`, without the
    trash. `progress` is called with the number of items, notes and files newly read.

    Raises `SourceError`; a library that cannot be read completely returns nothing.
    """
    if collection is None and below:
        rows = [row async for row in _pages(client, f"{LIBRARY}/items", progress)]
        tops = [row for row in rows if not _data(row).get("parentItem")]
        children = [row for row in rows if _data(row).get("parentItem")]
    else:
        path = f"/collections/{collection.key}" if collection else ""
        tops = [row async for row in _pages(client, f"{LIBRARY}{path}/items/top", progress)]
        children = [
            child
            for row in tops
            if below and _may_have_children(row)
            async for child in _pages(client, f"{LIBRARY}/items/{row['key']}/children", progress)
        ]
    entries = {row["key"]: ZoteroItem(row["key"], _data(row)) for row in tops if not _data(row).get("deleted")}
    for row in children:
        progress(1)
        if _data(row).get("deleted"):
            continue
        if parent := entries.get(str(_data(row).get("parentItem"))):
            await _hang(client, parent, row)
    return list(entries.values())


async def collections(client: ZoteroClient) -> list[ZoteroCollection]:
    """Return all collections of the library. Raises `SourceError`."""
    rows = [row async for row in _pages(client, f"{LIBRARY}/collections", lambda more: None)]
    names_by_key = {
        row["key"]: (clean_text(_data(row).get("name")), _data(row).get("parentCollection")) for row in rows
    }
    return [ZoteroCollection(key, collection_path(key, names_by_key)) for key in names_by_key]


def collection_named(name: str, among: Sequence[ZoteroCollection]) -> ZoteroCollection | None:
    """Return the collection with this name or path; None if there is none. Raises `NoSuchCollection` if several have
    the name."""
    path = name.strip().strip("/").casefold()
    collections = [collection for collection in among if collection.path.casefold() == path]
    collections = collections or [collection for collection in among if collection.path.casefold().endswith(f"/{path}")]
    if len(collections) > 1:
        text = ", ".join(sorted(collection.path for collection in collections)[:5])
        raise NoSuchCollection(
            NAME, f"has {len(collections)} collections called {name!r}: name one by its path ({text})."
        )
    return collections[0] if collections else None


async def existing_collection(client: ZoteroClient, name: str) -> ZoteroCollection:
    """Return the collection called `name`. Raises `NoSuchCollection`, which lists the existing ones."""
    among = await collections(client)
    if collection := collection_named(name, among):
        return collection
    text = ", ".join(sorted(collection.path for collection in among)[:10])
    remark = f"there are {text}{', …' if len(among) > 10 else ''}" if text else "it has none"
    raise NoSuchCollection(NAME, f"has no collection called {name!r}; {remark}.")


async def _pages(client: ZoteroClient, path: str, progress: Callable[[int], None]) -> AsyncIterator[dict[str, Any]]:
    """Yield the objects of a list page by page: without a limit Zotero sends the whole library at once."""
    keys: set[str] = set()
    while True:
        order = {} if path.endswith("/collections") else {"sort": "dateAdded", "direction": "asc"}
        reply = await client.get(path, limit=PAGE, start=len(keys), **order)
        total = reply.headers.get("total-results", "")
        if not (total.isascii() and total.isdecimal() and len(total) < 10):
            raise BadResponse(NAME, "does not say how many items it has (Total-Results); is Zotero running there?")
        if int(total) > MOST_ITEMS:
            raise BadResponse(NAME, f"has {int(total):,} items, more than the {MOST_ITEMS:,} that are read at once.")
        rows = [
            row for row in listed(reply) if _KEY.fullmatch(str(row.get("key"))) and isinstance(row.get("data"), dict)
        ]
        new = {row["key"]: row for row in rows if row["key"] not in keys}
        keys |= new.keys()
        for row in new.values():
            yield row
        progress(len(new))
        if len(keys) >= int(total):
            return
        if not new:
            raise Moved(NAME, f"sent {len(keys):,} of {int(total):,} items; its library may have changed; try again.")


async def _hang(client: ZoteroClient, parent: ZoteroItem, row: dict[str, Any]) -> None:
    """Add a note or a file to its item; ignore annotations and links."""
    data = _data(row)
    if data.get("itemType") == "note" and isinstance(data.get("note"), str) and data["note"].strip():
        parent.notes.append(data["note"])
    if data.get("itemType") == "attachment" and data.get("linkMode") not in _WITHOUT_FILE:
        reply = await client.ask("GET", f"/api{LIBRARY}/items/{row['key']}/file", headers={"zotero-api-version": "3"})
        if reply.status in (400, 404):
            return  # a file that is only on another machine, or no file
        if reply.status != 302:
            answered(reply)
        if path := path_of(reply.headers.get("location", "")):
            parent.files.append(path)


def path_of(location: str) -> str:
    """Return the local path of a `file://` address; "" for anything else, including other machines."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc.lower() not in ("", "localhost") or not path.isprintable():
        return ""
    if path.startswith(("//", "/\\")):
        return ""  # a share of another machine
    return path[1:] if re.match(r"/[A-Za-z]:/", path) else path


def _data(row: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = row["data"]
    return data


def _may_have_children(row: dict[str, Any]) -> bool:
    meta = row.get("meta")
    return not (isinstance(meta, dict) and meta.get("numChildren") == 0)


def collection_path(key: str, names_by_key: Mapping[str, tuple[str, Any]]) -> str:
    """Return the names of a collection and those above it; `names_by_key` has each one's name and the key of its
    parent."""
    names: list[str] = []
    visited: set[str] = set()
    while key in names_by_key and key not in visited:
        visited.add(key)
        names.append(names_by_key[key][0])
        key = str(names_by_key[key][1])
    return "/".join(reversed(names))


MOST_AT_ONCE = 50
"""Maximum number of objects per write request."""
YES_SECONDS = 180.0
"""Seconds that the person has to agree in Zotero's dialog."""
LONGEST_PAUSE = 90.0
"""Maximum number of seconds to wait if Zotero requests a pause before asking the person again."""
APP_NAME = "spar"

JsonObject = Mapping[str, Any]


@dataclass(slots=True)
class WrittenItems:
    """The results of write requests, by the index of the object: the key of each stored object, and the error of
    each other."""

    keys: dict[int, str] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)


class Writer:
    """Writes to one Zotero (10 or later), asking the person for permission when first needed.

    If the person does not let Zotero remember the permission, it asks for every request; `waiting` is called each time
    with a sentence.
    """

    def __init__(self, client: ZoteroClient, server: str, waiting: Callable[[str], None]) -> None:
        self._client, self._server, self._waiting = client, server, waiting
        self._key, self._warned = "", False

    async def items(self, items: Sequence[JsonObject]) -> WrittenItems:
        """Add items, fifty at a time. Raises `SourceError`."""
        return await self._all(f"{LIBRARY}/items", items)

    async def collection(self, name: str) -> ZoteroCollection:
        """Create a collection. Raises `SourceError`."""
        result = await self._all(f"{LIBRARY}/collections", [{"name": name}])
        if 0 not in result.keys:
            raise BadQuery(NAME, f"did not make the collection {name!r}: {result.failed.get(0, 'it gave no reason')}.")
        return ZoteroCollection(result.keys[0], name)

    async def _all(self, path: str, objects: Sequence[JsonObject]) -> WrittenItems:
        whole = WrittenItems()
        for start in range(0, len(objects), MOST_AT_ONCE):
            part = objects[start : start + MOST_AT_ONCE]
            result = read_written(await self._post(path, part), len(part))
            whole.keys.update({start + index: key for index, key in result.keys.items()})
            whole.failed.update({start + index: why for index, why in result.failed.items()})
        return whole

    async def _post(self, path: str, objects: Sequence[JsonObject]) -> HttpReply:
        """Send one write request. If the key was valid only once, ask for a new one and retry, which is safe because
        nothing was written."""
        for asked_again in (False, True):
            if not self._key:
                self._key = await self._permission()
            headers = {"zotero-api-key": self._key, "zotero-server-id": self._server, "zotero-api-version": "3"}
            reply = await self._client.ask("POST", f"/api{path}", body=list(objects), headers=headers)
            if reply.status != 401:
                return answered(reply)
            self._key = ""
            if asked_again:
                answered(reply)
        raise KeyRefused(NAME, "no longer accepts its permission; run this again.")

    async def _permission(self) -> str:
        self._waiting("waiting for you to allow it in Zotero's window")
        reply = await self._authorize()
        if isinstance(fault := fault_of(reply), RateLimited):
            await _pause(fault, self._waiting)
            reply = await self._authorize()
        if reply.status == 403 and b"denied" in reply.body:
            raise Denied(NAME, "does not let spar write, because you answered no; run this again to be asked again.")
        value = json_body(NAME, answered(reply))
        key = value.get("key") if isinstance(value, dict) else None
        if not (isinstance(key, str) and key.isascii() and key.isprintable() and 0 < len(key) <= 200):
            raise BadResponse(NAME, "gave no key with its permission; its version may be too new for spar.")
        if isinstance(value, dict) and not value.get("remember") and not self._warned:
            self._warned = True
            self._waiting(
                f"this yes is for one request; let Zotero remember it, or it asks again for every {MOST_AT_ONCE} papers"
            )
        return key

    async def _authorize(self) -> HttpReply:
        return await self._client.ask(
            "POST", "/api/local/authorize", body={"appName": APP_NAME}, headers={"zotero-api-version": "3"},
            seconds=YES_SECONDS,
        )  # fmt: skip


async def _pause(fault: RateLimited, waiting: Callable[[str], None]) -> None:
    """Wait as long as Zotero requests. Raises `fault` if that is unknown or too long."""
    seconds = (fault.until - datetime.now(UTC)).total_seconds() if fault.until else LONGEST_PAUSE + 1
    if seconds > LONGEST_PAUSE:
        raise fault
    waiting(f"Zotero asks for a pause of {max(1, round(seconds))} s before it asks you again")
    await asyncio.sleep(max(0.0, seconds))


def read_written(reply: HttpReply, many: int) -> WrittenItems:
    """Return the result for each object: the status is 200 even if all have failed."""
    body = json_body(NAME, reply)
    parts = body if isinstance(body, dict) else {}
    result = WrittenItems()
    for name in ("success", "unchanged", "successful"):
        for index, value in _members(parts.get(name), many):
            key = value.get("key") if isinstance(value, dict) else value
            if isinstance(key, str):
                result.keys.setdefault(index, key)
    for index, value in _members(parts.get("failed"), many):
        message = value.get("message") if isinstance(value, dict) else ""
        result.failed[index] = clean_text(message, 200) or "it gave no reason"
        result.keys.pop(index, None)
    for index in set(range(many)) - result.keys.keys() - result.failed.keys():
        result.failed[index] = "Zotero did not say what happened to it"
    return result


def _members(value: object, many: int) -> list[tuple[int, Any]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(int(index), member) for index, member in members if str(index).isdecimal() and int(index) < many]


async def save_by_connector(client: ZoteroClient, items: Sequence[JsonObject], progress: Callable[[int], None]) -> None:
    """Add items to the collection selected in Zotero's window, as browsers do, in every version. `progress` is
    called with the number newly stored. Zotero returns no keys. Raises `SourceError`."""
    for part in in_batches(list(items), MOST_AT_ONCE):
        reply = await client.ask(
            "POST", "/connector/saveItems", body={"sessionID": uuid4().hex, "uri": "", "items": part},
            headers={"x-zotero-connector-api-version": "3"},
        )  # fmt: skip
        if reply.status == 500 and b"libraryEditable" in reply.body:
            raise BadQuery(NAME, "is read-only where it is open: choose your own library in its window.")
        if reply.status == 403:
            raise ApiOff(NAME, f"does not let spar add to it{quoted(reply)}.")
        if reply.status != 201:
            answered(reply)
            raise SourceUnavailable(NAME, f"did not say that it saved anything (HTTP {reply.status}).")
        progress(len(part))
