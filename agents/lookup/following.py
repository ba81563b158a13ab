"""What a person writes, or what cites a paper, followed over time: told by the sources that can say what is newest."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from agents.lookup.links import tallied_answer, united
from agents.run.errors import RunError
from agents.run.findings import SourceTally
from connectors.capability import Capability
from connectors.errors import SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import identifiers, parse_identifier
from connectors.paper import Paper
from connectors.person import Person, parse_person_id
from connectors.source import Answer, Source

FOLLOW_SECONDS = 60.0
NEWEST, AT_FIRST = 200, 400
"""How many papers are asked for, and how many when the list is seen for the first time: more, for what leaves a list
lets an older paper move up, which is no news."""
CANDIDATES = 10

Kind = Literal["author", "cites"]
_KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a watch follows.

    `title` is the person's name or the cited paper's title, `names` the person's ids or the paper's identifiers.
    `known` are those whose list has been seen before, a person's ids or sources: what comes into it later is new.
    """

    kind: Kind
    title: str
    names: tuple[str, ...]
    known: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """It in words, as a watch is called by its question."""
        if self.kind == "author":
            return f"papers by {self.title} ({', '.join(self.names)})"
        return f"papers that cite “{self.title}”" + (f" ({self.names[0]})" if self.names else "")

    @property
    def parameters(self) -> dict[str, Any]:
        """It as it is stored with a watch."""
        stored = {"kind": self.kind, "title": self.title, "names": list(self.names), "known": list(self.known)}
        return {"follows": stored}


def kind_of(parameters: Mapping[str, Any]) -> str:
    """What sort of thing a stored watch is of, be it one that only a later version knows."""
    return str(parameters["follows"]["kind"]) if "follows" in parameters else "question"


def subject_of(parameters: Mapping[str, Any]) -> Subject | None:
    """What a stored watch follows; None for a question. Raises `RunError` for what only a later version follows."""
    stored = parameters.get("follows")
    if stored is None:
        return None
    if stored["kind"] not in _KINDS:
        raise RunError("a later version of spar stored this watch; this one does not know what it follows.")
    return Subject(stored["kind"], stored["title"], tuple(stored["names"]), tuple(stored["known"]))


@dataclass(frozen=True, slots=True)
class Followed:
    """What was told of a subject: `papers` by lists that were seen before, `first` by lists seen for the first time,
    each newest first, and the names of those lists as far as they came whole. `sources` tells what each did, by
    source or, for a person, by id."""

    papers: tuple[Paper, ...]
    first: tuple[Paper, ...]
    now_known: tuple[str, ...]
    sources: Mapping[str, SourceTally]


async def followed(subject: Subject, live: Mapping[str, Source]) -> Followed:
    """Ask every source of `live` that can tell what is newest of `subject`."""
    asked = _asked(subject, live)
    outcomes = await asyncio.gather(*(tallied_answer(source, ask, FOLLOW_SECONDS) for source, ask in asked.values()))
    told: dict[str, Answer] = {}
    tallies: dict[str, SourceTally] = {}
    for name, (tally, answer) in zip(asked, outcomes, strict=True):
        tallies[name] = tally
        if tally.state in ("ok", "partial"):
            told[name] = answer
    before = [answer.papers for name, answer in told.items() if name in subject.known]
    first = [answer.papers for name, answer in told.items() if name not in subject.known]
    whole = [name for name, answer in told.items() if name not in subject.known and not answer.partial]
    return Followed(_by_date(united(before)), _by_date(united(first)), tuple(whole), tallies)


def _asked(subject: Subject, live: Mapping[str, Source]) -> dict[str, tuple[Source, Callable[[], Awaitable[Answer]]]]:
    """Who is asked, under the name by which it is known whether it was asked before."""

    def most(name: str) -> int:
        return NEWEST if name in subject.known else AT_FIRST

    asked: dict[str, tuple[Source, Callable[[], Awaitable[Answer]]]] = {}
    if subject.kind == "author":
        for name in subject.names:
            id = parse_person_id(name)
            if id and (source := live.get(id.source)) and Capability.PEOPLE in source.capabilities:
                asked[name] = source, partial(source.works_of, id, most(name))
        return asked
    paper = Paper(subject.title, identifiers=identifiers(*map(parse_identifier, subject.names)))
    for name, source in live.items():
        if Capability.NEWEST_CITATIONS in source.capabilities:
            asked[name] = source, partial(source.newest_citations, paper, most(name))
    return asked


def _by_date(papers: Sequence[Paper]) -> tuple[Paper, ...]:
    """The newest first; those without a date last."""
    return tuple(sorted(papers, key=lambda paper: paper.date or "", reverse=True))


@dataclass(frozen=True, slots=True)
class Namesakes:
    """Those who may be meant by a name, and why a source could not say whom it knows, by source."""

    people: tuple[Person, ...]
    failed: Mapping[str, str]


async def namesakes(name: str, live: Mapping[str, Source]) -> Namesakes:
    """Everybody whom the sources of `live` know by `name`, as many as are worth reading."""
    able = [source for source in live.values() if Capability.PEOPLE in source.capabilities]
    found = await asyncio.gather(*(_people(source, name) for source in able))
    failed = {source.name: told for source, told in zip(able, found, strict=True) if isinstance(told, str)}
    return Namesakes(tuple(one for told in found if not isinstance(told, str) for one in told), failed)


async def _people(source: Source, name: str) -> Sequence[Person] | str:
    """Those whom `source` knows, or the sentence that says why it does not tell."""
    try:
        async with deadline(source.name, FOLLOW_SECONDS):
            return await source.people(name, CANDIDATES)
    except SourceError as error:
        return error.sentence
