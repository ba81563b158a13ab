"""Adding to the person's Zotero: by its local API, which asks first, or as browsers do in versions before that."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from connectors.errors import BadQuery, BadResponse, RateLimited, SourceUnavailable
from connectors.http.responses import Reply, json_body, quoted
from connectors.records.clean import clean_text
from connectors.zotero.client import ZoteroClient, answered
from connectors.zotero.errors import NAME, ApiOff, Denied, KeyRefused
from connectors.zotero.library import LIBRARY, Collection

MOST_AT_ONCE = 50
"""Objects that one request may write."""
YES_SECONDS = 180.0
"""How long the person has for a yes in Zotero's dialog."""
LONGEST_PAUSE = 90.0
"""Seconds that Zotero may want before it asks the person again; more are not waited for."""
APP_NAME = "spar"

JsonObject = Mapping[str, Any]


@dataclass(slots=True)
class Written:
    """What became of the objects of one or more requests, by their place: the key of each that is there now, and why
    each other is not."""

    keys: dict[int, str] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)


class Writer:
    """The right to write to one Zotero (10 or later), asked of the person when it is first needed.

    A person who does not let Zotero remember the answer is asked for every request; `waiting` is called each time with
    a sentence.
    """

    def __init__(self, client: ZoteroClient, server: str, waiting: Callable[[str], None]) -> None:
        self._client, self._server, self._waiting = client, server, waiting
        self._key, self._warned = "", False

    async def items(self, items: Sequence[JsonObject]) -> Written:
        """Add items, fifty at a time. Raises `SourceError`."""
        return await self._all(f"{LIBRARY}/items", items)

    async def collection(self, name: str) -> Collection:
        """A new collection. Raises `SourceError`."""
        done = await self._all(f"{LIBRARY}/collections", [{"name": name}])
        if 0 not in done.keys:
            raise BadQuery(NAME, f"did not make the collection {name!r}: {done.failed.get(0, 'it gave no reason')}.")
        return Collection(done.keys[0], name)

    async def _all(self, path: str, objects: Sequence[JsonObject]) -> Written:
        whole = Written()
        for start in range(0, len(objects), MOST_AT_ONCE):
            part = objects[start : start + MOST_AT_ONCE]
            done = read_written(await self._post(path, part), len(part))
            whole.keys.update({start + place: key for place, key in done.keys.items()})
            whole.failed.update({start + place: why for place, why in done.failed.items()})
        return whole

    async def _post(self, path: str, objects: Sequence[JsonObject]) -> Reply:
        """One write. A key that was good for one only is asked for anew; then nothing was written, so it is safe."""
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
        raise KeyRefused(NAME, "does not take the permission that it gave; run this again.")

    async def _permission(self) -> str:
        """The key that the person's yes gives."""
        self._waiting("waiting for your yes in Zotero's window")
        reply = await self._authorize()
        if reply.status == 429:
            fault = _too_often(reply)
            await _pause(fault, self._waiting)
            reply = await self._authorize()
        if reply.status == 403 and b"denied" in reply.body:
            raise Denied(NAME, "did not let spar write: its question was answered with no; run this again to be asked.")
        found = json_body(NAME, answered(reply))
        key = found.get("key") if isinstance(found, dict) else None
        if not (isinstance(key, str) and key.isascii() and key.isprintable() and 0 < len(key) <= 200):
            raise BadResponse(NAME, "gave no key with its permission; its version may be too new for spar.")
        if isinstance(found, dict) and not found.get("remember") and not self._warned:
            self._warned = True
            self._waiting(f"this yes is for one request; let Zotero remember it, or it asks for every {MOST_AT_ONCE}")
        return key

    async def _authorize(self) -> Reply:
        return await self._client.ask(
            "POST", "/api/local/authorize", body={"appName": APP_NAME}, headers={"zotero-api-version": "3"},
            seconds=YES_SECONDS,
        )  # fmt: skip


def _too_often(reply: Reply) -> RateLimited:
    try:
        answered(reply)
    except RateLimited as error:
        return error
    raise AssertionError("only a 429 is handed here")


async def _pause(fault: RateLimited, waiting: Callable[[str], None]) -> None:
    """Wait as long as Zotero wants. Raises `fault` where that is unknown or too long."""
    seconds = (fault.until - datetime.now(UTC)).total_seconds() if fault.until else LONGEST_PAUSE + 1
    if seconds > LONGEST_PAUSE:
        raise fault
    waiting(f"Zotero wants a pause of {max(1, round(seconds))} s before it asks you again")
    await asyncio.sleep(max(0.0, seconds))


def read_written(reply: Reply, many: int) -> Written:
    """What became of each object: the reply is 200 even where all have failed."""
    told = json_body(NAME, reply)
    parts = told if isinstance(told, dict) else {}
    done = Written()
    for name in ("success", "unchanged", "successful"):
        for place, value in _members(parts.get(name), many):
            key = value.get("key") if isinstance(value, dict) else value
            if isinstance(key, str):
                done.keys.setdefault(place, key)
    for place, value in _members(parts.get("failed"), many):
        message = value.get("message") if isinstance(value, dict) else ""
        done.failed[place] = clean_text(message, 200) or "it gave no reason"
        done.keys.pop(place, None)
    for place in set(range(many)) - done.keys.keys() - done.failed.keys():
        done.failed[place] = "Zotero did not say what became of it"
    return done


def _members(value: object, many: int) -> list[tuple[int, Any]]:
    listed = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(int(place), one) for place, one in listed if str(place).isdecimal() and int(place) < many]


async def save_by_connector(client: ZoteroClient, items: Sequence[JsonObject], told: Callable[[int], None]) -> None:
    """Add items to the collection that is selected in Zotero's window, as a browser does; every version takes that.

    `told` is called with how many more are safe. Zotero gives no keys back. Raises `SourceError`.
    """
    for start in range(0, len(items), MOST_AT_ONCE):
        part = list(items[start : start + MOST_AT_ONCE])
        reply = await client.ask(
            "POST", "/connector/saveItems", body={"sessionID": uuid4().hex, "uri": "", "items": part},
            headers={"x-zotero-connector-api-version": "3"},
        )  # fmt: skip
        if reply.status == 500 and b"libraryEditable" in reply.body:
            raise BadQuery(NAME, "cannot be added to where it stands: choose a library of your own in its window.")
        if reply.status == 403:
            raise ApiOff(NAME, f"does not let spar add to it{quoted(reply)}.")
        if reply.status != 201:
            answered(reply)
            raise SourceUnavailable(NAME, f"did not say that it saved anything (HTTP {reply.status}).")
        told(len(part))
