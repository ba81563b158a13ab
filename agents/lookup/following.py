"""Follow an author, or the papers that cite a paper, at the sources that can list the newest."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from agents.lookup.links import tallied_answer
from agents.run.errors import RunError
from agents.run.findings import SourceTally
from connectors.capability import Capability
from connectors.errors import SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import identifiers, parse_identifier
from connectors.paper import Paper
from connectors.person import Person, parse_person_id
from connectors.records.grouping import grouped
from connectors.source import Answer, Source

FOLLOW_SECONDS = 60.0
NEWEST = 400
"""Number of newest papers to request from a source."""
CANDIDATES = 10

Kind = Literal["author", "cites"]
_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class WatchSubject:
    """The author or paper that a watch follows: `title` is the author's name or the cited paper's title, `names` the
    author's ids or the paper's identifiers."""

    kind: Kind
    title: str
    names: tuple[str, ...]

    @property
    def words(self) -> str:
        """The subject in words, as the question of a watch."""
        if self.kind == "author":
            return f"papers by {self.title} ({', '.join(self.names)})"
        return f"papers that cite “{self.title}”" + (f" ({self.names[0]})" if self.names else "")

    @property
    def parameters(self) -> dict[str, Any]:
        """The subject as stored with a watch."""
        return {"follows": {"kind": self.kind, "title": self.title, "names": list(self.names)}}


def kind_of(parameters: Mapping[str, Any]) -> str:
    """Return the kind of subject of a stored watch, also if only a later version knows it."""
    return str(parameters["follows"]["kind"]) if "follows" in parameters else "question"


def subject_of(parameters: Mapping[str, Any]) -> WatchSubject | None:
    """Return the subject of a stored watch; None for a question. Raises `RunError` if only a later version knows its
    kind."""
    stored = parameters.get("follows")
    if stored is None:
        return None
    if stored["kind"] not in _KINDS:
        raise RunError("a newer version of spar stored this watch; this one does not know what it follows.")
    return WatchSubject(stored["kind"], stored["title"], tuple(stored["names"]))


@dataclass(frozen=True, slots=True)
class Followed:
    """What sources list about a subject. `lists` and `sources` (what each source did) are by source or, for an
    author, by id."""

    lists: Mapping[str, Sequence[Paper]]
    sources: Mapping[str, SourceTally]

    @property
    def listed(self) -> list[tuple[Paper, frozenset[str]]]:
        """Every paper, merged over the lists, with the names of the lists that have it, newest first."""
        works = grouped((paper, name) for name, papers in self.lists.items() for paper in papers)
        return sorted(((paper, frozenset(names)) for paper, names in works), key=_date, reverse=True)


async def followed(subject: WatchSubject, live: Mapping[str, Source]) -> Followed:
    """Ask every source of `live` that can list the newest papers of `subject`."""
    requests = _requests(subject, live)
    outcomes = await asyncio.gather(*(tallied_answer(source, ask, FOLLOW_SECONDS) for source, ask in requests.values()))
    answers = dict(zip(requests, outcomes, strict=True))
    lists = {name: answer.papers for name, (tally, answer) in answers.items() if tally.state in ("ok", "partial")}
    return Followed(lists, {name: tally for name, (tally, _) in answers.items()})


def _requests(
    subject: WatchSubject, live: Mapping[str, Source]
) -> dict[str, tuple[Source, Callable[[], Awaitable[Answer]]]]:
    """Return the requests to send, by the name of the list."""
    requests: dict[str, tuple[Source, Callable[[], Awaitable[Answer]]]] = {}
    if subject.kind == "author":
        for name in subject.names:
            id = parse_person_id(name)
            if id and (source := live.get(id.source)) and Capability.PEOPLE in source.capabilities:
                requests[name] = source, partial(source.works_of, id, NEWEST)
        return requests
    paper = Paper(subject.title, identifiers=identifiers(*map(parse_identifier, subject.names)))
    for name, source in live.items():
        if Capability.NEWEST_CITATIONS in source.capabilities:
            requests[name] = source, partial(source.newest_citations, paper, NEWEST)
    return requests


def _date(entry: tuple[Paper, frozenset[str]]) -> str:
    """Return the date by which a paper is sorted; papers without one come last."""
    return entry[0].date or ""


@dataclass(frozen=True, slots=True)
class Namesakes:
    """The people that a name may denote, and the reasons of the sources that failed."""

    people: tuple[Person, ...]
    failed: Mapping[str, str]


async def namesakes(name: str, live: Mapping[str, Source]) -> Namesakes:
    """Return the people that the sources `live` list under `name`, up to `CANDIDATES` per source."""
    able = [source for source in live.values() if Capability.PEOPLE in source.capabilities]
    results = await asyncio.gather(*(_people(source, name) for source in able))
    failed = {source.name: reason for source, reason in zip(able, results, strict=True) if isinstance(reason, str)}
    return Namesakes(tuple(person for people in results if not isinstance(people, str) for person in people), failed)


async def _people(source: Source, name: str) -> Sequence[Person] | str:
    """Return the people that `source` lists, or the sentence of its error."""
    try:
        async with deadline(source.name, FOLLOW_SECONDS):
            return await source.people(name, CANDIDATES)
    except SourceError as error:
        return error.sentence
