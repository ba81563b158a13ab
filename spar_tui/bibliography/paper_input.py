"""Papers handed over on standard input: the JSON that a verb printed, or one name of a paper a line."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import IMPRINT_PARTS, Author, Paper
from connectors.records.build import author_from_name, build_paper, partial_date
from connectors.records.publication import publication_of
from spar_tui.errors import UsageError

LARGEST = 200_000_000
"""Bytes that are read at most."""


def papers_from_input(raw: bytes, remembered: Callable[[Identifier], Paper | None]) -> tuple[list[Paper], list[str]]:
    """The papers of a verb's JSON, as they are remembered here or else as the JSON tells them, and the names of others.

    Raises `UsageError` for what is neither.
    """
    if len(raw) > LARGEST:
        raise UsageError(f"standard input has more than {LARGEST:,} bytes; export fewer papers at a time.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("standard input is no text in UTF-8.") from None
    if text.lstrip()[:1] not in ("{", "["):
        return [], [line.strip() for line in text.splitlines() if line.strip()]
    try:
        told = list(_objects(json.loads(text)))
    except (ValueError, RecursionError):
        raise UsageError("standard input is no whole JSON; hand over what `spar search … --json` prints.") from None
    return [_paper(one, remembered) for one in told], []


def _objects(told: Any) -> Iterator[dict[str, Any]]:
    if isinstance(told, dict):
        papers = told["papers"] if isinstance(told.get("papers"), list) else [told.get("paper", told)]
    else:
        papers = told
    for one in papers:
        if not isinstance(one, dict) or not isinstance(one.get("title"), str):
            raise UsageError("standard input holds JSON without papers; hand over what `spar search … --json` prints.")
        yield one


def _paper(told: dict[str, Any], remembered: Callable[[Identifier], Paper | None]) -> Paper:
    names = _names(told)
    if known := next((paper for name in names if (paper := remembered(name))), None):
        return known
    printed = told.get("imprint")
    printed = printed if isinstance(printed, dict) else {}
    parts = {part: printed.get(part) for part in IMPRINT_PARTS if part != "editors"}
    return build_paper(
        "handed over",
        title=told["title"],
        abstract=told.get("abstract"),
        authors=_people(told.get("authors")),
        date=partial_date(told.get("year")),
        venue=told.get("venue"),
        identifiers=names,
        url=told.get("url"),
        pdf=told.get("pdf"),
        retracted=told.get("retracted") is True,
        imprint=publication_of(**parts, editors=_people(printed.get("editors"))),
    )


def _people(names: Any) -> list[Author]:
    return [one for name in (names if isinstance(names, list) else []) if (one := author_from_name(name))]


def _names(told: dict[str, Any]) -> list[Identifier]:
    given = told.get("identifiers")
    spelled = [f"{scheme}:{value}" for scheme, value in given.items() if value] if isinstance(given, dict) else []
    spelled.append(str(told.get("id") or ""))
    return list(dict.fromkeys(name for one in spelled if (name := parse_identifier(one))))
