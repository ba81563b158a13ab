"""What the Web of Science exports as plain text (.txt, .ciw): two-letter tags, `PT` to `ER`."""

import re
from collections.abc import Iterator
from itertools import islice

from spar_tui.bibliography.reading.columns import TAGS
from spar_tui.bibliography.reading.entries import MOST_ENTRIES
from spar_tui.bibliography.reading.entries_read import Found
from spar_tui.bibliography.reading.tagged import TaggedRecord, tagged_records, unended
from spar_tui.bibliography.reading.translation import Table, found_in_items, item_of

TYPES = {
    "article": "article-journal", "proceedings paper": "paper-conference", "meeting abstract": "paper-conference",
    "review": "review", "book chapter": "chapter", "book": "book", "data paper": "article-journal",
    "letter": "article-journal", "note": "article-journal", "editorial material": "article-journal",
    "book review": "review-book", "correction": "article-journal", "preprint": "article",
    "dissertation/thesis": "thesis",
    "data set": "dataset", "software": "software", "j": "article-journal", "b": "book", "s": "chapter",
    "c": "paper-conference", "p": "patent",
}  # fmt: skip
_LINE = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?")
_ONE_A_LINE = ("AU", "AF", "BA", "BF", "BE", "CA")


def read_web_of_science(text: str) -> Found:
    """The records of the file."""
    table = Table(TAGS, TYPES)
    records = list(islice(tagged_records(text, _LINE, lambda tag, *_: tag == "PT", "ER"), MOST_ENTRIES + 1))
    problems = [unended(record) for record in records if not record.ended]
    items = ((record.line, item_of(whole_names(_fields(record)), table)) for record in records)
    return found_in_items(items, problems)


def _fields(record: TaggedRecord) -> Iterator[tuple[str, str]]:
    # The kind of document says more than that of the publication.
    return ((tag, text) for tag, text in sorted(record.listed(*_ONE_A_LINE), key=lambda field: field[0] == "PT"))


def whole_names(fields: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The fields without the short forms of names that are told in full beside them."""
    fields_read = list(fields)
    short = {
        tag for tag, whole in (("AU", "AF"), ("BA", "BF")) if any(name == whole and text for name, text in fields_read)
    }
    return ((tag, text) for tag, text in fields_read if tag not in short)
