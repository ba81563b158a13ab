"""Every system on every question, one question after the other, so that what is finished can be compared."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.bench.cases import Case
from agents.bench.measures import kept_measures, ranked_measures, relevant, share_found
from agents.bench.reliability import Judged
from agents.bench.systems import BASELINE, PLAIN, Outcome, answer, plain
from agents.search.options import SearchOptions

Measures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """A system's measures for one question, and those of each plain way when it is given just as many papers.

    A measure that makes no sense for the system is missing: a plain way judges nothing and keeps nothing. A plain way
    is compared with those before it.
    """

    question: str
    system: str
    measures: Measures
    plain: Mapping[str, Measures]
    judged: tuple[Judged, ...] = ()
    """Every paper that was judged; none where nothing is judged."""


async def run(
    cases: Iterable[Case], systems: Sequence[str], options: SearchOptions, error: float | None = None, seed: int = 0
) -> AsyncIterator[list[Row]]:
    """The rows of each question as soon as every system has answered it.

    With `error` a simulated judge, wrong with that probability, takes the place of the search's own.
    """
    for case in cases:
        judge = None if error is None else case.judge(error, seed)
        outcomes = {system: await answer(system, case, options, judge) for system in systems}
        deepest = max([options.limit, *(len(outcome.retrieved) for outcome in outcomes.values())])
        plain_ways = [way for way in PLAIN if case.world and (way == BASELINE or way in systems)]
        orders = {way: [placed.document for placed in plain(case, deepest, way)] for way in plain_ways}
        await asyncio.sleep(0)  # a closed world never waits, and only where something waits can a run be stopped
        yield [
            Row(
                case.question.id,
                system,
                _measured(outcome, case.grades, options.limit),
                {
                    way: _at_same_depth(orders[way], outcome, case.grades, options.limit)
                    for way in _plainer(system, plain_ways)
                },
                _judged(outcome, relevant(case.grades)),
            )
            for system, outcome in outcomes.items()
        ]


def _plainer(system: str, ways: Sequence[str]) -> Sequence[str]:
    """Those of the plain `ways` that `system` is compared with."""
    return ways[: ways.index(system)] if system in ways else ways


def _measured(outcome: Outcome, grades: Mapping[str, int], limit: int) -> Measures:
    measures = _qualities(
        [placed.document for placed in outcome.ranking][:limit], outcome.retrieved, outcome.kept, grades
    )
    kept = {} if outcome.kept is None else {"kept": len(outcome.kept)}
    cost = {"asked": outcome.asked, "calls": outcome.calls, "seconds": outcome.seconds}
    return {**measures, "papers": len(outcome.retrieved), **kept, **cost}


def _judged(outcome: Outcome, wanted: Collection[str]) -> tuple[Judged, ...]:
    return tuple(
        (placed.probability, placed.document in wanted) for placed in outcome.ranking if placed.probability is not None
    )


def _at_same_depth(order: Sequence[str], outcome: Outcome, grades: Mapping[str, int], limit: int) -> Measures:
    """The measures of a plain `order` with as many papers as the system's own: as many retrieved and kept."""
    kept = None if outcome.kept is None else order[: len(outcome.kept)]
    return _qualities(order[:limit], order[: len(outcome.retrieved)], kept, grades)


def _qualities(
    ranking: Sequence[str], retrieved: Sequence[str], kept: Sequence[str] | None, grades: Mapping[str, int]
) -> dict[str, float]:
    measures = {**ranked_measures(ranking, grades), "raw_recall": share_found(retrieved, grades)}
    return measures if kept is None else {**measures, **kept_measures(kept, grades)}
