"""From what a person typed to the paper they mean."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agents.links import looked_up
from agents.search.state import SourceTally, failures
from connectors.paper import Paper
from spar_tui.cli.arguments import identifier_of, place_of
from spar_tui.desk import OpenDesk
from spar_tui.errors import Failure, UsageError


@dataclass(frozen=True, slots=True)
class FoundOne:
    """The paper, its place if it was named by place, and the sources that were asked for it."""

    paper: Paper
    rank: int = 0
    sources: Mapping[str, SourceTally] = field(default_factory=dict)


async def find_paper(raw: str, desk: OpenDesk) -> FoundOne:
    """The paper that `raw` names: from the last run, from what is remembered, else from the sources.

    Raises `UsageError` for what names no paper, `Failure` for one that nobody knows.
    """
    if (place := place_of(raw)) is not None:
        return FoundOne(desk.paper_of_last_run(place), place)
    name = identifier_of(raw)
    if paper := desk.remembered(name):
        return FoundOne(paper)
    found = await looked_up(name, desk.desk)
    if found.papers:
        return FoundOne(found.papers[0], sources=found.sources)
    if failed := failures(found.sources):
        said = " ".join(f"{source} {sentence}" for source, sentence in failed.items())
        raise Failure(f"{name} is not remembered here, and it could not be looked up: {said}")
    if not found.sources:
        raise UsageError(f"{name} cannot be looked up: no source in use knows such identifiers.")
    raise Failure(f"no source knows {name}; check it for a slip of the pen.")
