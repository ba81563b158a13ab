"""Find the corrections of a bibliography that the sources prove.

Only a certain correction becomes a change; a likely one, or one for a person to decide, becomes a doubt.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agents.lookup.records import RecordLookup
from connectors.identifiers import is_preprint_doi
from connectors.paper import Paper, Version
from connectors.records.matching import family_key, first_author, title_key
from connectors.registry import SOURCES
from spar_tui.bibliography.checking import notice_text
from spar_tui.bibliography.comparing.identity import doubles_of, records_meant
from spar_tui.bibliography.entry_faults import held_by_no_source
from spar_tui.bibliography.latex import Encoded, encode, verbatim
from spar_tui.bibliography.one_work import contradictions, describe, one_work
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry

_TELLING_WORDS = 5
"""Minimum number of words of a title that, with author, year and venue, identifies a paper."""
_TYPES = {"article": "article", "review": "article", "conference-paper": "inproceedings", "chapter": "incollection"}
_ARXIV = re.compile(r"arxiv|\bcorr\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FieldMend:
    """A new `value` for a field (LaTeX; None removes it), and a sentence with the reason and the source. With `more`,
    the value is appended. The field `""` is the entry's type."""

    field: str
    value: str | None
    why: str
    more: bool = False


@dataclass(slots=True)
class Mend:
    """The corrections of an entry: its changes, the earlier entry that it is `joined` into, and its doubts."""

    entry: FoundEntry
    changes: list[FieldMend] = field(default_factory=list)
    joined: FoundEntry | None = None
    doubts: list[str] = field(default_factory=list)


def mends_of(document: FileEntries, lookups: Sequence[RecordLookup]) -> list[Mend]:
    """Return the corrections of each entry, in order; `lookups` has one lookup per entry."""
    doubles = doubles_of(document.entries)
    dois = {name.value for entry in document.entries for name in entry.paper.identifiers if name.scheme == "doi"}
    parents = {
        key.strip().casefold()
        for entry in document.entries
        if entry.original
        for name in ("crossref", "xdata", "xref", "related", "entryset")
        for key in entry.original.value(name).split(",")
    }
    mends = list[Mend]()
    for index, (entry, lookup) in enumerate(zip(document.entries, lookups, strict=True)):
        mend = Mend(entry)
        mends.append(mend)
        if (first := doubles.get(index)) is not None:
            roots = (fix.joined for fix in mends if fix.entry is first and fix.joined)
            if _join(mend, next(roots, first), parents):
                continue
        evidence = _CertainRecords(entry, lookup)
        if published := evidence.published():
            mend.changes += _as_published(entry, *published)
        else:
            _mend_year(mend, evidence)
            _mend_doi(mend, evidence, dois)
        _mend_retraction(mend, evidence)
        if lookup.published and not published:
            mend.doubts.append(
                f"a paper with this title was published ({lookup.published.id}); check that it is the same"
            )
    return mends


def _join(mend: Mend, first: FoundEntry, parents: set[str]) -> bool:
    """Decide whether the entry is joined into the `first` entry of its work; otherwise add a doubt."""
    entry = mend.entry
    assert entry.original is not None
    place_name = f"{first.key or 'the entry'} in line {first.line}"
    described = describe(first), describe(entry)
    if not one_work(*described, one_file=True):
        differing = " and ".join(contradictions(*described))
        mend.doubts.append(f"it looks like {place_name}, but they differ in {differing}; not joined")
    elif entry.original.key.casefold() in parents:
        mend.doubts.append(f"it is the same work as {place_name}, but other entries inherit from it; not joined")
    else:
        mend.joined = first
    return mend.joined is not None


class _CertainRecords:
    """What sources say with certainty about the paper of an entry: `records` by source."""

    def __init__(self, entry: FoundEntry, lookup: RecordLookup) -> None:
        self.entry, self.paper = entry, entry.paper
        right = [*records_meant(entry.paper, lookup).values()]
        self.by_name = {
            source: paper for source, paper in lookup.by_name.items() if paper in right and self._by_first(paper)
        }
        by_title = {} if held_by_no_source(entry) else lookup.by_title
        # If no source knows an identifier of the entry, either the identifier or the title may be wrong.
        self.by_title = (
            {} if self.paper.identifiers else {k: paper for k, paper in by_title.items() if self._is_it(paper)}
        )

    @property
    def records(self) -> dict[str, Paper]:
        return {**self.by_title, **self.by_name}

    def _by_first(self, record: Paper) -> bool:
        first = first_author(self.paper)
        return not (first and record.authors) or family_key(record.authors[0].family) == first

    def _is_it(self, record: Paper) -> bool:
        """Whether a record matched by title is this paper: title, first author, year and venue are known in both and
        equal."""
        title = title_key(self.paper.title)
        return (
            len(title.split()) >= _TELLING_WORDS
            and title == title_key(record.title)
            and bool(first_author(self.paper) and record.authors)
            and self._by_first(record)
            and self.paper.year is not None
            and self.paper.year == record.year
            and bool(self.paper.venue)
            and title_key(self.paper.venue) == title_key(record.venue)
        )

    def published(self) -> tuple[Version, Paper, str] | None:
        """Return the published version of a work cited as a preprint, the record with both, and its source."""
        if self.paper.type != "preprint":
            return None
        for source, record in self.by_name.items():
            version = record.published
            if version and version.venue and version.date and record.type in _TYPES:
                return version, record, _sources_of({source: record})
        return None


def _mend_year(mend: Mend, evidence: _CertainRecords) -> None:
    """Correct a year of no record or version to the only one in the records; doubt it if they differ or it is one year
    off, as between online and print."""
    year = evidence.paper.year
    if year is None or evidence.paper.type == "preprint" or not evidence.by_name:
        return
    record_years = {record.year for record in evidence.by_name.values()} - {None}
    either = {int(version.date[:4]) for record in evidence.by_name.values()
              for version in (record.preprint, record.published) if version and version.date}  # fmt: skip
    if not record_years or year in record_years | either:
        return
    sources = _sources_of(evidence.by_name)
    if len(record_years) > 1:
        years = " or ".join(map(str, sorted(version for version in record_years if version)))
        mend.doubts.append(f"the year is {year}, but sources say {years} ({sources}); not changed")
        return
    [record_year] = record_years
    assert record_year is not None
    if abs(record_year - year) == 1:
        mend.doubts.append(
            f"the year is {year}, but {record_year} in {sources}; print and online dates can differ by a year"
        )
        return
    assert mend.entry.original is not None
    values_by_name = {name.lower(): value for name, value in mend.entry.original.fields}
    dated = [name for name in ("date", "year") if re.fullmatch(r"\d{4}(?:-\d\d){0,2}", values_by_name.get(name, ""))]
    if not dated:
        mend.doubts.append(
            f"the year is {year}, but {record_year} in {sources}; its date has an unusual form, so change it by hand"
        )
    mend.changes += [
        FieldMend(name, str(record_year), f"the year is {record_year}, not {year}: {sources}") for name in dated
    ]


def _mend_doi(mend: Mend, evidence: _CertainRecords, used_dois: set[str]) -> None:
    """Add a missing DOI if all records with a DOI have the same."""
    paper = evidence.paper
    if paper.identifier("doi") or paper.type == "preprint":
        return
    having = {source: record for source, record in evidence.records.items() if record.identifier("doi")}
    dois = {doi for record in having.values() if (doi := record.identifier("doi")) and not is_preprint_doi(doi)}
    if not dois:
        return
    sources = _sources_of(having)
    venues = {title_key(record.venue) for record in having.values() if record.venue}
    if len(dois) > 1:
        mend.doubts.append(f"it has no DOI, but sources have several: {', '.join(sorted(dois))}")
    elif dois & used_dois:
        mend.doubts.append(f"it has no DOI; {next(iter(dois))} would fit, but another entry has it")
    elif paper.venue and venues and title_key(paper.venue) not in venues:
        mend.doubts.append(f"it has no DOI; {next(iter(dois))} belongs to the version in another venue ({sources})")
    else:
        [doi] = dois
        mend.changes.append(FieldMend("doi", verbatim(doi), f"its DOI was missing: {sources}"))


def _mend_retraction(mend: Mend, evidence: _CertainRecords) -> None:
    retracted = {source: record for source, record in evidence.records.items() if record.retracted}
    assert mend.entry.original is not None
    if not retracted or "retract" in f"{mend.entry.original.value('note')} {evidence.paper.title}".lower():
        return
    why = f"the paper was retracted{notice_text([*retracted.values()])}: {_sources_of(retracted)}"
    mend.changes.append(FieldMend("note", "Retracted", why, more=True))


def _as_published(entry: FoundEntry, version: Version, record: Paper, sources: str) -> Iterator[FieldMend]:
    """Yield the changes that turn the entry of a preprint into one of the published version; the arXiv id stays."""
    assert entry.original is not None
    values_by_name = {name.lower(): value for name, value in entry.original.fields}
    biblatex = entry.type == "online" or not values_by_name.keys().isdisjoint(
        ("date", "journaltitle", "eprinttype", "eprintclass")
    )
    kind = _TYPES[record.type]
    why = f"it has appeared in {version.venue}: {sources}"
    new: dict[str, str | None] = dict.fromkeys(("month", "day"))
    new |= {name: None for name, value in values_by_name.items()
            if name in ("journal", "journaltitle", "howpublished", "publisher", "organization", "booktitle", "series")
            and _ARXIV.search(value)}  # fmt: skip
    if values_by_name.get("volume", "").startswith("abs/"):
        new["volume"] = None
    if "preprint" in values_by_name.get("type", "").lower():
        new["type"] = None
    container = "booktitle" if kind != "article" else "journaltitle" if biblatex else "journal"
    new[container] = _latex(version.venue)
    assert version.date is not None
    new["date" if "date" in values_by_name or (biblatex and "year" not in values_by_name) else "year"] = version.date[
        :4
    ]
    imprint = record.imprint
    for name, value in (("volume", imprint.volume), ("number", imprint.number), ("pages", imprint.pages)):
        if value:
            new[name] = "--".join(map(_latex, value.split("-"))) if name == "pages" else _latex(value)
    if version.doi:
        new["doi"] = verbatim(version.doi)
    if "eprint" not in values_by_name and (arxiv := entry.paper.identifier("arxiv")):
        new |= {"eprint": verbatim(arxiv), **({"eprinttype": "arxiv"} if biblatex else {"archiveprefix": "arXiv"})}
    if entry.type != kind:
        yield FieldMend("", kind, why)
    for name, latex in new.items():
        if (latex is not None or name in values_by_name) and values_by_name.get(name) != latex:
            yield FieldMend(name, latex, why)


def _latex(text: str) -> str:
    """Convert `text` to ASCII as far as TeX has macros; the result suits files of any encoding."""
    encoded: Encoded = encode(text, ascii_only=True)
    return encoded.text


def _sources_of(records: dict[str, Paper]) -> str:
    """Return which sources say so, and their identifiers of the paper."""
    sources_by_name: dict[str, list[str]] = {}
    for source, record in records.items():
        sources_by_name.setdefault(record.id, []).append(SOURCES[source].title if source in SOURCES else source)
    return ", ".join(f"{' and '.join(sources)} of {name}" for name, sources in sources_by_name.items())
