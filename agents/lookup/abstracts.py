"""The abstract of one paper, asked for at every source that may have it."""

from dataclasses import dataclass

from agents.lookup.records import look_up_records
from agents.run.resources import Resources
from connectors.paper import Paper
from connectors.records.matching import same_work
from connectors.records.merging import merge


@dataclass(frozen=True, slots=True)
class AbstractFound:
    """`paper` with what was told of it, and who did: `by` told the abstract ("" if nobody did), `without` know the
    paper and no abstract, `unknown` do not know it, `silent` could not be asked, with the reason."""

    paper: Paper
    by: str
    without: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    silent: tuple[tuple[str, str], ...] = ()


async def abstract_of(paper: Paper, resources: Resources) -> AbstractFound:
    """Ask the live sources for the abstract of `paper`; a record of another work is no answer."""
    [told] = await look_up_records([paper], resources.live)
    by = ""
    without: list[str] = []
    for source, record in (*told.by_name.items(), *told.by_title.items()):
        if source in told.by_title and not same_work(paper, record):
            told.unknown.add(source)
            continue
        if not record.abstract:
            without.append(source)
        paper, by = merge(paper, record), by or (source if record.abstract else "")
    return AbstractFound(paper, by, tuple(without), tuple(sorted(told.unknown)), tuple(told.silent.items()))
