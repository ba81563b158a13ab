"""Order papers of about the same relevance by the person's taste.

Taste never outweighs the question: a paper passes another only if its score is less than `WEIGHT` behind, relevant
papers stay before the others, and taste does not change which papers are shown. All of it stays on this machine.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.run.events import Warned
from agents.search.events import PersonallyRanked, PersonalPlace, Ranked
from agents.search.session import Session
from agents.search.state import is_relevant
from agents.taste.context import ReaderContext
from cache.errors import CacheError
from cache.papers import number_of
from connectors.paper import Paper, WorkId

WEIGHT = 0.1
"""Greatest gap in score over which taste lets a paper pass another."""
ALONE = 1_000.0
"""Weight at which taste alone decides, and the score only among papers that fit equally well."""


async def rank_personally(session: Session) -> None:
    """Post the shown papers in the order of the taste of the person in the resources."""
    reader, state = session.resources.reader, session.state
    if not isinstance(reader, ReaderContext):
        return
    papers = [session.papers[work] for work in sorted(state.found)]
    try:
        session.post(await asyncio.to_thread(personally_ranked, reader, state.shown, session.papers, papers))
    except CacheError as error:
        session.post(Warned(f"Your taste could not be read, so the order is by relevance: {error}"))


def personally_ranked(
    reader: ReaderContext,
    entries: Sequence[Ranked],
    papers: Mapping[WorkId, Paper],
    among: Sequence[Paper],
    weight: float = WEIGHT,
) -> PersonallyRanked:
    """Return the papers `entries`, ordered by the taste of `reader`; papers from which the taste is read keep their
    ranks. Reads the whole library. Raises `CacheError`."""
    if reader.context.empty:
        return PersonallyRanked()
    from agents.taste.fit import fits, named_in

    strange = [entry for entry in entries if number_of(reader.store, papers[entry.work]) not in reader.context.wanted]
    fits_found = fits(reader, [papers[entry.work] for entry in strange], among)
    fit_of = {entry.work: fit for entry, fit in zip(strange, fits_found, strict=True)}
    order = by_taste(entries, {work: fit.score for work, fit in fit_of.items()}, weight)
    before = {entry.work: index for index, entry in enumerate(entries, start=1)}
    return PersonallyRanked(
        tuple(replace(entry, score=slot.score) for entry, slot in zip(order, entries, strict=True)),
        tuple(
            PersonalPlace(entry.work, before[entry.work], index, fit.score, fit.grounds, fit.against)
            for index, entry in enumerate(order, start=1)
            if (fit := fit_of.get(entry.work))
        ),
        named_in(reader, fits_found),
        len(reader.context.wanted) + len(reader.context.lines),
    )


def by_taste(entries: Sequence[Ranked], tastes: Mapping[WorkId, float], weight: float = WEIGHT) -> list[Ranked]:
    """Return `entries` ordered by relevance, then by score plus weighted taste, both from 0 to 1; papers without a
    taste keep their ranks."""
    moving = sorted(
        (entry for entry in entries if entry.work in tastes),
        key=lambda entry: (not is_relevant(entry.relevance), -entry.score - weight * tastes[entry.work]),
    )
    following = iter(moving)
    return [next(following) if entry.work in tastes else entry for entry in entries]
