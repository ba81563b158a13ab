"""`--format`: a line for each thing that is listed, out of a template of named fields.

A template names values and can do nothing with them; what it prints has no control characters and no line breaks but
those of the template.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from connectors.records.clean import clean_text
from connectors.records.visible import visible
from spar_tui.errors import UsageError

PAPER_FIELDS = ("rank", "key", "id", "title", "authors", "first_author", "year", "venue", "citations", "doi", "arxiv",
                "pmid", "s2", "openalex", "url", "pdf", "abstract", "keywords", "retracted")  # fmt: skip
"""What can be told of every paper; `key` is its citation key, if it has one."""
SEARCH_FIELDS = (*PAPER_FIELDS, "score", "relevance", "reason", "quote", "page")
SHELF_FIELDS = (*PAPER_FIELDS, "tags", "note", "rating", "read", "saved", "file")
LIBRARY_FIELDS = (*PAPER_FIELDS, "page", "passage")
"""The first passage of its full text that words were found in, and on which page of its PDF."""
WATCHED_FIELDS = (*SEARCH_FIELDS, "watch")
WATCH_FIELDS = ("watch", "question", "asked", "shown")
RECOMMENDED_FIELDS = (*PAPER_FIELDS, "score", "reasons")
RUN_FIELDS = ("run", "kind", "question", "state", "started", "papers")

_PIECE = re.compile(r"\\([tn\\])|(\{\{|\}\})|\{([^{}]*)\}|([{}])")
_ESCAPES = {"t": "\t", "n": "\n", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Field:
    """A place in a template that a value is put in."""

    name: str


@dataclass(frozen=True, slots=True)
class LineTemplate:
    """Texts and fields, one behind the other."""

    pieces: tuple[str | Field, ...]

    @property
    def fields(self) -> frozenset[str]:
        """The fields that are asked for."""
        return frozenset(piece.name for piece in self.pieces if isinstance(piece, Field))

    def line(self, values: Mapping[str, object]) -> str:
        """The line for these values; what is not known is left empty."""
        return "".join(piece if isinstance(piece, str) else _shown(values.get(piece.name)) for piece in self.pieces)


def line_template(raw: str, fields: Sequence[str]) -> LineTemplate:
    """The template that `raw` is, of fields that are `fields`. Raises `UsageError`."""
    pieces: list[str | Field] = []
    end = 0
    for match in _PIECE.finditer(raw):
        pieces.append(visible(raw[end : match.start()]))
        end = match.end()
        pieces.append(_piece(match, fields))
    pieces.append(visible(raw[end:]))
    if not any(isinstance(piece, Field) for piece in pieces):
        raise UsageError(f"--format names no field; known are {_listed(fields)}.")
    return LineTemplate(tuple(piece for piece in pieces if piece != ""))


def _piece(match: re.Match[str], fields: Sequence[str]) -> str | Field:
    escape, doubled, name, alone = match.groups()
    if escape:
        return _ESCAPES[escape]
    if doubled:
        return str(doubled[0])
    if alone:
        raise UsageError(f"--format has a lone {alone}; a brace that is to be printed is written twice.")
    if name not in fields:
        raise UsageError(f"--format knows no {{{clean_text(name, 40)}}} here; known are {_listed(fields)}.")
    return Field(name)


def _listed(fields: Sequence[str]) -> str:
    return ", ".join(fields)


def _shown(value: object) -> str:
    """A value on a line, without anything that is not seen."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return " ".join(visible(str(value)).split())


def paper_values(record: Mapping[str, object], key: str | None = None) -> dict[str, object]:
    """The values of a paper, out of its object of `--json`, with its citation key."""
    names, shelf = record["identifiers"], record.get("shelf")
    authors = record["authors"]
    assert isinstance(names, Mapping)
    assert isinstance(authors, list)
    values = {name: record.get(name) for name in (*SEARCH_FIELDS, "reasons", "watch")} | dict(names)
    values |= dict(shelf) if isinstance(shelf, Mapping) else {}
    passages = record.get("passages")
    if isinstance(passages, list) and passages:
        values |= {"page": passages[0]["page"], "passage": passages[0]["text"]}
    return values | {"key": key, "citations": record["citation_count"], "first_author": next(iter(authors), None)}


def paper_lines(
    template: LineTemplate, records: Sequence[Mapping[str, object]], keys: Callable[[], Sequence[str | None]]
) -> list[str]:
    """A line for each paper, out of their objects of `--json`; `keys` is asked if the template wants citation keys."""
    keys_of_records = keys() if "key" in template.fields else [None] * len(records)
    return [template.line(paper_values(record, key)) for record, key in zip(records, keys_of_records, strict=True)]
