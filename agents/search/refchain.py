"""RefChain (SPAR §3.2): add the references of the relevant papers, one layer deep; they are judged like all others.

References that several relevant papers share come first; fame alone does not help. Citing papers are added too if one
request to a source lists those citing any of the best; on request, also from sources that take one paper at a time.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import Any

from agents.run.events import FoundBy, Link
from agents.run.retrieval.fetching import NAMES_A_BATCH, look_up, taken_in
from agents.search.events import ReferencesFollowed
from agents.search.pool import follow_up_works, found_by_sources, in_order
from agents.search.session import Session
from connectors.capability import Capability
from connectors.errors import NotConfigured, NotFound, SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import Identifier
from connectors.paper import Paper, WorkId
from connectors.source import Answer, usable_names

LEAST_SEEDS = 40
"""If fewer papers than this, but at least one, count as relevant, the next best are followed too."""
CITED = 20
"""Number of best papers whose citing papers are requested together."""
_MOST_CITING = 100
"""Maximum number of citing papers in an answer about several papers: one page of a source."""
_LOOKED_UP = 2
"""References looked up per reference added: how often each is cited is known only after the lookup."""


async def follow_references(session: Session, round: int) -> None:
    """Follow the references of the best relevant papers not followed before; add the best of them."""
    if not session.enter("references", round) or not await session.control.ready():
        return
    links: tuple[Link, ...] = ("citations", "references")
    for link in links:
        seeds = _seeds(session, link, round)
        if set(seeds) - _followed(session, link, round) and not session.control.stopping:
            await _follow(session, link, round, seeds, _bounds(session, link, round, seeds))


async def follow_links_of(session: Session, work: WorkId, link: Link, round: int) -> None:
    """Follow the links of one work, whatever its relevance; add the best of them."""
    limits = session.limits
    bounds = _Bounds(limits.references, limits.asked_seeds, _LOOKED_UP * limits.references)
    await _follow(session, link, round, [work], bounds)


def _followed(session: Session, link: Link, round: int) -> set[WorkId]:
    """The works whose links of this kind were followed in `round`."""
    events = (event for event in session.state.followed if (event.link, event.round) == (link, round))
    return {session.state.work(event.seed) for event in events}


def _seeds(session: Session, link: Link, round: int) -> list[WorkId]:
    state = session.state
    earlier = [event for event in state.followed if event.round < round]
    if earlier and not any(event.listed or event.error for event in earlier):
        return []  # the sources know no links
    earlier_seeds = {state.work(event.seed) for event in earlier if event.link == link}
    seeds = follow_up_works(session)
    if 0 < len(seeds) < LEAST_SEEDS:
        seeds = found_by_sources(session, in_order(state))[:LEAST_SEEDS]
    most = session.limits.seeds if link == "references" or session.options.citing else CITED
    return [work for work in seeds[:most] if work not in earlier_seeds]


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Maximum numbers: of papers added (`room`), seeds with a request of their own (`alone`), references looked up, and
    seeds in a joint request (`together`)."""

    room: int
    alone: int
    looked_up: int
    together: int = 0


def _bounds(session: Session, link: Link, round: int, seeds: Sequence[WorkId]) -> _Bounds:
    """Return the bounds for following `link` from `seeds` in `round`.

    By default, citing papers take the room of references, and the request for them replaces one for a single seed, or a
    batch of lookups; so the total of requests and judgements stays the same. If the person wants citing papers, they
    come in addition.
    """
    limits, state = session.limits, session.state
    looked_up = _LOOKED_UP * limits.references
    if link == "citations":
        by_request = session.options.citing
        return _Bounds(*((limits.references, limits.asked_seeds) if by_request else (limits.citing, 0)), 0, CITED)
    citing = _followed(session, "citations", round)
    if session.options.citing or not citing:
        return _Bounds(limits.references, limits.asked_seeds, looked_up)
    linking_seeds = (
        {finding.link_of for finding in candidate.found_by if finding.link == "citations"}
        for candidate in state.found.values()
    )
    capacity = limits.references - sum(not work_ids.isdisjoint(citing) for work_ids in linking_seeds)
    if sum(not session.papers[seed].references for seed in seeds) >= limits.asked_seeds:
        return _Bounds(capacity, limits.asked_seeds - 1, looked_up)
    return _Bounds(capacity, limits.asked_seeds, max(looked_up - NAMES_A_BATCH, min(looked_up, NAMES_A_BATCH)))


@dataclass(slots=True)
class _Chain:
    """The links of the seeds: references to look up by identifier, complete papers, and errors by seed."""

    names: dict[int, tuple[Identifier, ...]] = field(default_factory=dict)
    papers: dict[int, list[tuple[str, Paper]]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[int, str] = field(default_factory=dict)
    sources: dict[int, str] = field(default_factory=dict)
    """The source asked for the references of each seed whose record lists none."""


async def _follow(session: Session, link: Link, round: int, seeds: Sequence[WorkId], bounds: _Bounds) -> None:
    """Add the best papers that `seeds` are linked to."""
    chain = _Chain()
    if link == "references":
        chain.names = {seed: refs for seed in seeds if (refs := session.papers[seed].references)}
        await _ask_lists(session, [seed for seed in seeds if seed not in chain.names], chain)
    together = await _ask_together(session, seeds[: bounds.together], chain)
    unknown = [seed for seed in seeds if seed not in chain.names and seed not in together][: bounds.alone]
    tasks = [asyncio.create_task(_ask_seed(session, link, seed, chain)) for seed in unknown]
    identifiers = _known_identifiers(session, link, seeds)
    tasks.append(asyncio.create_task(_look_up(session, chain, seeds, identifiers, bounds.looked_up)))
    async for _ in session.control.as_done(tasks):
        pass
    if session.control.stopping:
        return
    best = _best(session, chain, seeds, identifiers, bounds.room)
    events = taken_in(session.works, [(paper, FoundBy(source, "", 0, link, seed)) for seed, source, paper in best])
    first = {paper.id: seed for seed, _, paper in reversed(best)}
    fresh = Counter(first.values())  # a work linked to several seeds counts as new once
    work_ids = seeds if bounds.alone else together
    session.post(*events, *(_seed_followed(chain, link, round, seed, fresh[seed]) for seed in work_ids))


def _seed_followed(chain: _Chain, link: Link, round: int, seed: WorkId, new: int) -> ReferencesFollowed:
    count = max(len(chain.names.get(seed, ())), len(chain.papers.get(seed, ())))
    sources = tuple(sorted({source for source, _ in chain.papers.get(seed, ())}))
    return ReferencesFollowed(seed, link, round, count, new, sources, None if count else chain.errors.get(seed))


def _known_identifiers(session: Session, link: Link, seeds: Sequence[WorkId]) -> set[Identifier]:
    """Return the identifiers of papers found in other ways. After an interruption, the papers already added from these
    seeds are chosen again."""
    now = {(link, seed) for seed in seeds}
    papers = [
        candidate.paper
        for candidate in session.state.found.values()
        if {(record.link, record.link_of) for record in candidate.found_by} - now
    ]
    return {name for paper in papers for name in paper.identifiers}


async def _look_up(
    session: Session, chain: _Chain, seeds: Sequence[WorkId], identifiers: set[Identifier], most: int
) -> None:
    """Look up in batches the references that most and best seeds share, at sources that know their identifiers."""
    worth: dict[Identifier, float] = defaultdict(float)
    citing: dict[Identifier, list[WorkId]] = defaultdict(list)
    for seed in seeds:
        for name in chain.names.get(seed, ()):
            if name not in identifiers:
                worth[name] += session.state.relevance(seed)
                citing[name].append(seed)
    best = sorted(worth, key=lambda name: (-worth[name], name.scheme, name.value))[:most]
    for source, papers in await look_up(session, best, session.options.source_seconds):
        for paper in papers:
            for seed in dict.fromkeys(seed for name in paper.identifiers for seed in citing.get(name, ())):
                chain.papers[seed].append((source, paper))


async def _ask_lists(session: Session, seeds: Sequence[WorkId], chain: _Chain) -> None:
    """Ask the first source whose records list references for all `seeds` in one lookup."""
    for name, source in session.answering.items():
        if Capability.LISTS_REFERENCES not in source.capabilities:
            continue
        papers = {seed: session.papers[seed] for seed in seeds}
        names = {seed: usable[0] for seed, paper in papers.items()
                 if (usable := usable_names(paper.identifiers, source.schemes))}  # fmt: skip
        if not names:
            return
        chain.sources |= dict.fromkeys(names, name)
        answer = await _answered(session, name, partial(source.lookup, sorted(set(names.values()))))
        if isinstance(answer, SourceError):
            chain.errors |= dict.fromkeys(names, f"{name} {answer.sentence}")
            return
        seed_of = {identifier: seed for seed in names for identifier in papers[seed].identifiers}
        for paper in answer.papers:
            for seed in {seed_of[identifier] for identifier in paper.identifiers if identifier in seed_of}:
                chain.names |= {seed: paper.references} if paper.references else {}
        return


async def _ask_together(session: Session, seeds: Sequence[WorkId], chain: _Chain) -> list[WorkId]:
    """Ask the first source that can for the papers citing any of `seeds`; return the seeds of the request."""
    for name, source in session.answering.items():
        work_ids = [seed for seed in seeds if usable_names(session.papers[seed].identifiers, source.schemes)]
        if Capability.CITING_ANY not in source.capabilities or not work_ids:
            continue
        papers = [session.papers[seed] for seed in work_ids]
        answer = await _answered(session, name, partial(source.citing_any, papers, _MOST_CITING))
        if isinstance(answer, SourceError):
            if not isinstance(answer, NotFound):
                session.warn(f"Citing papers could not be fetched: {name} {answer.sentence}")
            continue
        cited = {identifier: seed for seed in work_ids for identifier in session.papers[seed].identifiers}
        for paper in answer.papers:
            for seed in dict.fromkeys(cited[identifier] for identifier in paper.references if identifier in cited):
                chain.papers[seed].append((name, paper))
        return work_ids
    return []


async def _ask_seed(session: Session, link: Link, seed: WorkId, chain: _Chain) -> None:
    """Ask the services, the likeliest first, for the links of a seed whose record lists none; else read its PDF."""
    ability = Capability.REFERENCES if link == "references" else Capability.CITATIONS
    paper, limit = session.papers[seed], session.limits.references
    for name, source in session.answering.items():
        usable = usable_names(paper.identifiers, source.schemes)
        if (
            ability not in source.capabilities
            or not usable
            or (link == "references" and chain.sources.get(seed) == name)
        ):
            continue
        request = source.references if link == "references" else source.citations
        answer = await _answered(session, name, partial(request, paper, limit))
        if isinstance(answer, SourceError):
            if not isinstance(answer, NotFound | NotConfigured):
                chain.errors[seed] = f"{name} {answer.sentence}"
        elif answer.papers:
            chain.papers[seed] += [(name, reference) for reference in answer.papers]
            return
    if link == "references" and (pdf := session.resources.pdf) and paper.pdf:
        answer = await _answered(session, pdf.name, partial(pdf.references, paper, limit))
        if isinstance(answer, SourceError):
            chain.errors[seed] = f"The PDF {answer.sentence}"
        else:
            chain.papers[seed] += [(pdf.name, reference) for reference in answer.papers]


async def _answered(
    session: Session, source: str, request: Callable[[], Coroutine[Any, Any, Answer]]
) -> Answer | SourceError:
    """Return the answer to a request, or its failure; an answer without papers if the search stops first."""
    try:
        async with deadline(source, session.options.source_seconds):
            return await session.control.unless_stopping(request()) or Answer(())
    except SourceError as error:
        return error


def _best(
    session: Session, chain: _Chain, seeds: Iterable[WorkId], identifiers: set[Identifier], capacity: int
) -> list[tuple[WorkId, str, Paper]]:
    """Return the best linked papers, each once for every seed that it is linked to.

    The order is by the total relevance of these seeds, divided by the root of the citation count plus one.
    """
    linked: dict[str, list[tuple[WorkId, str, Paper]]] = defaultdict(list)
    for seed in seeds:
        for source, paper in chain.papers.get(seed, ()):
            if not identifiers & set(paper.identifiers):
                linked[paper.id].append((seed, source, paper))

    def worth(entries: Sequence[tuple[WorkId, str, Paper]]) -> float:
        relevance: Mapping[WorkId, float] = {seed: session.state.relevance(seed) for seed, _, _ in entries}
        return sum(relevance.values()) / sqrt(1 + (entries[0][2].citation_count or 0))

    best = sorted(linked.values(), key=lambda entries: (-worth(entries), entries[0][2].id))
    return [entry for entries in best[: max(capacity, 0)] for entry in entries]
