"""Which records are of the work that an entry describes, and what its identifiers lead to instead."""

from collections.abc import Mapping

from rapidfuzz import fuzz

from agents.lookup.records import RecordLookup
from connectors.paper import Paper
from connectors.records.matching import family_key, title_key
from connectors.source import usable_names
from spar_tui.bibliography.comparing.differences import FieldDifference, link_of, title_of

SAME_TITLE = 85.0
"""Similarity (0-100) of two titles' words from which they name one work: subtitles are often left out."""
_BY_THE_SAME = 70.0
"""Edit similarity from which they do where most authors are the same."""


def records_meant(paper: Paper, lookup: RecordLookup) -> dict[str, Paper]:
    """The records of the work that `paper` describes, by source: an identifier may be another work's."""
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
    families = [{family_key(author.family) for author in one.authors} for one in (paper, record)]
    shared = len(families[0] & families[1]) / max(*map(len, families), 1)
    return shared > 0.5 and fuzz.ratio(title_key(paper.title), title_key(record.title)) >= _BY_THE_SAME


def identifier_differences(paper: Paper, lookup: RecordLookup, meant: Mapping[str, Paper]) -> list[FieldDifference]:
    """The identifiers of `paper` that lead to another work, or to nothing though its title is known."""
    others = {source: record for source, record in lookup.by_name.items() if source not in meant or
              meant[source] is not record}  # fmt: skip
    if others and not any(source in meant for source in lookup.by_name.keys() - others.keys()):
        source, record = next(iter(others.items()))
        name = next((name for name in paper.identifiers if name in record.identifiers), paper.identifiers[0])
        theirs = f"“{record.title}” by {who(record)}"
        return [
            FieldDifference(
                name.scheme, name.value, theirs, f"its {name} is another paper: {theirs}", "error", title_of(source),
                link_of(record),
            )
        ]  # fmt: skip
    if lookup.by_name or not meant or not lookup.unknown or lookup.silent or not paper.identifiers:
        return []
    source, record = next(iter(meant.items()))
    name = paper.identifiers[0]
    another = bool(usable_names(record.identifiers, (name.scheme,)))
    return [
        FieldDifference(
            name.scheme, name.value, record.id, f"no source knows {name}; the paper of this title is {record.id}",
            "error" if another or len(lookup.unknown) > 1 else "note", title_of(source), link_of(record),
        )
    ]  # fmt: skip


def who(paper: Paper) -> str:
    """The first author, for a sentence."""
    return paper.authors[0].name if paper.authors else "nobody named"
