"""Begin watches that follow an author or a paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.lookup.following import CANDIDATES, Followed, Namesakes, WatchSubject, followed, namesakes
from agents.lookup.newness import answered_wholly
from agents.run.findings import failures
from cache.errors import NoSuchWatch
from cache.timestamps import utc_now
from cache.watches import NAME_CAP, note_asked, note_looked, note_there, set_watch, watch
from connectors.capability import Capability
from connectors.errors import SourceError
from connectors.person import Person, PersonId, parse_person_id
from connectors.records.clean import clean_text
from connectors.records.matching import title_key
from connectors.records.visible import first_words
from connectors.registry import SOURCES
from spar_tui.errors import Failure, NothingFound, UsageError
from spar_tui.phrases import counted, papers_text
from spar_tui.settings import Settings
from spar_tui.terminal import note_failures, remark, say, say_json
from spar_tui.workspace import Workspace, open_workspace

_NAME_WORDS = 60


@dataclass(frozen=True, slots=True)
class Begun:
    """A stored watch, its subject, and the papers that exist already."""

    name: str
    subject: WatchSubject
    there: int
    followed: Followed


async def begin_author(settings: Settings, raws: Sequence[str], name: str, as_json: bool) -> Begun:
    """Follow the author with the ids `raws`, or with a name that only one author has. Raises `UsageError`, with
    their ids, if several authors have the name, `NothingFound` for an unknown author, and `Failure`."""
    if not all(clean_text(raw, 1) for raw in raws):
        raise UsageError("--author needs an id or a name: spar watch --author openalex:A5023888391.")
    by_raw = {raw: parse_person_id(raw) for raw in raws}
    ids = list(dict.fromkeys(id for id in by_raw.values() if id is not None))
    if len(raws) > 1 and None in by_raw.values():
        wrong = next(raw for raw, id in by_raw.items() if id is None)
        raise UsageError(
            f"{clean_text(wrong, 80)!r} is not the id of an author; of several --author each has to be one."
        )
    able = [spec for name, spec in SOURCES.items()
            if name in settings.preferences.sources and Capability.PEOPLE in spec.capabilities]  # fmt: skip
    if not (ids or able):
        raise UsageError("no source in your settings has author ids; give one with its source, such as openalex:A….")
    names = list(dict.fromkeys(id.source for id in ids)) or [spec.name for spec in able]
    async with open_workspace(settings, names, offline=False) as workspace:
        if ids:
            people = [await _person(workspace, id) for id in ids]
        else:
            candidates = await namesakes(raws[0], workspace.resources.live)
            titles = " and ".join(spec.title for spec in able)
            people = [_only_person(clean_text(raws[0], 200), candidates, titles, as_json)]
        subject = WatchSubject("author", people[0].name, tuple(str(person.id) for person in people))
        return await _begun(workspace, subject, name or f"by {subject.title}")


async def begin_cites(settings: Settings, raw: str, name: str) -> Begun:
    """Follow the papers that cite the paper `raw`. Raises `UserError`."""
    from spar_tui.cli.papers import find_paper

    async with open_workspace(settings, settings.preferences.sources, offline=False) as workspace:
        paper = (await find_paper(raw, workspace)).paper
        if not paper.identifiers:
            raise Failure(f"“{paper.title}” has no identifier, so no source can list the papers that cite it.")
        best_first = sorted(map(str, paper.identifiers), key=lambda name: name != paper.id)
        subject = WatchSubject("cites", paper.title, tuple(best_first))
        return await _begun(workspace, subject, name or f"citing {first_words(paper.title, _NAME_WORDS)}")


def tell_begun(watched: Begun) -> None:
    """Report that a watch was stored, and which papers count as known."""
    note_failures(failures(watched.followed.sources))
    lists = {name: tally for name, tally in watched.followed.sources.items() if tally.state in ("ok", "partial")}
    parts = (f"{name} {tally.found:,}{' in part' if tally.state == 'partial' else ''}" for name, tally in lists.items())
    text = f"{counted(sum(tally.found for tally in lists.values()), 'record')} ({', '.join(parts)})"
    remark(
        f"watching {watched.subject.words} as “{watched.name}”. {papers_text(watched.there).capitalize()} known "
        f"already, from {text}; `spar watch` shows later ones."
    )


def begun_object(watched: Begun) -> dict[str, Any]:
    """Return the `--json` object of a stored watch."""
    subject, answer = watched.subject, watched.followed
    return {
        "name": watched.name,
        "kind": subject.kind,
        "question": subject.words,
        "follows": list(subject.names),
        "there": watched.there,
        "failed": failures(answer.sources),
    }


async def _begun(workspace: Workspace, subject: WatchSubject, name: str) -> Begun:
    """Store a watch whose currently listed papers are not new. Raises `UsageError` if the name is taken, and
    `Failure` if no source answers, because everything would be new later."""
    name, store = clean_text(name, NAME_CAP), workspace.store
    if not any(map(str.isalnum, name)):
        raise UsageError("the name of a watch needs letters or digits.")
    try:
        earlier = watch(store, name)
    except NoSuchWatch:
        pass
    else:
        raise UsageError(
            f"the watch “{earlier.name}” already exists, for “{earlier.question}”. Add another name at the end of the "
            f"command, or delete that watch: spar watch --drop “{earlier.name}”."
        )
    start = utc_now()
    answer = await followed(subject, workspace.resources.live)
    whole = answered_wholly(answer.sources)
    if not whole:
        text = " ".join(
            f"{source} {tally.error or 'answered only in part.'}" for source, tally in answer.sources.items()
        )
        raise Failure(
            f"nothing was stored: no source listed the present papers, so new ones could not be recognized. {text}"
        )
    papers = [paper for paper, _ in answer.listed]
    with store.writing():
        name = set_watch(store, name, subject.words, subject.parameters, start)
        note_there(store, name, papers)
        note_looked(store, name, whole, start)
        note_asked(store, name)
    return Begun(name, subject, len(papers), answer)


async def _person(workspace: Workspace, id: PersonId) -> Person:
    try:
        return await workspace.resources.live[id.source].person(id)
    except SourceError as error:
        raise Failure(f"{id} could not be looked up: {error.source} {error.sentence}") from None


def _only_person(name: str, candidates: Namesakes, sources: str, as_json: bool) -> Person:
    """Return the only person called `name` whom the `sources` know, if no source failed. Raises `UsageError`,
    `NothingFound` and `Failure`."""
    people = candidates.people
    note_failures(candidates.failed)
    if not people:
        if candidates.failed:
            raise Failure(f"not all sources could look up {name!r}; give an id, such as openalex:A….")
        raise NothingFound(f"{sources} found no author called {name!r}; give an id, such as openalex:A….")
    if len(people) == 1 and not candidates.failed and _words(people[0].name) == _words(name):
        return people[0]
    if as_json:
        say_json({
            "candidates": [
                {"id": str(person.id), "name": person.name, "papers": person.works,
                 "affiliation": person.affiliation or None}
                for person in people
            ]
        })  # fmt: skip
    for person in () if as_json else people:
        works = "" if person.works is None else papers_text(person.works)
        say("  ".join(filter(None, [f"{person.id!s:<24}", person.name, works, person.affiliation])))
    number = f"{len(people)} authors match it" if len(people) > 1 else "one author matches it"
    most = f" (at most {CANDIDATES} of each source)" if len(people) >= CANDIDATES else ""
    raise UsageError(
        f"{name!r} is a name, and {number}{most}; choose by id, as in: spar watch --author {people[0].id}. "
        "One person may have an entry in each source: repeat --author to follow both."
    )


def _words(name: str) -> list[str]:
    """Return the words of a name in an order that makes `Lovelace, Ada` and `Ada Lovelace` equal."""
    return sorted(title_key(name).split())
