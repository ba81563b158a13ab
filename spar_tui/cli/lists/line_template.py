"""`--format`: one line per listed item, from a template of named fields. A template only names values; its output
has no control characters, and no line breaks but its own."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from connectors.records.clean import clean_text
from connectors.records.visible import visible
from spar_tui.errors import UsageError

PAPER_FIELDS = ("rank", "key", "id", "title", "authors", "first_author", "year", "venue", "citations", "doi", "arxiv",
                "pmid", "s2", "openalex", "url", "pdf", "abstract", "keywords", "retracted")  # fmt: skip
"""The fields of every paper; `key` is its citation key, if any."""
SEARCH_FIELDS = (*PAPER_FIELDS, "score", "relevance", "reason", "quote", "page")
SHELF_FIELDS = (*PAPER_FIELDS, "tags", "note", "rating", "read", "saved", "file")
LIBRARY_FIELDS = (*PAPER_FIELDS, "page", "passage")
"""These fields, and the first matching passage of its full text with the page of its PDF."""
WATCHED_FIELDS = (*SEARCH_FIELDS, "watch")
WATCH_FIELDS = ("watch", "question", "asked", "shown")
RECOMMENDED_FIELDS = (*PAPER_FIELDS, "score", "reasons")
RUN_FIELDS = ("run", "kind", "question", "state", "started", "papers")

_ESCAPE = re.compile(r"\\([tn\\])")
_ESCAPES = {"t": "\t", "n": "\n", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class LineTemplate:
    """The pieces of a template: a text, and the field behind it, if any."""

    pieces: tuple[tuple[str, str | None], ...]

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields in the template."""
        return frozenset(name for _, name in self.pieces if name)

    def line(self, values: Mapping[str, object]) -> str:
        """Return the line for these values; unknown ones are empty."""
        return "".join(text + (_shown(values.get(name)) if name else "") for text, name in self.pieces)


def line_template(raw: str, fields: Sequence[str]) -> LineTemplate:
    """Parse the template `raw` with the fields `fields`. Raises `UsageError`."""
    pieces = list[tuple[str, str | None]]()
    try:
        for text, name, form, conversion in Formatter().parse(raw):
            pieces.append((_ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], visible(text)), name))
            if name is not None and (name not in fields or form or conversion):
                whole = clean_text(name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else ""), 40)
                raise UsageError(f"--format: unknown field {{{whole}}}; choose from {_listed(fields)}.")
    except ValueError as error:
        brace = "}" if "Single '}'" in str(error) else "{"
        raise UsageError(f"--format has a single {brace}; write it twice to print a brace.") from None
    if not any(name for _, name in pieces):
        raise UsageError(f"--format has no field; choose from {_listed(fields)}.")
    return LineTemplate(tuple(pieces))


def _listed(fields: Sequence[str]) -> str:
    return ", ".join(fields)


def _shown(value: object) -> str:
    """Return a value on one line, without invisible characters."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return " ".join(visible(str(value)).split())


def paper_values(record: Mapping[str, object], key: str | None = None) -> dict[str, object]:
    """Return the values of a paper from its `--json` object, with its citation key."""
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
    """Return a line for each paper from its `--json` object; `keys` is called if the template has citation keys."""
    keys_of_records = keys() if "key" in template.fields else [None] * len(records)
    return [template.line(paper_values(record, key)) for record, key in zip(records, keys_of_records, strict=True)]
