"""Papers on standard input: the JSON output of a command, or one paper name per line."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from connectors.http.json_values import listing
from connectors.identifiers import Identifier, parse_identifier
from connectors.paper import IMPRINT_PARTS, Author, Paper
from connectors.records.build import author_from_name, build_paper, partial_date
from connectors.records.publication import publication_of
from spar_tui.errors import UsageError

LARGEST = 200_000_000
"""Maximum number of bytes read."""


def papers_from_input(raw: bytes, remembered: Callable[[Identifier], Paper | None]) -> tuple[list[Paper], list[str]]:
    """Return the papers in a command's JSON, as stored here or else as in the JSON; or the names, if it is not JSON.

    Raises `UsageError` for invalid input.
    """
    if len(raw) > LARGEST:
        raise UsageError(f"standard input has more than {LARGEST:,} bytes; export fewer papers at a time.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("standard input is not text in UTF-8.") from None
    if text.lstrip()[:1] not in ("{", "["):
        return [], [line.strip() for line in text.splitlines() if line.strip()]
    try:
        objects = list(_objects(json.loads(text)))
    except (ValueError, RecursionError):
        raise UsageError("standard input is not complete JSON; pipe the output of `spar search … --json`.") from None
    return [
        next((paper for name in _names(paper_object) if (paper := remembered(name))), None) or paper_of(paper_object)
        for paper_object in objects
    ], []


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        papers = value["papers"] if isinstance(value.get("papers"), list) else [value.get("paper", value)]
    else:
        papers = value
    for paper in papers:
        if not isinstance(paper, dict) or not isinstance(paper.get("title"), str):
            raise UsageError("standard input has JSON without papers; pipe the output of `spar search … --json`.")
        yield paper


def paper_of(paper_object: Mapping[str, Any]) -> Paper:
    """Build a paper from an object of `--json`, which may come from anybody; `title` must be text, other invalid values
    are dropped."""
    imprint = paper_object.get("imprint")
    imprint = imprint if isinstance(imprint, dict) else {}
    parts = {part: imprint.get(part) for part in IMPRINT_PARTS if part != "editors"}
    return build_paper(
        "handed over",
        title=paper_object["title"],
        abstract=paper_object.get("abstract"),
        authors=_people(paper_object.get("authors")),
        et_al=paper_object.get("et_al") is True,
        date=partial_date(*str(paper_object.get("date") or paper_object.get("year") or "").split("-")[:3]),
        venue=paper_object.get("venue"),
        type=kind if isinstance(kind := paper_object.get("type"), str) else None,
        identifiers=_names(paper_object),
        url=paper_object.get("url"),
        pdf=paper_object.get("pdf"),
        retracted=paper_object.get("retracted") is True,
        imprint=publication_of(**parts, editors=_people(imprint.get("editors"))),
        described=paper_object.get("described"),
        keywords=listing(paper_object.get("keywords")),
    )


def _people(names: Any) -> list[Author]:
    return [author for name in (names if isinstance(names, list) else []) if (author := author_from_name(name))]


def _names(paper_object: Mapping[str, Any]) -> list[Identifier]:
    identifiers = paper_object.get("identifiers")
    spelled = (
        [f"{scheme}:{value}" for scheme, value in identifiers.items() if value] if isinstance(identifiers, dict) else []
    )
    spelled.append(str(paper_object.get("id") or ""))
    return list(dict.fromkeys(name for spelling in spelled if (name := parse_identifier(spelling))))
