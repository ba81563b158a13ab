"""Combine several imported entries of one paper into one."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product

from cache.originals import FileFormat, Original
from spar_tui.bibliography.comparing.venues import venue_relation
from spar_tui.bibliography.corrected_fields import STANDS_IN
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.formats import Writing, written
from spar_tui.bibliography.gathering import SAME, Item, entry_for
from spar_tui.bibliography.keyword_lists import with_keywords_of
from spar_tui.bibliography.reading.files import read_as

_ALIKE = {
    "bibtex": ("address location", "annote annotation note", "keywords keyword", "eprinttype archiveprefix",
               "eprintclass primaryclass", "number issue", "xdata crossref ids"),
    "ris": ("UR L1 L2", "SP EP", "ED A2", "N1 RN"),
    "csl-json": (),
}  # fmt: skip
"""Names of fields that mean the same, beyond those in `STANDS_IN`."""
_CONTAINERS = {
    "bibtex": "journal journaltitle booktitle maintitle",
    "ris": "T2 JO JF J2 JA BT",
    "csl-json": "container-title",
}  # fmt: skip
"""Fields with the title of the container."""
_IN_CONTAINERS = {
    "bibtex": "shortjournal issuetitle booksubtitle booktitleaddon volume volumes part number issue series edition"
    " chapter pages eid bookpagination editor editortype publisher address location organization institution school"
    " isbn issn eventtitle eventdate venue",
    "ris": "VL IS SP EP M1 SE C7 PB CY SN ED A2 A3 T3 C1 C3",
    "csl-json": "container-title-short volume number-of-volumes issue number page page-first edition chapter-number"
    " collection-title collection-number editor publisher publisher-place ISBN ISSN event event-title event-date"
    " event-place",
}  # fmt: skip
"""Fields for the place in the container, and its publisher; together with another container they would be wrong."""


def one_record_each(items: Sequence[Item], format: Format, apart: Collection[int] = ()) -> list[Item]:
    """Return one item for each paper not in `apart`: its first entry in this format, or else its first entry, completed
    with fields that only its other entries have; their keys go into `ids`, which biber reads."""
    by_number: dict[int, Item] = {}
    kept = list[Item]()
    for item in items:
        first = by_number.get(item.number)
        if item.number in apart:
            kept.append(item)
        elif first is None or first.original is None or item.original is None:
            by_number[item.number] = first if first and first.original else item
        else:
            later = SAME.get(format) == item.original.format != first.original.format
            joined = _joined(item, first, format) if later else _joined(first, item, format)
            keyless = later and not item.original.key  # the other has the key of the person's own file
            by_number[item.number] = joined._replace(key=first.key) if keyless else joined
    return [*kept, *by_number.values()]


def _joined(first: Item, other: Item, format: Format) -> Item:
    """Return the first item with the fields that only the `other` has; their formats may differ."""
    assert first.original
    assert other.original
    home = first.original.format if first.original.format in _WRITTEN else SAME.get(format, "csl-json")
    key = other.key if SAME.get(format) == "bibtex" and other.original.key and other.key != first.key else ""
    return first._replace(original=_completed(_turned(first, home), _turned(other, home), key))


_WRITTEN: dict[FileFormat, Format] = {"bibtex": "biblatex", "ris": "ris", "csl-json": "csl-json"}


def _turned(item: Item, home: FileFormat) -> Original:
    """Return the item's entry in the format `home`, without fields that this format lacks."""
    assert item.original
    if item.original.format == home:
        return item.original
    text = written([entry_for(item, _WRITTEN[home])], Writing(_WRITTEN[home])).text
    read = next((entry.original for entry in read_as(home, text, item.key).entries), None)
    return read or replace(item.original, format=home, fields=())


def _completed(first: Original, other: Original, key: str) -> Original:
    """Return the first entry with the fields and keywords that only the `other` has; `key` is the key of the other."""
    fold = str.lower if first.format == "bibtex" else str
    groups = [*STANDS_IN[first.format].values(), *(names.split() for names in _ALIKE[first.format])]
    there = {fold(name) for name, _ in first.fields}
    there.update(*(names for names in groups if not there.isdisjoint(names)))
    if _in_another_container(first, other):
        there.update(f"{_CONTAINERS[first.format]} {_IN_CONTAINERS[first.format]}".split())
    more = [(name, value) for name, value in other.fields if fold(name) not in there]
    first = with_keywords_of(first, other)
    if first.format != "bibtex":
        return replace(first, fields=(*first.fields, *more))
    fields = [
        (name, f"{value},{key}" if key and name.lower() == "ids" else value) for name, value in (*first.fields, *more)
    ]
    named = not key or "ids" in (name.lower() for name, _ in fields)
    return replace(first, fields=(*fields, *(() if named else (("ids", key),))))


def _in_another_container(first: Original, other: Original) -> bool:
    """Whether the two entries name different venues, or the other one names none: its pages may be a preprint's."""
    names = _CONTAINERS[first.format].split()
    yours, theirs = ([value for name, value in entry.fields if name in names or name.lower() in names]
                     for entry in (first, other))  # fmt: skip
    relations = {venue_relation(*pair) for pair in product(yours, theirs)}
    return "same" not in relations if relations else bool(yours)
