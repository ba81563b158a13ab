"""Write CSV (RFC 4180) in which a spreadsheet finds no formula."""

import csv
import io
import re
import unicodedata
from collections.abc import Sequence

from spar_tui.bibliography.entry import Entry, Extra
from spar_tui.bibliography.markup import plain

_COLUMNS = "key type title authors year date venue volume number pages doi arxiv pmid url retracted".split()
_FORMULA = ("=", "+", "-", "@")
_PART = re.compile(r"[^;|\t\r\n]+")


def csv_file(entries: Sequence[Entry], extras: Sequence[Extra] = ()) -> str:
    """Return a header line and one line per entry, with CR LF as the standard requires."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([*_COLUMNS, *extras])
    writer.writerows([safe_cell(cell) for cell in [*_cells(entry), *_extras(entry, extras)]] for entry in entries)
    return text.getvalue()


def safe_cell(text: str) -> str:
    """Return `text` with an apostrophe where a spreadsheet would find a formula: at its beginning, and after each sign
    that another program may take for the end of a cell. Quoting does not prevent that: a program that splits at `;`
    finds the cell `=1` in `a;=1`, quoted or not."""
    return _PART.sub(lambda part: f"'{part[0]}" if _is_formula(part[0]) else part[0], plain(text))


def without_guard(cell: str) -> str:
    """Return a cell without the apostrophes of `safe_cell`."""
    return _PART.sub(lambda part: part[0][1:] if part[0][0] == "'" and _is_formula(part[0][1:]) else part[0], cell)


def _is_formula(text: str) -> bool:
    # A spreadsheet may skip invisible characters and quotation marks, and read a full-width or small `=` as the plain
    # one, as NFKC does.
    first = next((letter for letter in text if letter.isprintable() and not letter.isspace() and letter != '"'), "")
    return unicodedata.normalize("NFKC", first).startswith(_FORMULA)


def _cells(entry: Entry) -> list[str]:
    people = [name.inverted for name in entry.names]
    names = "; ".join([*people, "et al."] if people and entry.et_al else people)
    identifiers = [entry.doi, entry.arxiv, entry.pmid, entry.url]
    return [
        entry.key, entry.kind, entry.title, names, entry.year, entry.edtf or entry.date or "", entry.container,
        entry.volume, entry.number, entry.pages, *(value or "" for value in identifiers),
        "yes" if entry.retracted else "",
    ]  # fmt: skip


def _extras(entry: Entry, extras: Sequence[Extra]) -> list[str]:
    files = entry.file.replace("\n", "; ")
    values = {"abstract": entry.abstract, "keywords": "; ".join(entry.keywords), "file": files, "note": entry.note}
    return [values[name] for name in extras]
