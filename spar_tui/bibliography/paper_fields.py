"""Parse the fields of a paper as a person writes them; reject invalid ones with the reason."""

import re
from collections.abc import Sequence
from typing import Any

from connectors.identifiers import doi
from connectors.paper import PAPER_TYPES, Paper
from connectors.records.build import author_from_name, iso_date
from connectors.records.clean import ABSTRACT_CAP, TITLE_CAP, VENUE_CAP, clean_text
from connectors.records.corrections import CORRECTABLE
from spar_tui.errors import UsageError

_CAPS = {"title": TITLE_CAP, "venue": VENUE_CAP, "abstract": ABSTRACT_CAP}
_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")
_LINE = re.compile(rf"({'|'.join(CORRECTABLE)}):[ \t]*(.*)")


def given_fields(assignments: Sequence[str]) -> dict[str, Any]:
    """Parse `FIELD=VALUE` arguments to the names and values that `corrected` takes. Raises `UsageError`."""
    values: dict[str, Any] = {}
    for raw in assignments:
        name, sign, value = raw.partition("=")
        name = name.strip().lower()
        field = "date" if name == "year" else name
        if not sign:
            raise UsageError(f"{clean_text(raw, 60)!r} has no value; write FIELD=VALUE, such as year=1843.")
        if field not in CORRECTABLE:
            raise UsageError(f"unknown field {clean_text(name, 40)!r}; choose from year, {', '.join(CORRECTABLE)}.")
        if field in values:
            raise UsageError(f"{field} is given twice; year and date are the same field." if field == "date" else
                             f"{field} is given twice.")  # fmt: skip
        values[field] = _value(field, value.strip())
    return values


def fields_text(paper: Paper) -> str:
    """Return the fields as text for an editor, one per line, the abstract last."""
    values = {name: _written(paper, name) for name in CORRECTABLE}
    return "\n".join(f"{name}: {value}".rstrip() for name, value in values.items())


def changed_fields(paper: Paper, text: str) -> dict[str, Any]:
    """Return the fields changed in a text from `fields_text`; missing lines change nothing. Raises `UsageError`."""
    lines_of: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        field_start = None if name == CORRECTABLE[-1] else _LINE.fullmatch(line)
        if field_start:
            name = field_start[1]
            lines_of[name] = [field_start[2]]
        elif name:
            lines_of[name].append(line)
        elif line.strip():
            raise UsageError(
                f"{clean_text(line, 60)!r} belongs to no field; begin each field with its name and a colon."
            )
    texts = {name: " ".join(" ".join(lines).split()) for name, lines in lines_of.items()}
    return {
        name: _value(name, value) for name, value in texts.items() if value != " ".join(_written(paper, name).split())
    }


def _written(paper: Paper, field: str) -> str:
    if field == "authors":
        return "; ".join(
            ", ".join(filter(None, (author.family, author.suffix, author.given))) for author in paper.authors
        )
    value = paper.identifier("doi") if field == "doi" else getattr(paper, field)
    return value or ""


def _value(field: str, text: str) -> Any:
    """Parse the value of a field; an empty one means unknown. Raises `UsageError`."""
    if field == "authors":
        people = [author_from_name(name) for name in text.split(";") if name.strip()]
        if not all(people):
            raise UsageError(f"authors: {clean_text(text, 60)!r} has no name; write Family, Given; Family, Given.")
        return tuple(people)
    if field == "title":
        if not (title := clean_text(text, TITLE_CAP)):
            raise UsageError("title cannot be empty.")
        return title
    if field == "type":
        if text and text not in PAPER_TYPES:
            raise UsageError(f"unknown type {clean_text(text, 40)!r}; choose from {', '.join(PAPER_TYPES)}.")
        return text or "other"
    if field == "date":
        if text and (not _DATE.fullmatch(text) or iso_date(text) != text):
            raise UsageError(f"date: {clean_text(text, 40)!r} is not a date; write YYYY, YYYY-MM or YYYY-MM-DD.")
        return text or None
    if field == "doi":
        if text and not (identifier := doi(text)):
            raise UsageError(f"doi: {clean_text(text, 60)!r} is not a DOI; a DOI begins with 10. and has a slash.")
        return identifier.value if text and identifier else ""
    return clean_text(text, _CAPS[field])
