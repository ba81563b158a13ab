"""References, citing papers and similar papers of one paper, from every source that has them."""

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.events import SourceState
from agents.search.state import SourceTally
from connectors.deadline import deadline
from connectors.errors import NotConfigured, NotFound, SourceError
from connectors.identifiers import Identifier
from connectors.identity import same_work
from connectors.paper import Paper
from connectors.source import Ability, Answer, Source, usable_names
from connectors.works import merge_all

Kind = Literal["references", "citations", "similar"]
_ABILITY = {"references": Ability.REFERENCES, "citations": Ability.CITATIONS, "similar": Ability.SIMILAR}
LINK_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Linked:
    """Papers linked to one, merged over sources, and what each source did."""

    papers: tuple[Paper, ...]
    sources: Mapping[str, SourceTally]


async def linked(paper: Paper, kind: Kind, sources: Sequence[Source], limit: int) -> Linked:
    """The papers that `paper` cites, that cite it, or that are like it, in the order in which sources list them.

    A source that does not know the paper, or does not keep such lists, is left out without a word.
    """
    able = [source for source in sources if _ABILITY[kind] in source.abilities]
    outcomes = await asyncio.gather(*(_ask(source, paper, kind, limit) for source in able))
    found = merge_all(one for _, answer in outcomes for one in answer.papers)
    tallies = {source.name: tally for source, (tally, _) in zip(able, outcomes, strict=True)}
    others = [one for one in found if not same_work(one, paper)]
    return Linked(tuple(others[:limit]), tallies)


async def looked_up(name: Identifier, sources: Sequence[Source]) -> Linked:
    """What all sources together know of the work called `name`; no papers if none knows it."""
    able = [s for s in sources if Ability.LOOKUP in s.abilities and usable_names([name], s.schemes)]
    outcomes = await asyncio.gather(*(_look(source, name) for source in able))
    tallies = {source.name: tally for source, (tally, _) in zip(able, outcomes, strict=True)}
    return Linked(tuple(merge_all(one for _, answer in outcomes for one in answer.papers)), tallies)


async def _ask(source: Source, paper: Paper, kind: Kind, limit: int) -> tuple[SourceTally, Answer]:
    ask = {"references": source.references, "citations": source.citations, "similar": source.similar}[kind]
    return await _told(source, ask(paper, limit))


async def _look(source: Source, name: Identifier) -> tuple[SourceTally, Answer]:
    return await _told(source, source.lookup([name]))


async def _told(source: Source, asking: Awaitable[Answer]) -> tuple[SourceTally, Answer]:
    """The answer, or an empty one beside the reason."""
    start = time.monotonic()
    state: SourceState = "failed"
    try:
        async with deadline(source.name, LINK_SECONDS):
            answer = await asking
    except (NotFound, NotConfigured) as error:
        state, reason = "skipped", error.sentence
    except SourceError as error:
        reason = error.sentence
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
    return SourceTally(state, asked=1, seconds=round(time.monotonic() - start, 2), error=reason), Answer()
