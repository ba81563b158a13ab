"""Faults of an entry beside its fields: what it lacks, that its preprint has appeared, that it is there twice."""

import re
from collections.abc import Iterable, Iterator, Mapping

from agents.lookup.records import RecordLookup
from connectors.paper import Paper, Version
from connectors.records.build import UNTITLED, is_preprint_venue
from spar_tui.bibliography.comparing.differences import link_of, title_of, written_year
from spar_tui.bibliography.comparing.titles import without_withdrawal
from spar_tui.bibliography.one_work import contradictions, one_work
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.unlisted import fault_of_address, has_address
from spar_tui.phrases import CONCERN

_NOTICE = 400
"""Characters at the beginning of an abstract in which a notice of withdrawal stands."""
_WITHDRAWN = re.compile(
    r"\b(?:manuscript|preprint|paper|article) (?:has been|was|is) withdrawn|"
    r"\bauthors? (?:have|has) withdrawn (?:this|their|the) (?:manuscript|preprint|paper|article)",
    re.IGNORECASE,
)


def withdrawal(meant: Mapping[str, Paper]) -> str:
    """That a record shows its work as withdrawn, by its title or in place of its abstract; "" if none does."""
    for source, record in meant.items():
        if without_withdrawal(record.title) != record.title or _WITHDRAWN.search(record.abstract[:_NOTICE]):
            return f"the paper was withdrawn ({', '.join(filter(None, (title_of(source), link_of(record))))})"
    return ""


def concerns(meant: Mapping[str, Paper]) -> list[str]:
    """Return a sentence if a record names an expression of concern about its work."""
    told = [f"{title_of(source)}, {link_of(record)}" for source, record in meant.items() if record.concern]
    return [f"{CONCERN} ({told[0]})"] if told else []


def published_since(paper: Paper, lookup: RecordLookup, meant: Iterable[Paper]) -> str:
    """Where a paper that is cited as a preprint has appeared; "" if it is not, or has not."""
    if paper.type != "preprint":
        return ""
    for record in meant:
        if (version := record.published) and (version.doi or version.venue) and not is_preprint_venue(version.venue):
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


def gaps_of(entry: FoundEntry, kind: str) -> Iterator[str]:
    """What the entry lacks; of what sources do not list, which is cited in many ways, only what nothing can do without.

    `kind` is what `held_by_no_source` says.
    """
    paper = entry.paper
    wanted = {"title": paper.title != UNTITLED}
    if kind:
        wanted["address"] = kind != "a web page" or has_address(entry)
    else:
        wanted |= {"author": bool(paper.authors or paper.imprint.editors), "year": written_year(entry) is not None}
        if paper.type in ("article", "conference-paper", "chapter"):
            wanted["journal" if paper.type == "article" else "book title"] = bool(paper.venue)
    if missing := [name for name, there in wanted.items() if not there]:
        yield f"it has no {' and no '.join(missing)}"
    if kind and entry.address and (fault := fault_of_address(entry.address)):
        yield f"its address {entry.address} is not whole: {fault}"


def double_sentence(first: FoundEntry, entry: FoundEntry) -> str:
    where = f"{first.key or 'an entry'} in line {first.line}" if first.line else first.key
    if one_work(first, entry, one_file=True):
        return f"it is the same work as {where}"
    differing = list(contradictions(first, entry))
    return f"it looks like the same work as {where}, though they differ in {' and '.join(differing)}"
