"""Combine several imported entries of one paper into one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product

from cache.originals import FileFormat, Original
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.comparing.venues import venue_relation
from spar_tui.bibliography.corrected_fields import STANDS_IN
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.formats import Writing, written
from spar_tui.bibliography.gathering import SAME, Item, entry_for, items_of
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


def items_for_readers(store: Store, papers: Mapping[int, Paper], pattern: str) -> list[Item]:
    """Return one item for each of the `papers`, by number; missing keys are made by `pattern` and stored. Raises
    `CacheError`."""
    return one_record_each(items_of(store, papers, pattern, "text", joined=papers.keys()), "text")


def one_record_each(items: Sequence[Item], format: Format, separate_numbers: Collection[int] = ()) -> list[Item]:
    """Return one item for each paper not in `separate_numbers`: its first entry in this format, or else its first. It
    also has the fields that only the other entries have; their keys go into `ids`, which biber reads."""
    by_number: dict[int, Item] = {}
    separate_items = list[Item]()
    for item in items:
        first = by_number.get(item.number)
        if item.number in separate_numbers:
            separate_items.append(item)
        elif first is None or first.original is None or item.original is None:
            by_number[item.number] = first if first and first.original else item
        else:
            later = SAME.get(format) == item.original.format != first.original.format
            joined_item = _joined(item, first, format) if later else _joined(first, item, format)
            keyless = later and not item.original.key  # the other has the key of the person's own file
            by_number[item.number] = joined_item._replace(key=first.key) if keyless else joined_item
    return [*separate_items, *by_number.values()]


def _joined(first: Item, second: Item, format: Format) -> Item:
    """Return the first item with the fields that only the `second` has; their formats may differ."""
    assert first.original
    assert second.original
    home = first.original.format if first.original.format in _WRITTEN else SAME.get(format, "csl-json")
    key = second.key if SAME.get(format) == "bibtex" and second.original.key and second.key != first.key else ""
    return first._replace(original=_completed(_turned(first, home), _turned(second, home), key))


_WRITTEN: dict[FileFormat, Format] = {"bibtex": "biblatex", "ris": "ris", "csl-json": "csl-json"}


def _turned(item: Item, home: FileFormat) -> Original:
    """Return the item's entry in the format `home`, without fields that this format lacks."""
    assert item.original
    if item.original.format == home:
        return item.original
    text = written([entry_for(item, _WRITTEN[home])], Writing(_WRITTEN[home])).text
    read = next((entry.original for entry in read_as(home, text, item.key).entries), None)
    return read or replace(item.original, format=home, fields=())


def _completed(first: Original, second: Original, key: str) -> Original:
    """Return the first entry with the fields and keywords that only the `second` has; `key` is the key of the other."""
    fold = str.lower if first.format == "bibtex" else str
    groups = [*STANDS_IN[first.format].values(), *(names.split() for names in _ALIKE[first.format])]
    names_present = {fold(name) for name, _ in first.fields}
    names_present.update(*(names for names in groups if not names_present.isdisjoint(names)))
    if _in_another_container(first, second):
        names_present.update(f"{_CONTAINERS[first.format]} {_IN_CONTAINERS[first.format]}".split())
    more = [(name, value) for name, value in second.fields if fold(name) not in names_present]
    first = with_keywords_of(first, second)
    if first.format != "bibtex":
        return replace(first, fields=(*first.fields, *more))
    fields = [
        (name, f"{value},{key}" if key and name.lower() == "ids" else value) for name, value in (*first.fields, *more)
    ]
    has_key = not key or "ids" in (name.lower() for name, _ in fields)
    return replace(first, fields=(*fields, *(() if has_key else (("ids", key),))))


def _in_another_container(first: Original, second: Original) -> bool:
    """Whether the two entries name different venues, or the other one names none: its pages may be a preprint's."""
    names = _CONTAINERS[first.format].split()
    first_venues, second_venues = ([value for name, value in entry.fields if name in names or name.lower() in names]
                     for entry in (first, second))  # fmt: skip
    relations = {venue_relation(*pair) for pair in product(first_venues, second_venues)}
    return "same" not in relations if relations else bool(first_venues)
