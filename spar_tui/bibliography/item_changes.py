"""Imported entries written otherwise than they came, where an export asks for that: one record a paper, new keys, no
abstracts."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from cache.originals import Original, RawFields
from spar_tui.bibliography.bib_frame import with_members
from spar_tui.bibliography.citation_key import new_keys
from spar_tui.bibliography.corrected_fields import STANDS_IN
from spar_tui.bibliography.formats import Format
from spar_tui.bibliography.gathering import SAME, Item

_ALIKE = {
    "bibtex": ("address location", "annote annotation note", "keywords keyword", "eprinttype archiveprefix",
               "eprintclass primaryclass", "number issue", "xdata crossref ids"),
    "ris": ("UR L1 L2", "SP EP", "ED A2", "N1 RN"),
    "csl-json": (),
}  # fmt: skip
"""Fields beside those of `STANDS_IN` that say the same under several names."""
_NAMES_KEYS = frozenset(("crossref", "xref", "related"))
"""Fields of BibTeX and BibLaTeX whose value are keys of entries."""


def one_record_each(items: Sequence[Item], format: Format, apart: Collection[int]) -> list[Item]:
    """One item for each paper but those `apart`: its first entry of this format, with the fields that only its other
    ones have, and their keys in `ids`, by which biber knows an entry too."""
    found: dict[int, Item] = {}
    kept = list[Item]()
    for item in items:
        own = item.original is not None and item.original.format == SAME.get(format)
        first = found.get(item.number)
        if item.number in apart:
            kept.append(item)
        elif first is None or (own and (first.original is None or first.original.format != SAME.get(format))):
            found[item.number] = item
        elif own and first.original and item.original:
            found[item.number] = first._replace(original=_joined(first.original, item.original, item.key))
    return [*kept, *found.values()]


def _joined(first: Original, other: Original, key: str) -> Original:
    """The first entry with what it does not say and the `other`, whose key is `key`, does."""
    fold = str.lower if first.format == "bibtex" else str
    groups = [*STANDS_IN[first.format].values(), *(names.split() for names in _ALIKE[first.format])]
    there = {fold(name) for name, _ in first.fields}
    there.update(*(names for names in groups if not there.isdisjoint(names)))
    more = [(name, value) for name, value in other.fields if fold(name) not in there]
    if first.format != "bibtex":
        return replace(first, fields=(*first.fields, *more))
    fields = [(name, f"{value},{key}" if name.lower() == "ids" else value) for name, value in (*first.fields, *more)]
    named = "ids" in (name.lower() for name, _ in fields)
    return replace(first, fields=(*fields, *(() if named else (("ids", key),))))


def rekeyed(items: Sequence[Item], pattern: str, reserved: Collection[str]) -> list[Item]:
    """The items under keys made by `pattern`, of which none is `reserved`; entries that name others name their new
    keys."""
    keys = new_keys({place: item.paper for place, item in enumerate(items)}, pattern, reserved)
    new = {item.original.key.casefold(): keys[place] for place, item in enumerate(items) if item.original}
    new |= {item.key.casefold(): keys[place] for place, item in enumerate(items)}
    return [
        item._replace(key=key, original=_renamed(item.original, key, new) if item.original else None)
        for item, key in ((item, keys[place]) for place, item in enumerate(items))
    ]


def _renamed(original: Original, key: str, new: dict[str, str]) -> Original:
    def named(keys: str) -> str:
        return ",".join(new.get(one.strip().casefold(), one.strip()) for one in keys.split(","))

    def fields(told: RawFields) -> RawFields:
        return tuple((name, named(value) if name.lower() in _NAMES_KEYS else value) for name, value in told)

    beside = tuple((kind, with_members(text, named) if kind == "set" else text) for kind, text in original.beside)
    return replace(
        original, key=key, fields=fields(original.fields), inherited=fields(original.inherited), beside=beside
    )


def without_abstracts(items: Iterable[Item]) -> list[Item]:
    """The items without the abstracts that imported entries have."""

    def bare(original: Original) -> Original:
        names = STANDS_IN.get(original.format, {}).get("abstract", ())
        return replace(
            original, fields=tuple(one for one in original.fields if not {one[0], one[0].lower()} & {*names})
        )

    return [item._replace(original=bare(item.original)) if item.original else item for item in items]
