"""Decide which papers are new to a watch: those that appeared since a source last answered it, not those that
today's other papers bring up."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta

from agents.run.findings import Findings, SourceTally
from connectors.paper import Paper, WorkId
from connectors.person import parse_person_id

LISTED_LATE = timedelta(days=31)
"""Time after its date in which a paper counts as new at a source that does not report when it added the record.
Sources list most papers within weeks of their date; papers that a watch has seen are never new."""
INDEXED_LATE = timedelta(days=7)
"""The same for a source that reports the day: a record is searchable within days."""


def first_day(since: datetime) -> date:
    """Return the earliest publication date that counts as new since then at a source that reports no other date."""
    return (since - LISTED_LATE).date()


def answered_wholly(sources: Mapping[str, SourceTally]) -> list[str]:
    """Return the sources that answered every request completely."""
    return [name for name, tally in sources.items() if tally.state == "ok" and tally.asked]


def appeared(paper: Paper, source: str, since: datetime) -> bool:
    """Return whether `paper`, listed by `source`, first appeared there since then, as far as its record tells.

    The day on which the source added the record decides. For a source that does not report it, a paper is new if no
    date of the record is well before `since`; a date without a month or day counts as its last day. A paper without any
    date is not new.
    """
    indexed = dict(paper.indexed)
    if day := indexed.get(_service(source)):
        return _last_day(day) >= (since - INDEXED_LATE).date()
    versions = [version.date for version in (paper.preprint, paper.published) if version]
    days = [day for day in (paper.date, *versions, *indexed.values()) if day]
    return bool(days) and min(map(_last_day, days)) >= first_day(since)


def appeared_in(paper: Paper, sources: Iterable[str], since: Mapping[str, datetime]) -> bool:
    """Return whether `paper` is new in any of `sources`, each with its own `since`."""
    return any(appeared(paper, source, since[source]) for source in sources if source in since)


def found_in(findings: Findings, work: WorkId) -> tuple[Paper, set[str]]:
    """Return a work of a run, and the sources that found it."""
    candidate = findings.found[work]
    return candidate.paper, {finding.source for finding in candidate.found_by}


def _service(source: str) -> str:
    """Return the source of a list's name, which is the source's name or a person's id there."""
    person = parse_person_id(source)
    return person.source if person else source


def _last_day(text: str) -> date:
    """Return the last day that a date of any precision can mean."""
    year, month, day = ([*map(int, text.split("-")), 0, 0])[:3]
    if day:
        return date(year, month, day)
    return date(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1) - timedelta(days=1)
