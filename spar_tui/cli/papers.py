"""Find the paper that a person typed."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from agents.lookup.links import looked_up
from agents.run.findings import SourceTally, failures
from agents.tools import shelf_actions
from cache import citation_keys, corrections, originals, papers, shelf
from cache.errors import CacheError
from cache.reading_history import Interaction
from connectors.identifiers import parse_identifier
from connectors.isbn import isbn
from connectors.paper import UNNAMED, Paper
from spar_tui.cli.arguments import identifier_of, place_of, places_of
from spar_tui.errors import Failure, Interrupted, NothingFound, UsageError, UserError
from spar_tui.settings import Settings
from spar_tui.shown_list import paper_shown_last
from spar_tui.terminal import remark
from spar_tui.workspace import Workspace, open_workspace, read_settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FoundOne:
    """The paper, its position and run if it was named by position, and the sources that were asked."""

    paper: Paper
    rank: int = 0
    sources: Mapping[str, SourceTally] = field(default_factory=dict)
    run: str | None = None


def in_workspace(
    work: Callable[[Workspace], Awaitable[T]],
    offline: bool = False,
    interrupted: str = "",
    *,
    settings: Settings | None = None,
    names: Sequence[str] | None = None,
    model: bool = False,
) -> T:
    """Run `work` in a workspace with the sources `names`, by default those of the settings, and return its result.
    Raises `UserError`, and on Ctrl-C `Interrupted` with the sentence `interrupted`, if given."""

    settings = settings or read_settings()
    names, offline = settings.preferences.sources if names is None else names, offline or settings.preferences.offline

    async def working() -> T:
        async with open_workspace(settings, names, offline, model) as workspace:
            return await work(workspace)

    try:
        return asyncio.run(working())
    except KeyboardInterrupt:
        if not interrupted:
            raise
        raise Interrupted(interrupted) from None


def known_paper(raw: str, settings: Settings | None = None) -> Paper:
    """Return the paper that `raw` names, found on this machine only. Raises `UserError`."""
    return in_workspace(lambda workspace: find_paper(raw, workspace), offline=True, settings=settings, names=()).paper


def numbers_of(raws: Sequence[str], settings: Settings, offline: bool) -> tuple[int, ...]:
    """Return the library's numbers of the papers that `raws` name, each once. Raises `UserError`."""

    async def numbers(workspace: Workspace) -> tuple[int, ...]:
        matches, wrong = await find_papers(raws, workspace)
        if wrong:
            raise wrong[0]
        return tuple(dict.fromkeys(papers.remember(workspace.store, [match.paper for match in matches])))

    return in_workspace(numbers, offline, settings=settings)


async def find_paper(raw: str, workspace: Workspace) -> FoundOne:
    """Return the paper that `raw` names: by position or citation key, from the library, else from the sources.
    Raises `UsageError` if `raw` names no paper, `NothingFound` if all sources answered and none knows it, and `Failure`
    if they could not be asked."""
    if (rank := place_of(raw)) is not None:
        stored_paper, run = paper_shown_last(workspace.store, rank)
        return FoundOne(corrections.as_corrected(workspace.store, stored_paper), rank, run=run)
    if (number := citation_keys.paper_of(workspace.store, raw.strip())) is not None:
        return FoundOne(papers.by_id(workspace.store, number))
    if raw.strip().startswith(UNNAMED):
        return FoundOne(_titled(raw.strip(), workspace))
    if book := isbn(raw):
        return FoundOne(_book(book, workspace))
    if keys := _keys_in_set(raw, workspace):
        raise UsageError(f"{raw.strip()} is a set of entries; name one of them: {', '.join(keys[:5])}.")
    name = identifier_of(raw)
    if paper := workspace.remembered(name):
        return FoundOne(paper)
    link = await looked_up(name, workspace.resources)
    if link.papers:
        return FoundOne(link.papers[0], sources=link.sources)
    if faults := failures(link.sources):
        from spar_tui.source_phrases import failed_sources_text

        raise Failure(f"{name} is not in your library. {failed_sources_text(faults)}")
    if not link.sources:
        raise UsageError(f"{name} cannot be looked up: no source in use has such identifiers.")
    if not any(tally.asked for source, tally in link.sources.items() if source in workspace.resources.live):
        raise Failure(f"{name} is not in your library, and no source was asked.")
    raise NothingFound(f"no source knows {name}; check it for a typo.")


def _titled(id: str, workspace: Workspace) -> Paper:
    """Return the paper of the library that is identified by its title only. Raises `Failure`."""
    from cache import fulltext

    alike = fulltext.search(workspace.store, id.removeprefix(UNNAMED))
    if paper := next((candidate for candidate in alike if candidate.id == id), None):
        return paper
    raise Failure(f"the library has no paper {id}.")


def _book(number: str, workspace: Workspace) -> Paper:
    """Return the saved book with an ISBN. Raises `Failure` if there is none or several."""
    books = shelf.books_with(workspace.store, number)
    if not books:
        raise Failure(f"no saved book has the ISBN {number}, and no source finds books by ISBN; use the book's DOI.")
    if len(books) > 1:
        names = ", ".join(saved_paper.key or saved_paper.paper.id for saved_paper in books[:5])
        raise Failure(f"{len(books)} saved books have the ISBN {number}; name one of them: {names}.")
    return books[0].paper


async def find_papers(
    raws: Sequence[str], workspace: Workspace, progress: Callable[[int], None] = lambda more: None
) -> tuple[list[FoundOne], list[UserError]]:
    """Return the papers that `raws` name, in order, and the errors for the other names; of a range such as `@3-5`, all
    papers until the first error. `progress` is called with the number of names newly looked up."""
    matches: dict[str, FoundOne] = {}
    wrong: list[UserError] = []
    for raw in dict.fromkeys(raws):
        for name in [f"@{position}" for position in places_of(raw)] or _keys_in_set(raw, workspace) or [raw]:
            try:
                matches[name] = matches.get(name) or await find_paper(name, workspace)
            except UserError as error:
                wrong.append(error)
                break
        progress(1)
    return list(matches.values()), wrong


def _keys_in_set(raw: str, workspace: Workspace) -> list[str]:
    """Return a citation key of each paper in the BibLaTeX set with the key `raw`; [] if `raw` is no such key."""
    if parse_identifier(raw) or citation_keys.paper_of(workspace.store, raw.strip()) is not None:
        return []
    numbers = originals.sets(workspace.store).get(raw.strip(), [])
    keys = citation_keys.keys_of(workspace.store, numbers)
    return [keys[number] for number in numbers if number in keys]


def note_interaction(match: FoundOne, workspace: Workspace, act: Interaction) -> None:
    """Store `act` in the reading history; if the library cannot be written, only report it."""
    try:
        shelf_actions.note_interaction(workspace.store, match.paper, act, match.run)
    except CacheError as error:
        remark(f"this is not stored: {error}")
