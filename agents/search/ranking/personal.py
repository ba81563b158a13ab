"""The person's taste in a search: papers of about the same relevance are ordered by it.

Taste never outweighs the question: a paper passes another only if its score is less than `WEIGHT` behind, none that is
not relevant comes before one that is, and what is shown at all is decided before. Nothing of it leaves the machine.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.run.events import Warned
from agents.search.events import PersonallyRanked, PersonalPlace, Ranked
from agents.search.session import Session
from agents.search.state import is_relevant
from agents.taste.context import Reader
from cache.errors import CacheError
from cache.papers import number_of
from connectors.paper import Paper, WorkId

WEIGHT = 0.1
"""How far behind in its score a paper may be that passes another by taste."""
ALONE = 1_000.0
"""With so much weight taste decides, and the score among papers that fit the person equally well."""


async def rank_personally(session: Session) -> None:
    """Post the shown papers in the order of the person's taste, whom the resources name."""
    reader, state = session.resources.reader, session.state
    if not isinstance(reader, Reader):
        return
    papers = [session.papers[work] for work in sorted(state.found)]
    try:
        session.post(await asyncio.to_thread(personally_ranked, reader, state.shown, session.papers, papers))
    except CacheError as error:
        session.post(Warned(f"Your taste could not be read, so the order is that of relevance: {error}"))


def personally_ranked(
    reader: Reader,
    shown: Sequence[Ranked],
    papers: Mapping[WorkId, Paper],
    among: Sequence[Paper],
    weight: float = WEIGHT,
) -> PersonallyRanked:
    """The papers `shown` by the taste of `reader`; one that this taste is read from keeps its place. Reads the whole
    library. Raises `CacheError`."""
    if reader.context.empty:
        return PersonallyRanked()
    from agents.taste.fit import fits, named_in

    strange = [entry for entry in shown if number_of(reader.store, papers[entry.work]) not in reader.context.wanted]
    fits_found = fits(reader, [papers[entry.work] for entry in strange], among)
    fit_of = {entry.work: fit for entry, fit in zip(strange, fits_found, strict=True)}
    order = by_taste(shown, {work: fit.score for work, fit in fit_of.items()}, weight)
    before = {entry.work: index for index, entry in enumerate(shown, start=1)}
    return PersonallyRanked(
        tuple(replace(entry, score=slot.score) for entry, slot in zip(order, shown, strict=True)),
        tuple(
            PersonalPlace(entry.work, before[entry.work], index, fit.score, fit.grounds, fit.against)
            for index, entry in enumerate(order, start=1)
            if (fit := fit_of.get(entry.work))
        ),
        named_in(reader, fits_found),
        len(reader.context.wanted) + len(reader.context.lines),
    )


def by_taste(shown: Sequence[Ranked], tastes: Mapping[WorkId, float], weight: float = WEIGHT) -> list[Ranked]:
    """The papers `shown`, relevant ones first, by their scores and by how well they fit the person, both from 0 to 1;
    those without a taste keep their places."""
    moving = sorted(
        (entry for entry in shown if entry.work in tastes),
        key=lambda entry: (not is_relevant(entry.relevance), -entry.score - weight * tastes[entry.work]),
    )
    following = iter(moving)
    return [next(following) if entry.work in tastes else entry for entry in shown]
