"""The library as resources: `spar://shelf`, `spar://paper/ID`, `spar://run/ID`, each as JSON."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from mcp.types import Resource, ResourceTemplate

from cache import citation_keys, runs, shelf
from cache import papers as library
from cache.errors import NoSuchRun
from cache.store import PaperId, Store
from connectors.identifiers import parse_identifier
from connectors.records.clean import harmless
from spar_tui.mcp.answers import data, paper_objects, record_with_shelf, shelf_entry
from spar_tui.reports.json_runs import run_object

PAGE = 100
"""Saved papers per page of the shelf."""
RUNS = 20
"""Number of past runs listed; older ones can still be read by id."""
LONGEST = 600
_JSON = "application/json"
_SHELF = re.compile(r"spar://shelf/?(?:\?first=([0-9]{1,6}))?")
_ONE = re.compile(r"spar://(paper|run)/([!-~]+)")
_RUN = re.compile(r"last|[0-9]{8}-[0-9a-z-]{1,30}")
TEMPLATES = [
    ResourceTemplate(
        uri_template="spar://paper/{id}", name="paper", mime_type=_JSON,
        description="A paper of the library, by its number there, a citation key, or an identifier such as doi:10.1/x.",
    ),
    ResourceTemplate(
        uri_template="spar://run/{id}", name="run", mime_type=_JSON,
        description="A past search, summary or recommendation, by its id.",
    ),
    ResourceTemplate(
        uri_template="spar://shelf{?first}", name="shelf", mime_type=_JSON,
        description=f"The saved papers, last saved first, {PAGE} at a time, starting at number `first`.",
    ),
]  # fmt: skip


class NoSuchResource(Exception):
    """No resource has this name, or the name is invalid."""


def listed(store: Store) -> list[Resource]:
    """List the shelf and the last runs; papers are too many to list, and are read by name."""
    count = len(shelf.numbers_on_shelf(store))
    resources = [Resource(uri="spar://shelf", name="shelf", mime_type=_JSON, description=f"Saved papers: {count:,}.")]
    for run in runs.recent(store, RUNS):
        title = harmless(f"{run.kind}: {run.question}" if run.question else run.kind)[:200]
        resources.append(Resource(uri=f"spar://run/{run.id}", name=run.id, title=title, mime_type=_JSON))
    return resources


def read(store: Store, uri: str) -> str:
    """Return the resource as JSON. Raises `NoSuchResource`, `CacheError`, `RunError`."""
    if len(uri) <= LONGEST:
        if whole := _SHELF.fullmatch(uri):
            return _json(_shelf(store, int(whole[1] or 1)))
        if match := _ONE.fullmatch(uri):
            return _json(_READERS[match[1]](store, unquote(match[2], errors="replace")))
    raise NoSuchResource(
        f"There is no such resource; available are {', '.join(template.uri_template for template in TEMPLATES)}."
    )


def _shelf(store: Store, first: int) -> dict[str, Any]:
    rows = shelf.rows(store)
    page = rows[max(first, 1) - 1 :][:PAGE]
    entries = {entry.number: entry for row in page if (entry := shelf.shelved(store, row.number))}
    objects = [
        {**paper_object, "shelf": shelf_entry(entries[number])}
        for number in entries
        for paper_object in paper_objects(store, [PaperId(number)], first + list(entries).index(number))
    ]
    after = first + PAGE
    return {
        "papers": objects,
        "total": len(rows),
        "next": f"spar://shelf?first={after}" if after <= len(rows) else None,
    }


def _paper(store: Store, name: str) -> dict[str, Any]:
    number = _number(store, name)
    if number is None or not library.by_ids(store, [number]):
        raise NoSuchResource("The library has no paper with that name.")
    return record_with_shelf(store, number)


def _number(store: Store, name: str) -> PaperId | None:
    """Return the paper with exactly this number, key or identifier; a title does not count, because anyone can write
    one."""
    plain = name.removeprefix("#")
    if plain.isascii() and plain.isdecimal() and len(plain) <= 12:
        return PaperId(int(plain))
    if not name.isprintable():
        return None
    if (key := citation_keys.paper_of(store, name)) is not None:
        return key
    identifier = parse_identifier(name)
    paper = library.find(store, [identifier]) if identifier else None
    return library.number_of(store, paper) if paper else None


def _run(store: Store, name: str) -> dict[str, Any]:
    if not _RUN.fullmatch(name):
        raise NoSuchResource("No run has that name.")
    try:
        return data(run_object(store, runs.resolve(store, name)))
    except NoSuchRun as error:
        raise NoSuchResource(str(error)) from None


_READERS: Mapping[str, Callable[[Store, str], dict[str, Any]]] = {"paper": _paper, "run": _run}


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
