"""What is in the person's Zotero: items with their notes and files, and collections."""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from connectors.errors import BadResponse
from connectors.records.clean import clean_text
from connectors.zotero.client import ZoteroClient, answered, listed
from connectors.zotero.errors import NAME, Moved, NoSuchCollection

LIBRARY = "/users/0"
"""The library of whoever uses this Zotero."""
PAGE = 100
MOST_ITEMS = 200_000
_KEY = re.compile(r"[A-Z0-9]{8}")
_WITHOUT_FILE = ("linked_url", "embedded_image")


@dataclass(slots=True)
class ZoteroItem:
    """An item's own fields (`data`), the notes below it as they stand, and the paths that its files have."""

    key: str
    data: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


class Collection(NamedTuple):
    """A collection, with the names of those that it is in: `Thesis/Chapter 2`."""

    key: str
    path: str


class About(NamedTuple):
    """Which Zotero answers: `server` is its id, "" before version 10, which cannot be written to by this API."""

    server: str


async def about(client: ZoteroClient) -> About:
    """Raises `SourceError`: `NotRunning` and `ApiOff` are told apart here."""
    reply = answered(await client.ask("GET", "/api/"))
    if "zotero-api-version" not in reply.headers:
        raise BadResponse(NAME, f"is not what answers at {client.place}; another program has taken its place.")
    return About(clean_text(reply.headers.get("zotero-server-id"), 100))


async def items(
    client: ZoteroClient,
    collection: Collection | None = None,
    *,
    below: bool = True,
    told: Callable[[int], None] = lambda more: None,
) -> list[ZoteroItem]:
    """The items that stand on their own, of the library or of a collection, with what hangs `below` them; nothing of
    what is in the trash. `told` is called with how many more items, notes and files were read.

    Raises `SourceError`; nothing is given of a library that could not be read whole.
    """
    if collection is None and below:
        rows = [row async for row in _pages(client, f"{LIBRARY}/items", told)]
        tops = [row for row in rows if not _data(row).get("parentItem")]
        children = [row for row in rows if _data(row).get("parentItem")]
    else:
        place = f"/collections/{collection.key}" if collection else ""
        tops = [row async for row in _pages(client, f"{LIBRARY}{place}/items/top", told)]
        children = [
            child
            for row in tops
            if below and _may_have_children(row)
            async for child in _pages(client, f"{LIBRARY}/items/{row['key']}/children", told)
        ]
    found = {row["key"]: ZoteroItem(row["key"], _data(row)) for row in tops if not _data(row).get("deleted")}
    for row in children:
        told(1)
        if _data(row).get("deleted"):
            continue
        if parent := found.get(str(_data(row).get("parentItem"))):
            await _hang(client, parent, row)
    return list(found.values())


async def collections(client: ZoteroClient) -> list[Collection]:
    """All collections of the library. Raises `SourceError`."""
    rows = [row async for row in _pages(client, f"{LIBRARY}/collections", lambda more: None)]
    named = {row["key"]: (clean_text(_data(row).get("name")), _data(row).get("parentCollection")) for row in rows}
    return [Collection(key, _path(key, named)) for key in named]


def collection_named(name: str, among: Sequence[Collection]) -> Collection | None:
    """The collection that `name` means, by its own name or by its path; None if there is none.

    Raises `NoSuchCollection` if several have the name.
    """
    wanted = name.strip().strip("/").casefold()
    found = [one for one in among if one.path.casefold() == wanted]
    found = found or [one for one in among if one.path.casefold().endswith(f"/{wanted}")]
    if len(found) > 1:
        told = ", ".join(sorted(one.path for one in found)[:5])
        raise NoSuchCollection(NAME, f"has {len(found)} collections called {name!r}: name one by its path ({told}).")
    return found[0] if found else None


async def existing_collection(client: ZoteroClient, name: str) -> Collection:
    """The collection that `name` means. Raises `NoSuchCollection`, which names those that there are."""
    among = await collections(client)
    if found := collection_named(name, among):
        return found
    told = ", ".join(sorted(one.path for one in among)[:10])
    there = f"there are {told}{', …' if len(among) > 10 else ''}" if told else "it has none at all"
    raise NoSuchCollection(NAME, f"has no collection called {name!r}; {there}.")


async def _pages(client: ZoteroClient, path: str, told: Callable[[int], None]) -> AsyncIterator[dict[str, Any]]:
    """Each object of a list, page by page: without a limit Zotero answers with the whole library at once."""
    seen: set[str] = set()
    while True:
        order = {} if path.endswith("/collections") else {"sort": "dateAdded", "direction": "asc"}
        reply = await client.get(path, limit=PAGE, start=len(seen), **order)
        total = reply.headers.get("total-results", "")
        if not (total.isascii() and total.isdecimal() and len(total) < 10):
            raise BadResponse(NAME, "does not say how much it has (Total-Results); is it Zotero that runs there?")
        if int(total) > MOST_ITEMS:
            raise BadResponse(NAME, f"has {int(total):,} items, more than the {MOST_ITEMS:,} that are read at once.")
        rows = [
            row for row in listed(reply) if _KEY.fullmatch(str(row.get("key"))) and isinstance(row.get("data"), dict)
        ]
        new = {row["key"]: row for row in rows if row["key"] not in seen}
        seen |= new.keys()
        for row in new.values():
            yield row
        told(len(new))
        if len(seen) >= int(total):
            return
        if not new:
            raise Moved(
                NAME, f"told {len(seen):,} of {int(total):,} items; did its library change meanwhile? Try again."
            )


async def _hang(client: ZoteroClient, parent: ZoteroItem, row: dict[str, Any]) -> None:
    """Put a note or a file to the item that it belongs to; annotations and links are left where they are."""
    data = _data(row)
    if data.get("itemType") == "note" and isinstance(data.get("note"), str) and data["note"].strip():
        parent.notes.append(data["note"])
    if data.get("itemType") == "attachment" and data.get("linkMode") not in _WITHOUT_FILE:
        reply = await client.ask("GET", f"/api{LIBRARY}/items/{row['key']}/file", headers={"zotero-api-version": "3"})
        if reply.status in (400, 404):
            return  # a file that is only on another machine, or none at all
        if reply.status != 302:
            answered(reply)
        if path := path_of(reply.headers.get("location", "")):
            parent.files.append(path)


def path_of(location: str) -> str:
    """The path that a `file://` address names on this machine; "" for anything else, another machine's too."""
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


def _path(key: str, named: dict[str, tuple[str, Any]]) -> str:
    names: list[str] = []
    met: set[str] = set()
    while key in named and key not in met:
        met.add(key)
        names.append(named[key][0])
        key = str(named[key][1])
    return "/".join(reversed(names))
