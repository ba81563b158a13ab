"""What is wrong with the entries of a bibliography, by what the sources say: verdicts, and no suspicion without proof.

"Not found" and "could not check" are kept apart, because false alarms are what people complain of in such tools. What
sources of papers do not list is never "not found" by them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from agents.lookup.records import RecordLookup
from connectors.capability import Capability
from connectors.paper import Paper, Version, year_of
from connectors.records.build import UNTITLED
from connectors.records.matching import family_key, first_author, same_work, title_key
from connectors.registry import SOURCES
from spar_tui.bibliography.one_work import contradictions, in_other_places, one_work
from spar_tui.bibliography.reading.entries_read import Found, FoundEntry, Problem
from spar_tui.bibliography.reading.identifier_list import name_alone
from spar_tui.bibliography.unlisted import fault_of_address, has_address, held_by_no_source

Verdict = Literal[
    "unreadable", "retracted", "not found", "fields differ", "published since", "duplicate", "incomplete",
    "could not check", "ok",
]  # fmt: skip
VERDICTS: tuple[Verdict, ...] = (
    "unreadable", "retracted", "not found", "fields differ", "published since", "duplicate", "incomplete",
    "could not check", "ok",
)  # fmt: skip
"""The worst first; all before `could not check` are findings."""
SAME_TITLE = 85.0
"""Similarity (0-100) of two titles' words from which they name one work: subtitles are often left out."""
_TELLING_WORDS = 5
"""Words of a title by which a work can be found without an author."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on the entry called `key` in `line` (from 1; 0 for one of no file), and the sentences that explain
    it."""

    line: int
    key: str
    title: str
    verdict: Verdict
    details: tuple[str, ...] = ()


def findings(found: Found, lookups: Sequence[RecordLookup]) -> list[Finding]:
    """One finding an entry and one for each that cannot be read, by line; `lookups` are of each entry in turn."""
    broken = [
        Finding(problem.line, problem.name, "", "unreadable", (_sentence(problem.reason),))
        for problem in found.problems
        if not problem.taken
    ]
    spoilt = {problem.line: problem for problem in reversed(found.problems) if problem.taken}
    doubles = doubles_of(found.entries)
    pairs = zip(found.entries, lookups, strict=True)
    checked = [
        _finding(entry, lookup, doubles.get(index), spoilt.get(entry.line))
        for index, (entry, lookup) in enumerate(pairs)
    ]
    return sorted([*broken, *checked], key=lambda finding: (finding.line, finding.key))


def _finding(entry: FoundEntry, lookup: RecordLookup, double: FoundEntry | None, spoilt: Problem | None) -> Finding:
    """The worst verdict on an entry, be it for what the entry says or for how it is written."""
    verdict, details = _verdict(entry, lookup, double)
    key = entry.key
    if spoilt and entry.key in ("", spoilt.name):
        # An entry whose key is an earlier one's is left without.
        how: Verdict = "incomplete" if entry.key else "duplicate"
        key, details = spoilt.name, [*(details if verdict not in ("ok", "could not check") else []), spoilt.reason]
        verdict = min(verdict, how, key=VERDICTS.index)
    return Finding(entry.line, key, entry.paper.title, verdict, tuple(map(_sentence, details)))


def _verdict(entry: FoundEntry, lookup: RecordLookup, double: FoundEntry | None) -> tuple[Verdict, list[str]]:
    paper, kind = entry.paper, held_by_no_source(entry)
    asked = _registries_asked(lookup)
    if kind and not lookup.by_name and (not lookup.by_title or list(_differences(paper, lookup))):
        lookup = RecordLookup()  # a paper of its title is another work, and that there is none says nothing
    if retracted := [record for record in records_meant(paper, lookup) if record.retracted]:
        return "retracted", [f"the paper was retracted{notice_text(retracted)}"]
    if not lookup.records and len(_deniers(paper, lookup)) >= 2:
        return "not found", [f"no source knows it: not {', not '.join(sorted(_deniers(paper, lookup)))}"]
    if lookup.records and (differences := list(_differences(paper, lookup))):
        return "fields differ", differences
    if published := _published_since(paper, lookup):
        return "published since", [published]
    if double is not None:
        return "duplicate", [_like(double, entry)]
    if gaps := [] if name_alone(entry) else list(_gaps(entry, kind)):
        return "incomplete", gaps
    if lookup.records:
        return "ok", []
    if kind:
        return "could not check", [f"{kind} cannot be looked up: the sources list papers", *asked]
    reasons = [f"asked in vain: {name} {why}" for name, why in sorted(lookup.silent.items())]
    if lookup.unknown:
        names = ", ".join(sorted(lookup.unknown))
        reasons.append(f"not found by {names}, which is too little to say that it does not exist")
    return "could not check", reasons or ["no source in use could be asked for it"]


def _registries_asked(lookup: RecordLookup) -> list[str]:
    """What the registries said of an entry that they do not hold: who does not know its name, and who was silent."""
    registries = [name for name, spec in SOURCES.items() if Capability.LAST_LOOKUP in spec.capabilities]
    unknown = [f"its DOI is unknown to {name}" for name in registries if name in lookup.unknown]
    return unknown + [f"asked in vain: {name} {lookup.silent[name]}" for name in registries if name in lookup.silent]


def _deniers(paper: Paper, lookup: RecordLookup) -> set[str]:
    """The sources whose not knowing the paper means something: one of a few fields can deny only its own papers, and
    none can by a DOI, for there are several registries of those.

    Nobody can deny what is told by a few words only.
    """
    if not paper.identifiers and not paper.authors and len(_words(paper)) < _TELLING_WORDS:
        return set()
    return {
        name
        for name in lookup.unknown & set(SOURCES)
        if SOURCES[name].covers_all_fields or any(paper.identifier(own) for own in SOURCES[name].own_schemes)
    }


def records_meant(paper: Paper, lookup: RecordLookup) -> list[Paper]:
    """The records that are of the paper that the entry describes: an identifier may be a slip of the pen."""
    return [record for record in lookup.records if not _words(paper) or same_title(paper, record)]


def notice_text(records: Sequence[Paper]) -> str:
    """`, by the notice doi:…`: the proof of a retraction, as far as the records of the paper tell it."""
    notices = sorted({record.retraction_notice for record in records if record.retraction_notice})
    return f", by the notice {' and '.join(f'doi:{notice}' for notice in notices)}" if notices else ""


def _words(paper: Paper) -> list[str]:
    """The words of the title; none where there is no title."""
    return title_key(paper.title).split()


def same_title(paper: Paper, other: Paper) -> bool:
    return fuzz.token_set_ratio(title_key(paper.title), title_key(other.title)) >= SAME_TITLE


def _differences(paper: Paper, lookup: RecordLookup) -> Iterator[str]:
    """In what the entry contradicts every source that knows it."""
    meant = records_meant(paper, lookup)
    if not meant:
        names = " and ".join(map(str, paper.identifiers[:2]))
        yield f"its {names} is another paper: “{lookup.records[0].title}” by {_who(lookup.records[0])}"
        return
    if not lookup.by_name and paper.identifiers:
        known = next((record.id for record in meant), "")
        yield f"no source knows {paper.identifiers[0]}; the paper of this title is {known}"
    first = first_author(paper)
    if first and all(record.authors for record in meant) and not any(_has_first(record, first) for record in meant):
        yield f"the first author is {paper.authors[0].family}, sources say {_who(meant[0])}"
    years = {year for record in meant for year in _years(record)}
    play = 1 if paper.type == "preprint" else 0
    if paper.year and years and not any(abs(paper.year - year) <= play for year in years):
        yield f"the year is {paper.year}, sources say {' or '.join(map(str, sorted(years)))}"


def _has_first(record: Paper, family: str) -> bool:
    return any(family_key(author.family) == family for author in record.authors[:1])


def _who(paper: Paper) -> str:
    return paper.authors[0].name if paper.authors else "nobody named"


def _years(record: Paper) -> Iterator[int]:
    """The years of a record and of its versions: each of them may be cited."""
    dates = [record.date, *(version.date for version in (record.preprint, record.published) if version)]
    return (year_of(date) for date in dates if date)


def _published_since(paper: Paper, lookup: RecordLookup) -> str:
    """Where a paper that is cited as a preprint has appeared; "" if it is not, or has not."""
    if paper.type != "preprint":
        return ""
    for record in records_meant(paper, lookup):
        if (version := record.published) and (version.doi or version.venue):
            return f"it has appeared {_where(version)}"
    if lookup.published and (version := lookup.published.published):
        return f"a paper of its title by its first author has appeared {_where(version)}; cite that if it is the same"
    return ""


def _where(version: Version) -> str:
    parts = (
        f"in {version.date[:4]}" if version.date else "",
        f"in {version.venue}" if version.venue else "",
        f"doi:{version.doi}" if version.doi else "",
    )
    return ", ".join(filter(None, parts))


def _gaps(entry: FoundEntry, kind: str) -> Iterator[str]:
    """What the entry lacks; of what sources do not list, which is cited in many ways, only what nothing can do without.

    `kind` is what `held_by_no_source` says.
    """
    paper = entry.paper
    wanted = {"title": paper.title != UNTITLED}
    if kind:
        wanted["address"] = kind != "a web page" or has_address(entry)
    else:
        wanted |= {"author": bool(paper.authors or paper.imprint.editors), "year": paper.year is not None}
        if paper.type in ("article", "conference-paper", "chapter"):
            wanted["journal" if paper.type == "article" else "book title"] = bool(paper.venue)
    if missing := [name for name, there in wanted.items() if not there]:
        yield f"it has no {' and no '.join(missing)}"
    if kind and entry.address and (fault := fault_of_address(entry.address)):
        yield f"its address {entry.address} is not whole: {fault}"


def _like(first: FoundEntry, entry: FoundEntry) -> str:
    where = f"{first.key or 'an entry'} in line {first.line}" if first.line else first.key
    if one_work(first, entry, one_file=True):
        return f"it is the same work as {where}"
    differing = list(contradictions(first, entry))
    return f"it looks like the same work as {where}, though they differ in {' and '.join(differing)}"


def _is_double(first: FoundEntry, second: FoundEntry) -> bool:
    """Whether two entries are one work to an import, or differ in no more than slips of the pen make: what bears one
    identifier is called a double, and what stands in another place in print without one is not."""
    if one_work(first, second, one_file=True):
        return True
    if set(first.paper.identifiers) & set(second.paper.identifiers):
        return same_title(first.paper, second.paper)
    return same_work(first.paper, second.paper) and not in_other_places(first, second)


def doubles_of(entries: Sequence[FoundEntry]) -> dict[int, FoundEntry]:
    """The entries that are the same work as an earlier one, by their index."""
    found: dict[int, FoundEntry] = {}
    by_title: dict[str, list[int]] = {}
    by_name: dict[object, int] = {}
    for number, entry in enumerate(entries):
        named = [by_name[name] for name in entry.paper.identifiers if name in by_name]
        title = " ".join(_words(entry.paper))
        alike = by_title.get(title, []) if title else []
        earlier = next((index for index in (*named, *alike) if _is_double(entries[index], entry)), None)
        if earlier is not None:
            found[number] = entries[earlier]
        by_title.setdefault(title, []).append(number)
        for name in entry.paper.identifiers:
            by_name.setdefault(name, number)
    return found


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
