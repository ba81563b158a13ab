"""Find the references, citing papers and similar papers of one paper at every source that has them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from agents.builtin.arithmetic import fused
from agents.llm.errors import ModelError
from agents.meaning.kept import by_meaning
from agents.run.events import SourceState
from agents.run.findings import SourceTally
from agents.run.resources import Resources
from connectors.capability import Capability
from connectors.errors import NotConfigured, NotFound, SourceError
from connectors.http.deadline import deadline
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.grouping import grouped
from connectors.records.matching import same_work
from connectors.registry import SOURCES
from connectors.source import Answer, Source

Kind = Literal["references", "citations", "similar"]
_ABILITY = {"references": Capability.REFERENCES, "citations": Capability.CITATIONS, "similar": Capability.SIMILAR}
LINK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Linked:
    """Papers linked to a paper, merged over sources, and what each source did."""

    papers: tuple[Paper, ...]
    sources: Mapping[str, SourceTally]
    compared_by: str = ""
    """Name of the encoder that compared meanings, "" for none; `fault` is the reason if it failed."""
    fault: str = ""


async def linked(paper: Paper, kind: Kind, resources: Resources, limit: int) -> Linked:
    """Return the papers that `paper` cites, that cite it, or that are similar; those that several sources list early
    come first.

    A source that does not know the paper, or has no such lists, is skipped silently. If an encoder on this machine
    computes vectors, similar papers are ranked by meaning as well.
    """

    def able(source: Source) -> bool:
        return _ABILITY[kind] in source.capabilities

    def ask(source: Source) -> Awaitable[Answer]:
        asks = {"references": source.references, "citations": source.citations, "similar": source.similar}
        return asks[kind](paper, limit)

    link = await _ask_sources(resources, able, ask)
    others = [other for other in link.papers if not same_work(other, paper)]
    embeddings = resources.embeddings if kind == "similar" else None
    if embeddings is None or not embeddings.encoder.local or len(others) < 2:
        return Linked(tuple(others[:limit]), link.sources)
    try:
        others = _fused(others, await by_meaning(paper, others, embeddings))
    except ModelError as error:
        return Linked(tuple(others[:limit]), link.sources, fault=error.sentence)
    return Linked(tuple(others[:limit]), link.sources, embeddings.encoder.label)


def _fused(papers: Sequence[Paper], by_meaning: Sequence[Paper]) -> list[Paper]:
    ranks_by_list = [{id(paper): rank for rank, paper in enumerate(order, start=1)} for order in (papers, by_meaning)]
    return sorted(papers, key=lambda paper: -fused([rank[id(paper)] for rank in ranks_by_list]))


async def looked_up(name: Identifier, resources: Resources) -> Linked:
    """Return what all sources know of the work called `name`; if none knows it, what the registries have. No papers
    if nobody knows it."""
    return await _ask_sources(resources, *_lookup_of(name))


async def looked_up_at_owner(name: Identifier, resources: Resources) -> Linked:
    """Return what the source that owns the identifier knows of the work called `name`, by one request; only if it has
    no abstract of it, also what the others know.

    The owner is the live source that lists the scheme earliest, and the most trusted of several.
    """

    def rank(source: Source) -> tuple[int, int]:
        spec = SOURCES.get(source.name)
        return source.schemes.index(name.scheme), -spec.trust if spec else 0

    owners = sorted((source for source in resources.live.values() if source.looks_up(name)), key=rank)[:1]
    owner = await _ask_sources(Resources({source.name: source for source in owners}, {}), *_lookup_of(name))
    if any(paper.abstract for paper in owner.papers):
        return owner
    live = {source_name: source for source_name, source in resources.live.items() if source_name not in owner.sources}
    others = await looked_up(name, replace(resources, live=live))
    return Linked(united([owner.papers, others.papers]), {**owner.sources, **others.sources})


def _lookup_of(name: Identifier) -> tuple[Callable[[Source], bool], Callable[[Source], Awaitable[Answer]]]:
    return lambda source: source.looks_up(name), lambda source: source.lookup([name])


async def _ask_sources(
    resources: Resources, able: Callable[[Source], bool], ask: Callable[[Source], Awaitable[Answer]]
) -> Linked:
    """Ask all able sources in parallel; then the registries, and then the fallback, only if there is no paper yet."""
    tallies: dict[str, SourceTally] = {}
    papers: tuple[Paper, ...] = ()
    for group in ({**resources.local, **resources.live}, resources.registries, resources.fallback):
        sources = [source for source in group.values() if able(source)]
        outcomes = await asyncio.gather(*(tallied_answer(source, partial(ask, source)) for source in sources))
        tallies |= {source.name: tally for source, (tally, _) in zip(sources, outcomes, strict=True)}
        papers = united([answer.papers for _, answer in outcomes])
        if papers:
            break
    return Linked(papers, tallies)


def united(lists: Sequence[Sequence[Paper]]) -> tuple[Paper, ...]:
    """Merge the lists by reciprocal-rank fusion, each work once."""
    works = grouped((paper, rank) for papers in lists for rank, paper in enumerate(papers, start=1))
    return tuple(paper for paper, ranks in sorted(works, key=lambda entry: -fused(entry[1])))


async def tallied_answer(
    source: Source, ask: Callable[[], Awaitable[Answer]], seconds: float = LINK_SECONDS
) -> tuple[SourceTally, Answer]:
    """Return the tally of a source with its answer, which is empty if it failed."""
    start, requests = time.monotonic(), 1
    state: SourceState = "failed"
    try:
        async with deadline(source.name, seconds):
            answer = await ask()
    except (NotFound, NotConfigured) as error:
        state, reason, requests = "skipped", error.sentence, int(error.request_sent)
    except SourceError as error:
        reason, requests = error.sentence, int(error.request_sent)
    else:
        tally = SourceTally(
            "partial" if answer.partial else "ok",
            asked=1,
            found=len(answer.papers),
            seconds=round(time.monotonic() - start, 2),
            error=" ".join(answer.notes) if answer.partial else None,
            notes=answer.notes,
        )
        return tally, answer
    return SourceTally(state, requests, seconds=round(time.monotonic() - start, 2), error=reason), Answer()
