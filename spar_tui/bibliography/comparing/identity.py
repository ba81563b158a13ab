"""Find which records describe the work of an entry, and what its identifiers lead to instead."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from rapidfuzz import fuzz

from agents.lookup.records import RecordLookup
from connectors.identifiers import Identifier, is_preprint_doi
from connectors.paper import Paper
from connectors.records.matching import family_key, same_work, title_key
from connectors.registry import SOURCES
from connectors.source import usable_names
from spar_tui.bibliography.candidates import Block
from spar_tui.bibliography.comparing.differences import FieldDifference, title_of
from spar_tui.bibliography.one_work import Description, describe, in_other_books, in_other_places, one_work
from spar_tui.bibliography.reading.entries_read import FoundEntry

SAME_TITLE = 85.0
"""Minimum similarity (0-100) of the words of two titles of one work: subtitles are often left out."""
_BY_THE_SAME = 70.0
"""Minimum edit similarity of two titles of one work if most authors are the same."""


def records_meant(paper: Paper, lookup: RecordLookup) -> dict[str, Paper]:
    """Return the records of the work that `paper` describes, by source: an identifier may belong to another work."""
    by_name = {
        source: record
        for source, record in lookup.by_name.items()
        if not title_key(paper.title) or _is_it(paper, record)
    }
    return {**lookup.by_title, **by_name}


def same_title(paper: Paper, other: Paper) -> bool:
    return fuzz.token_set_ratio(title_key(paper.title), title_key(other.title)) >= SAME_TITLE


def _is_it(paper: Paper, record: Paper) -> bool:
    if not title_key(paper.title) or same_title(paper, record):
        return True
    families = [{family_key(author.family) for author in work.authors} for work in (paper, record)]
    shared = len(families[0] & families[1]) / max(*map(len, families), 1)
    return shared > 0.5 and fuzz.ratio(title_key(paper.title), title_key(record.title)) >= _BY_THE_SAME


def identifier_differences(paper: Paper, lookup: RecordLookup, meant: Mapping[str, Paper]) -> list[FieldDifference]:
    """Report identifiers of `paper` that lead to another work, or to nothing although its title is known."""
    others = {source: record for source, record in lookup.by_name.items() if source not in meant or
              meant[source] is not record}  # fmt: skip
    if others and not any(source in meant for source in lookup.by_name.keys() - others.keys()):
        source, record = next(iter(others.items()))
        name = next((name for name in paper.identifiers if name in record.identifiers), paper.identifiers[0])
        theirs = f"“{record.title}” by {who(record)}"
        return [
            FieldDifference(
                name.scheme, name.value, theirs, f"its {name} belongs to another paper: {theirs}", "error",
                title_of(source), record.page or "",
            )
        ]  # fmt: skip
    unknown = next((name for name in paper.identifiers if _is_unknown(name, lookup)), None)
    return [_unknown_name(unknown, lookup, meant)] if meant and unknown else []


def _is_unknown(name: Identifier, lookup: RecordLookup) -> bool:
    """Whether no record has the identifier, and the sources that should have it answered."""
    if any(name in record.identifiers for record in lookup.records) or not _deniers(name, lookup):
        return False
    if name.scheme != "doi":
        return not lookup.by_name
    # A record matched by another identifier may lack the DOI of a preprint.
    return not (_REGISTRIES & lookup.silent.keys()) and not (lookup.by_name and is_preprint_doi(name.value))


def _unknown_name(name: Identifier, lookup: RecordLookup, meant: Mapping[str, Paper]) -> FieldDifference:
    source, record = next(iter(meant.items()))
    another = bool(usable_names(record.identifiers, (name.scheme,)))
    denying = _deniers(name, lookup)
    whom = "no source knows" if not lookup.by_name else f"{' and '.join(map(title_of, sorted(denying)))} does not know"
    return FieldDifference(
        name.scheme, name.value, record.id, f"{whom} {name}; the paper with this title is {record.id}",
        "error" if another or (len(denying) > 1 and not lookup.by_name) else "note", title_of(source),
        record.page or "",
    )  # fmt: skip


def _deniers(name: Identifier, lookup: RecordLookup) -> set[str]:
    """Return the sources that lack the identifier although they support its scheme."""
    return {source for source in lookup.unknown if source in SOURCES and name.scheme in SOURCES[source].schemes}


_REGISTRIES = frozenset(source for source, spec in SOURCES.items() if spec.schemes == ("doi",))


def who(paper: Paper) -> str:
    """Return the first author for use in a sentence."""
    return paper.authors[0].name if paper.authors else "an unnamed author"


def doubles_of(entries: Sequence[FoundEntry]) -> dict[int, FoundEntry]:
    """Return earlier entries for the same work, by the index of the later entry."""
    doubles: dict[int, FoundEntry] = {}
    descriptions = list(map(describe, entries))
    by_title: dict[str, Block] = defaultdict(Block)
    by_name: dict[object, int] = {}
    for number, entry in enumerate(entries):
        named = [by_name[name] for name in entry.paper.identifiers if name in by_name]
        title, describe_entry = descriptions[number].title, partial(descriptions.__getitem__, number)
        alike = by_title[title].near(describe_entry) if title else []
        pairs = ((index, (descriptions[index], descriptions[number])) for index in (*named, *alike))
        earlier = next((index for index, pair in pairs if _is_double((entries[index].paper, entry.paper), pair)), None)
        if earlier is not None:
            doubles[number] = entries[earlier]
        by_title[title].add(number, describe_entry)
        for name in entry.paper.identifiers:
            by_name.setdefault(name, number)
    return doubles


def _is_double(papers: tuple[Paper, Paper], descriptions: tuple[Description, Description]) -> bool:
    """Whether two entries are one work for an import, or differ only by typing errors. With a shared identifier the
    titles must agree; without one, different volumes or pages exclude it."""
    if one_work(*descriptions, one_file=True):
        return True
    if descriptions[0].identifiers & descriptions[1].identifiers:
        return same_title(*papers)
    return not (in_other_places(*descriptions) or in_other_books(*descriptions)) and same_work(*papers)
