"""Read tables in CSV or with tabs, exported by Scopus, the Web of Science, PubMed, IEEE Xplore, Zotero and spar; and
the Web of Science's plain text (.txt, .ciw), whose two-letter tags serve as column names."""

import csv
import re
from collections.abc import Iterator, Mapping
from io import StringIO
from itertools import islice

from spar_tui.bibliography.format_tables import types_of
from spar_tui.bibliography.kinds import NAMES
from spar_tui.bibliography.reading.columns import COLUMNS, TAGS, first_line, names_of_columns, rows_of
from spar_tui.bibliography.reading.entries import MOST_ENTRIES
from spar_tui.bibliography.reading.entries_read import FileEntries, Problem
from spar_tui.bibliography.reading.item_files import bounded, found_in_fields
from spar_tui.bibliography.reading.tagged import TaggedRecord, tagged_records, unended
from spar_tui.bibliography.reading.translation import PEOPLE_IN_CSL, FieldTable
from spar_tui.bibliography.spreadsheet import without_guard
from spar_tui.bibliography.zotero_json import LABELS

_GENRES = frozenset(
    ("review", "data paper", "letter", "note", "editorial material", "editorial", "correction", "erratum",
     "short survey", "meeting abstract")
)  # fmt: skip
"""Document types of databases that have no CSL type; they are stored in `genre`."""
_OF_WEB_OF_SCIENCE = types_of("web-of-science")
_TAG_LINE = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?")
_ONE_A_LINE = ("AU", "AF", "BA", "BF", "BE", "CA")

_OF_PROGRAMS = {str(kind): names.csl for kind, names in NAMES.items()} | {
    name.lower(): csl_type for name, csl_type in types_of("zotero").items()
}
_OF_DATABASES = _OF_WEB_OF_SCIENCE | types_of("databases")
_PEOPLE = PEOPLE_IN_CSL | {"group"}
_WHOLE_NAMES = frozenset(("af", "author full names"))
_SHORT_NAMES = frozenset(("au", "authors", "author"))
csv.field_size_limit(1 << 27)  # more than is read of any file
_QUOTED = re.compile(r'"(?>(?:[^"]|"")*)"')
_NUMBER_OF_PERSON = re.compile(r"(?:(?<!\s)\s+)?\([0-9]+\)")


def read_table(text: str) -> FileEntries:
    """Return the rows of a table, up to where its columns cannot be separated."""
    columns = names_of_columns(text)
    if "item type" in columns:  # in Zotero's, `Type` is that of a report or thesis, and `Key` is no citation key
        columns_of = {**LABELS, **COLUMNS, "number": "number", "type": "genre", "key": ""}
        table = FieldTable(columns_of, _OF_PROGRAMS, order="inverted")
    elif {"document type", "document identifier", "dt"}.isdisjoint(columns):
        table = FieldTable(COLUMNS, _OF_PROGRAMS)
    else:
        table = FieldTable(COLUMNS, _OF_DATABASES, _GENRES)
    problems = list[Problem]()
    filled = bounded((line, cells) for line, cells in _rows(text, problems) if any(cells))
    short = [line for line, cells in filled if len(cells) < len(columns)]
    if len(filled) > 1 and short == [filled[-1][0]] and not text.endswith("\n"):
        problems.append(Problem(short[0], "", "it ends early; the rest was read", taken=True, to_end=True))
    plain = ((line, (without_guard(cell.strip()) for cell in cells)) for line, cells in filled)
    rows = ((line, _fields(dict(zip(columns, cells, strict=False)))) for line, cells in plain)
    return found_in_fields(rows, table, problems)


def _rows(text: str, problems: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Yield each row after the first, with its line; add a problem if the rest cannot be read."""
    _, sign = first_line(text)
    lines = StringIO(rows_of(text))
    if sign == "\t" and not _is_quoted(text):  # then quotation marks are text
        rows = csv.reader(lines, delimiter=sign, quoting=csv.QUOTE_NONE)
    else:
        rows = csv.reader(lines, delimiter=sign, strict=True)
    line = 1
    try:
        for number, cells in enumerate(rows):
            if number:
                yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        reason = "a quotation mark is not closed" if "end of data" in str(error) else str(error)
        problems.append(Problem(line, "", f"from here on it cannot be read: {reason}", to_end=True))


def _is_quoted(text: str) -> bool:
    """Whether quotation marks enclose cells of a table with tabs, as Excel writes them: each cell with quotation marks
    is enclosed, and one contains a comma or doubled marks."""
    cells = [cell for line in text.split("\n") if '"' in line for cell in line.split("\t") if '"' in cell]
    return any("," in cell or '""' in cell for cell in cells) and all(map(_QUOTED.fullmatch, cells))


def _fields(row: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    whole = any(row.get(column) for column in _WHOLE_NAMES)
    # The document type is more specific than the publication type.
    for column, cell in sorted(row.items(), key=lambda field: field[0] in ("pt", "publication type")):
        member = COLUMNS.get(column) or (LABELS.get(column) if "item type" in row else None)
        if member in _PEOPLE:
            yield column, "" if whole and column in _SHORT_NAMES else _NUMBER_OF_PERSON.sub("", cell)
        elif member == "file":
            yield from ((column, path) for path in re.split(r";\s+", cell))
        elif column == "retracted":
            yield column, "retracted" if cell.lower() in ("yes", "true", "1") else ""
        else:
            yield column, cell


def read_web_of_science(text: str) -> FileEntries:
    """Return the records of a Web of Science file."""
    table = FieldTable(TAGS, _OF_WEB_OF_SCIENCE, _GENRES)
    whole = tagged_records(text, _TAG_LINE, lambda tag, *_: tag == "PT", ("TI",), "ER", ("FN", "VR", "EF"))
    records = list(islice(whole, MOST_ENTRIES + 1))
    return found_in_fields(((record.line, _tagged_fields(record)) for record in records), table, unended(records))


def _tagged_fields(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    """Return the fields, without short names if full names are given; the document type comes before the less specific
    publication type."""
    short = {tag for tag, whole in (("AU", "AF"), ("BA", "BF")) if record.first(whole)}
    fields = sorted(record.listed(*_ONE_A_LINE), key=lambda field: field[0] == "PT")
    return ((tag, text) for tag, text in fields if tag not in short)
