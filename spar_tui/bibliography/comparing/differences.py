"""Compare an entry with the records of its work, field by field.

A field is wrong only if every record with the field contradicts the entry: sources have errors too, and each version of
a work may be cited. Differences of notation, and fields that sources often get wrong, are notes and not errors.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from rapidfuzz.distance import OSA

from cache.conditions.wording import listed
from connectors.paper import Author, Paper, year_of
from connectors.records.build import is_preprint_venue
from connectors.records.letters import folded
from connectors.records.publication import without_withdrawal
from connectors.registry import SOURCES
from spar_tui.bibliography.comparing.titles import title_changes
from spar_tui.bibliography.comparing.venues import same_publisher, venue_relation
from spar_tui.bibliography.corrected_fields import STANDS_IN
from spar_tui.bibliography.reading.entries_read import FoundEntry

LISTED_AT_MOST = 100
"""Maximum number of authors that some sources list."""
_WORD = re.compile(r"[^\W\d_]+")
_GLUED_INITIALS = re.compile(r"[A-Z]{2,3}")
_GROUP = re.compile(r"\b(?:collaboration|consortium|group|team|committee|project|initiative|network)\b", re.IGNORECASE)
_TRANSLITERATED = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))


@dataclass(frozen=True, slots=True)
class AuthorChanges:
    """Differences between two lists of authors: the `missing` and the `added` ones, whether the `order` differs, and
    pairs at one position with the same family name but different given names (`respelled`). `strangers`: no common
    author."""

    missing: tuple[Author, ...] = ()
    added: tuple[Author, ...] = ()
    respelled: tuple[tuple[Author, Author], ...] = ()
    order: bool = False
    strangers: bool = False

    def __bool__(self) -> bool:
        return bool(self.missing or self.added or self.respelled or self.order)


def author_changes(yours: Paper, theirs: Paper) -> AuthorChanges:
    """Return how the authors of `yours` differ from those of `theirs`; no difference if one list is empty.

    A list with “et al.”, with a group that the other lacks, or cut by a source is compared as far as it goes: a group
    stands for people whom the other list may name.
    """
    mine, other = yours.authors, theirs.authors
    if not mine or not other:
        return AuthorChanges()
    pairs = _pairs(mine, other)
    matched = set(pairs.values())
    missing = [index for index in range(len(other)) if index not in matched]
    added = [index for index in range(len(mine)) if index not in pairs]
    respelled = [(index, index) for index in added if index in missing and _one_family(mine[index], other[index])]
    groups = {index for index in added if _is_group(mine[index])}
    their_groups = {index for index in missing if _is_group(other[index])}
    missing = [index for index in missing if (index, index) not in respelled and index not in their_groups]
    added = [index for index in added if (index, index) not in respelled and index not in groups]
    strangers = not pairs and not respelled
    if yours.et_al or groups:
        # The first authors are listed, and "et al." stands for all later ones.
        missing = [index for index in missing if index < len(mine) - len(groups) and not strangers]
    if theirs.et_al or their_groups or len(other) >= LISTED_AT_MOST:
        added = [index for index in added if index < len(other) - len(their_groups)]
    places = [pairs[pair] for pair in sorted(pairs)]
    return AuthorChanges(
        tuple(other[index] for index in missing),
        tuple(mine[index] for index in added),
        tuple((mine[left], other[right]) for left, right in respelled),
        places != sorted(places),
        strangers,
    )


def _pairs(mine: Sequence[Author], other: Sequence[Author]) -> dict[int, int]:
    """Map the indices in `mine` to those in `other` of the same persons; prefer the same position."""
    pairs: dict[int, int] = {}
    free = set(range(len(other)))
    for alike in (lambda left, right: _words(left) == _words(right), same_person):
        for index, author in enumerate(mine):
            if index in pairs:
                continue
            candidates = sorted(free, key=lambda at: (abs(at - index), at))
            match = next((at for at in candidates if alike(author, other[at])), None)
            if match is not None:
                pairs[index] = match
                free.discard(match)
    return pairs


def same_person(first: Author, second: Author) -> bool:
    """Whether two names can be the same person's: each word of the shorter name is a word of the other or its initial,
    and at least one full word matches."""
    for name, other in ((first, second), (second, first)):
        turned = Author(name.given, name.family)
        if _GLUED_INITIALS.fullmatch(name.family) and _one_family(turned, other):
            return same_person(turned, other)  # `Lovelace AA`, as in medical journals
    first_words, second_words = _words(first), _words(second)
    if not first_words or not second_words:
        return False
    if "".join(first_words) == "".join(second_words) or "".join(sorted(first_words)) == "".join(sorted(second_words)):
        return True
    short, long = sorted((first_words, second_words), key=len)
    left, whole = list(long), False
    for word in sorted(short, key=len, reverse=True):
        match = next((other for other in left if _one_word(word, other)), None)
        if match is None:
            return False
        left.remove(match)
        whole = whole or min(len(word), len(match)) > 1
    return whole


def _one_word(first: str, second: str) -> bool:
    """Whether two words of names match: equal, an initial, a short form, or another transliteration."""
    short, long = sorted((first, second), key=len)
    if _plain(first) == _plain(second):
        return True
    # "Chris" is short for "Christopher"; "Chen" and "Cheng" are two names.
    if long.startswith(short) and (len(short) == 1 or (len(short) >= 3 and len(long) >= len(short) + 3)):
        return True
    return len(short) >= 5 and first[0] == second[0] and OSA.distance(first, second) == 1


def _plain(word: str) -> str:
    for written, letter in _TRANSLITERATED:
        word = word.replace(written, letter)
    return word


def _words(author: Author) -> list[str]:
    given = [
        part
        for word in re.split(r"[\s.]+", author.given)
        for part in (word if _GLUED_INITIALS.fullmatch(word) else (word,))
    ]
    return _WORD.findall(folded(f"{' '.join(given)} {author.family}").replace("'", "").replace("’", ""))


def _one_family(first: Author, second: Author) -> bool:
    return _WORD.findall(folded(first.family))[-1:] == _WORD.findall(folded(second.family))[-1:]


def _is_group(author: Author) -> bool:
    return bool(_GROUP.search(author.name)) or (not author.given and " " in author.family)


Gravity = Literal["error", "note"]

_IN_A_VENUE = frozenset(("article", "review", "conference-paper", "chapter", "preprint", "other"))
_IN_A_BOOK = frozenset(("chapter", "book"))
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_FIRST_PAGE = re.compile(r"(?:.*:)?([a-z]*)0*(\d+)")
_APPEARS_WITHIN = 4
"""Maximum number of years from preprint to publication."""
_NAMED = 3
"""Maximum number of authors listed in one sentence."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field in which an entry and its records differ: `yours` and `theirs`, the `source`, and the `link` to its
    record. A `note` is not an error. `sentence` describes the difference."""

    field: str
    yours: str
    theirs: str
    sentence: str
    grave: Gravity = "error"
    source: str = ""
    link: str = ""


def field_differences(entry: FoundEntry, records: Mapping[str, Paper], today: date) -> list[FieldDifference]:
    """Return the fields in which `entry` differs from all `records` of its work, by source; and a future year."""
    if future := future_year(entry, today):
        return [future, *(difference for difference in _compared(entry, records) if difference.field != "year")]
    return list(_compared(entry, records))


def future_year(entry: FoundEntry, today: date) -> FieldDifference | None:
    """Report a year in the future; next year is allowed, for works about to appear."""
    year = written_year(entry)
    if year is None or year <= today.year + 1:
        return None
    return FieldDifference("year", str(year), "", f"the year {year} is in the future by the Gregorian calendar")


def written_year(entry: FoundEntry) -> int | None:
    """Return the year of an entry, even one that would be rejected from a source."""
    original = entry.original
    if entry.paper.year is not None or original is None or original.format not in STANDS_IN:
        return entry.paper.year
    texts = (original.value(name) for name in STANDS_IN[original.format]["date"])
    return next((int(match[0]) for text in texts if (match := _YEAR.search(text))), None)


def _compared(entry: FoundEntry, records: Mapping[str, Paper]) -> Iterator[FieldDifference]:
    records = _with_types(records)
    for compare in (_title, _authors, _year, _venue, _volume, _pages, _publisher):
        compared = [(source, compare(entry, record)) for source, record in records.items()]
        differing = [(source, differing_field) for source, differing_field in compared if differing_field is not None]
        if not differing or any(difference == AGREES for _, difference in differing):
            continue
        if compare is _venue:  # venues of published versions outrank those of preprints
            differing = [
                (source, differing_field)
                for source, differing_field in differing
                if not _only_preprint(records[source])
            ] or differing
        source, differing_field = min(differing, key=lambda pair: (pair[1].grave != "note", -_trust(pair[0])))
        yield FieldDifference(
            differing_field.field, differing_field.yours, differing_field.theirs, differing_field.sentence,
            differing_field.grave, title_of(source), records[source].page or "",
        )  # fmt: skip


def _with_types(records: Mapping[str, Paper]) -> Mapping[str, Paper]:
    """Return the records; one without a type gets the type on which the others agree."""
    types = {record.type for record in records.values()} - {"other"}
    if len(types) != 1:
        return records
    [work_type] = types
    return {source: replace(record, type=work_type) for source, record in records.items()}


AGREES = FieldDifference("", "", "", "")
"""Result for a record that has the field and does not contradict the entry."""


def title_of(source: str) -> str:
    """Return the display name of a source."""
    return SOURCES[source].title if source in SOURCES else source


def _trust(source: str) -> int:
    return SOURCES[source].trust if source in SOURCES else 0


def _title(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    yours, theirs = entry.paper.title, without_withdrawal(record.title)
    changes = title_changes(without_withdrawal(yours), theirs)
    if not changes:
        return AGREES
    words = ", ".join(
        f"“{change.yours}” for “{change.theirs}”" if change.yours and change.theirs
        else f"“{change.yours}” is not in it" if change.yours
        else f"“{change.theirs}” is left out"
        for change in changes
    )  # fmt: skip
    grave: Gravity = "note" if all(change.slip for change in changes) else "error"
    return FieldDifference("title", yours, theirs, f"the title is “{theirs}” ({words})", grave)


def _authors(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    paper = entry.paper
    if not paper.authors or not record.authors:
        return None
    changes = author_changes(paper, record)
    if not changes:
        return AGREES
    grave: Gravity = "error" if changes.missing or changes.added or changes.order else "note"
    return FieldDifference("author", _named(paper), _named(record), _author_sentence(changes, record), grave)


def _author_sentence(changes: AuthorChanges, record: Paper) -> str:
    if changes.strangers:
        return f"the authors are {_names(record.authors)}"
    parts = [
        f"{_names(changes.added)} {'is' if len(changes.added) == 1 else 'are'} not among the authors"
        if changes.added else "",
        f"the authors {_names(changes.missing)} are left out" if len(changes.missing) > 1
        else f"the author {_names(changes.missing)} is left out" if changes.missing else "",
        "the authors are in another order" if changes.order else "",
        *(f"{theirs.name} is written {yours.name}" for yours, theirs in changes.respelled[:_NAMED]),
    ]  # fmt: skip
    return "; ".join(filter(None, parts))


def _named(paper: Paper) -> str:
    return ", ".join(author.name for author in paper.authors) + (" et al." if paper.et_al else "")


def _names(authors: tuple[Author, ...]) -> str:
    more = len(authors) - _NAMED
    names = [author.name for author in authors[: _NAMED if more > 1 else len(authors)]]
    if more > 1:
        return f"{', '.join(names)} and {more} more"
    return listed(names)


def _year(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    year, years = entry.paper.year, sorted(set(_years(record)))
    if year is None or not years:
        return None
    if year in years or (entry.paper.type == "preprint" and any(abs(year - other) == 1 for other in years)):
        return AGREES
    if _only_preprint(record) and 0 < year - years[0] <= _APPEARS_WITHIN:
        return AGREES
    either = " or ".join(map(str, years))
    # Print and online publication can be a year apart.
    near = any(abs(year - other) == 1 for other in years) and record.type in ("article", "review", "chapter", "book")
    return FieldDifference("year", str(year), either, f"the year is {either}, not {year}", "note" if near else "error")


def _years(record: Paper) -> Iterator[int]:
    """Yield the years of a record and of its versions; each may be cited."""
    dates = [record.date, *(version.date for version in (record.preprint, record.published) if version)]
    return (year_of(date) for date in dates if date)


def _only_preprint(record: Paper) -> bool:
    return record.type == "preprint" and not (record.published and record.published.venue)


def _venue(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    yours = entry.paper.venue
    if not yours or entry.paper.type not in _IN_A_VENUE or is_preprint_venue(yours):
        return None
    if _only_preprint(record):
        sentence = f"no record shows that it appeared in {yours}, only the preprint"
        return FieldDifference("venue", yours, record.venue or "a preprint", sentence, "note")
    theirs = [venue for venue in dict.fromkeys((record.venue, record.published.venue if record.published else ""))
              if venue and not is_preprint_venue(venue)]  # fmt: skip
    relations = {venue: venue_relation(yours, venue) for venue in theirs}
    if not theirs or "unclear" in relations.values():
        return None
    if "same" in relations.values():
        return AGREES
    # Sources give the book, its series or its publisher as venue of a chapter.
    grave: Gravity = "note" if {entry.paper.type, record.type} & _IN_A_BOOK else "error"
    return FieldDifference("venue", yours, theirs[0], f"it appeared in {theirs[0]}, not in {yours}", grave)


def _volume(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    return _printed(entry, record, "volume", _number(entry.paper.imprint.volume), _number(record.imprint.volume))


def _pages(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    return _printed(entry, record, "pages", _first_page(entry.paper.imprint.pages), _first_page(record.imprint.pages))


def _printed(
    entry: FoundEntry, record: Paper, field: Literal["volume", "pages"], mine: str, other: str
) -> FieldDifference | None:
    if not mine or not other or _venue(entry, record) not in (AGREES, None):
        return None
    if mine == other:
        return AGREES
    yours, theirs = getattr(entry.paper.imprint, field), getattr(record.imprint, field)
    verb = "is" if field == "volume" else "are"
    # Volumes of proceedings are counted in different ways.
    grave: Gravity = "error" if entry.paper.type == record.type == "article" else "note"
    return FieldDifference(field, yours, theirs, f"the {field} {verb} {theirs}, not {yours}", grave)


def _publisher(entry: FoundEntry, record: Paper) -> FieldDifference | None:
    """Compare the publishers of books only: for papers, sources give the society, the imprint or the owner."""
    yours, theirs = entry.paper.imprint.publisher, record.imprint.publisher
    if not yours or not theirs or not {entry.paper.type, record.type} & _IN_A_BOOK:
        return None
    if same_publisher(yours, theirs):
        return AGREES
    return FieldDifference("publisher", yours, theirs, f"the publisher is {theirs}, not {yours}", "note")


def _number(text: str) -> str:
    """Return a volume as a number; "" if it is not a number, or is a year."""
    match = re.fullmatch(r"0*(\d{1,3})", text.strip())
    return match[1] if match else ""


def _first_page(text: str) -> str:
    """Return the first page without leading zeros; "" if pages are counted within the paper, from 1."""
    match = _FIRST_PAGE.fullmatch(text.strip().lower().partition("-")[0])
    return "" if not match or match[2] == "1" else match[1] + match[2]
