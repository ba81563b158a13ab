"""Columns of tables of works, and the tags of the Web of Science, which some tables use as names; values as in
`translation.Table`.
"""

import csv
import re

from spar_tui.bibliography.format_tables import members_of

TAGS = members_of("web-of-science")
COLUMNS = {tag.lower(): member for tag, member in TAGS.items()} | members_of("columns")
_TRANSLATED = members_of("translated-columns")
_TITLES = frozenset(("ti", "title", "article title", "document title"))
_HEAD_CAP = 20_000
_FEWEST = 3
"""Minimum number of known columns, including the title, of a table of works."""


def is_table(text: str) -> bool:
    """Whether the first line of the text has the columns of a table of works."""
    columns = names_of_columns(text)
    return not _TITLES.isdisjoint(columns) and sum(column in COLUMNS for column in columns) >= _FEWEST


def first_line(text: str) -> tuple[str, str]:
    """Return the first line and the separator of its columns."""
    head = rows_of(text[:_HEAD_CAP]).partition("\n")[0]
    return head, max("\t,;|", key=head.count)


def rows_of(text: str) -> str:
    """Return the text from the header on; Excel may write a line before it that states the separator."""
    return re.sub(r"\A[\ufeff\n]*(?:sep=.\n)?", "", text)


def names_of_columns(text: str) -> list[str]:
    """Return the column names in the first line, in lower case."""
    head, sign = first_line(text)
    names = (column.strip().lower() for column in next(csv.reader([head], delimiter=sign), []))
    return [_TRANSLATED.get(name, name) for name in names]
