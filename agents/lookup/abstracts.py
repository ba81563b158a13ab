"""Ask every source that may have it for the abstract of a paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.lookup.records import RecordLookup, look_up_records
from agents.run.resources import Resources
from connectors.paper import Paper
from connectors.records.matching import same_work
from connectors.records.merging import merge


@dataclass(frozen=True, slots=True)
class AbstractFound:
    """`paper` with the new data, and the sources by result: `by` gave the abstract ("" for none), `without` know the
    paper but no abstract, `unknown` do not know it, `silent` could not be asked, with the reason."""

    paper: Paper
    by: str
    without: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    silent: tuple[tuple[str, str], ...] = ()


async def abstract_of(paper: Paper, resources: Resources) -> AbstractFound:
    """Ask the live sources for the abstract of `paper`; records of other works do not count."""
    [answer] = await abstracts_of([paper], resources)
    return answer


async def abstracts_of(
    papers: Sequence[Paper],
    resources: Resources,
    progress: Callable[[int], None] = lambda more: None,
    found: Callable[[int, Paper], None] = lambda index, paper: None,
) -> list[AbstractFound]:
    """Like `abstract_of`, for each of `papers`; `progress` is called with the number of papers newly done, `found` with
    the index of a paper that has got its abstract, and with that paper."""

    def done(index: int, lookup: RecordLookup) -> None:
        if _has_abstract(index, lookup) and (paper := _abstract_in(papers[index], lookup).paper).abstract:
            found(index, paper)

    lookups = await look_up_records(papers, resources.live, progress, decided=_has_abstract, done=done)
    return list(map(_abstract_in, papers, lookups))


def _has_abstract(index: int, lookup: RecordLookup) -> bool:
    return any(record.abstract for record in lookup.records)


def _abstract_in(paper: Paper, lookup: RecordLookup) -> AbstractFound:
    by = ""
    without: list[str] = []
    for source, record in (*lookup.by_name.items(), *lookup.by_title.items()):
        if source in lookup.by_title and not same_work(paper, record):
            lookup.unknown.add(source)
            continue
        if not record.abstract:
            without.append(source)
        paper, by = merge(paper, record), by or (source if record.abstract else "")
    return AbstractFound(paper, by, tuple(without), tuple(sorted(lookup.unknown)), tuple(lookup.silent.items()))
