"""From what a person typed to the paper they mean."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from agents.lookup.links import looked_up
from agents.run.findings import SourceTally, failures
from agents.tools import shelf_actions
from cache import citation_keys, corrections, papers, shelf
from cache.errors import CacheError
from cache.reading_history import Interaction
from connectors.isbn import isbn
from connectors.paper import UNNAMED, Paper
from spar_tui.bibliography.reading.entries_read import Found, FoundEntry, Problem
from spar_tui.cli.arguments import identifier_of, place_of
from spar_tui.errors import Failure, Interrupted, UsageError, UserError
from spar_tui.shown_list import paper_shown_last
from spar_tui.terminal import ProgressLine, note
from spar_tui.workspace import Workspace, open_workspace, read_settings

if TYPE_CHECKING:
    from cache.store import Store
    from connectors.pdf.child import PageLines
    from spar_tui.settings import Settings

MOST_REFERENCES = 2_000
SHOWN = 200
"""Characters of a reference that no source knows, as it is named."""


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A file that is a paper: its text, and the title that the file itself declares."""

    raw: bytes
    name: str
    is_pdf: bool
    pages: "Sequence[PageLines]"
    declared: str


def cited_by(file: Path, raw: bytes, encoding: str, settings: "Settings", offline: bool) -> Found:
    """What a document cites, for the shelf. Raises `UsageError`, also for a bibliography, which cites nothing."""
    from spar_tui.bibliography.documents.named_bibliographies import document_in

    document = document_in(file.expanduser(), raw, encoding)
    if not document.kind and document.file == file.expanduser():
        raise UsageError(f"{file} is a bibliography, of which everything is imported without --references.")
    for sentence in document.notes:
        note(f"spar: {sentence[:1].upper()}{sentence[1:]}.")
    return confirmed(document.found, settings, offline)


def paper_file(raw: bytes, name: str, kind: str) -> PaperFile:
    """A PDF or an office document, read. Raises `UsageError`."""
    if kind == "pdf":
        from spar_tui.bibliography.documents.pdf_files import pdf_text

        text = pdf_text(raw, name)
        return PaperFile(raw, name, True, text.pages, text.title)
    from spar_tui.bibliography.documents.office_files import declared_title, office_lines

    lines: PageLines = [(None, None, line.text) for line in office_lines(raw, name) if line.text]
    return PaperFile(raw, name, False, [lines], declared_title(raw, name))


def paper_in(file: PaperFile, settings: "Settings", offline: bool) -> Found:
    """The paper that the file is, as an entry without a line; a problem where nothing proves which it is and its title
    is not sure."""
    from agents.lookup.own_paper import own_paper
    from connectors.records.build import build_paper
    from connectors.records.matching import BIBLIOGRAPHY

    own = in_workspace(
        lambda workspace: own_paper(file.pages, file.declared, workspace.resources, workspace.remembered),
        offline,
        "interrupted while the paper was looked up; nothing was imported.",
        settings=settings,
    )
    failed = "".join(
        f"; asked without success: {source} {sentence.rstrip('.')}" for source, sentence in own.failed.items()
    )
    if own.paper:
        return Found((FoundEntry(0, "", own.paper),))
    reason = f"no DOI, arXiv id or title on its first page leads to a paper that a source knows{failed}"
    if not own.title:
        return Found((), (Problem(0, "", f"{reason}, and its title could not be read with certainty"),))
    paper = build_paper(BIBLIOGRAPHY, title=own.title)
    return Found((FoundEntry(0, "", paper),), (Problem(0, "", f"{reason}; saved with its title alone", taken=True),))


def confirmed(found: Found, settings: "Settings", offline: bool) -> Found:
    """References that were read from text, each as the record of it that a source has; one that none has is a problem,
    since what a program read from a text is no record. Entries with fields of their own stay."""
    from connectors.pdf.parsing import parsed
    from connectors.pdf.resolving import resolved_each

    works = [(place, parsed(entry.text)) for place, entry in enumerate(found.entries) if entry.text]
    if len(works) > MOST_REFERENCES:
        raise UsageError(f"{len(works):,} references are too many; at most {MOST_REFERENCES:,} are looked up at once.")

    async def ask(workspace: "Workspace") -> dict[int, FoundEntry]:
        sources = {**workspace.resources.local, **workspace.resources.live}
        papers = await resolved_each([work for _, work in works], sources, len(works))
        return {works[at][0]: replace(found.entries[works[at][0]], paper=paper) for at, paper in papers.items()}

    line = ProgressLine()
    line.tell(f"looking up {len(works):,} references")
    interrupted = "interrupted while the references were looked up; nothing was imported."
    try:
        known = in_workspace(ask, offline, interrupted, settings=settings) if works else {}
    finally:
        line.tell("")
    entries, problems = list[FoundEntry](), list(found.problems)
    for place, entry in enumerate(found.entries):
        if entry.text and place not in known:
            problems.append(Problem(entry.line, "", f"no source knows it: “{entry.text[:SHOWN]}”"))
        else:
            entries.append(known.get(place, entry))
    return Found(tuple(entries), tuple(problems))


def keep_file(store: "Store", file: PaperFile, number: int, path: str) -> None:
    """Make the PDF at `path` the first file of the saved paper, and keep its text. Raises `CacheError`."""
    import asyncio

    from agents.lookup.full_text import keep_text
    from agents.tools.shelf_actions import entry_of, set_files
    from cache import papers
    from cache.store import PaperId

    [paper] = papers.by_ids(store, [number])
    entry = entry_of(store, paper)
    set_files(store, paper, [path], entry.files if entry else ())
    asyncio.run(keep_text(store, PaperId(number), path, file.raw, file.pages))


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FoundOne:
    """The paper, its place and run if it was named by place, and the sources that were asked for it."""

    paper: Paper
    rank: int = 0
    sources: Mapping[str, SourceTally] = field(default_factory=dict)
    run: str | None = None


def in_workspace(
    work: Callable[[Workspace], Awaitable[T]],
    offline: bool = False,
    interrupted: str = "",
    *,
    settings: "Settings | None" = None,
    names: Sequence[str] | None = None,
    model: bool = False,
) -> T:
    """Return what `work` gives in a workspace with the sources called `names`, by default those of the settings.

    Raises `UserError`, on Ctrl-C `Interrupted` with the sentence `interrupted` if there is one."""
    import asyncio

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


def known_paper(raw: str, settings: "Settings | None" = None) -> Paper:
    """Return the paper that `raw` names, looked for on this machine alone. Raises `UserError`."""
    return in_workspace(lambda workspace: find_paper(raw, workspace), offline=True, settings=settings, names=()).paper


def numbers_of(raws: Sequence[str], settings: "Settings", offline: bool) -> tuple[int, ...]:
    """Return the numbers in the library of the papers that `raws` name, each once. Raises `UserError`."""

    async def numbers(workspace: Workspace) -> tuple[int, ...]:
        matches, wrong = await find_papers(raws, workspace)
        if wrong:
            raise wrong[0]
        return tuple(dict.fromkeys(papers.remember(workspace.store, [match.paper for match in matches])))

    return in_workspace(numbers, offline, settings=settings)


async def find_paper(raw: str, workspace: Workspace) -> FoundOne:
    """The paper that `raw` names: by place or citation key, from what is remembered, else from the sources.

    Raises `UsageError` for what names no paper, `Failure` for one that nobody knows.
    """
    if (place := place_of(raw)) is not None:
        shown, run = paper_shown_last(workspace.store, place)
        return FoundOne(corrections.as_corrected(workspace.store, shown), place, run=run)
    if (number := citation_keys.paper_of(workspace.store, raw.strip())) is not None:
        return FoundOne(papers.by_ids(workspace.store, [number])[0])
    if raw.strip().startswith(UNNAMED):
        return FoundOne(_titled(raw.strip(), workspace))
    if book := isbn(raw):
        return FoundOne(_book(book, workspace))
    name = identifier_of(raw)
    if paper := workspace.remembered(name):
        return FoundOne(paper)
    link = await looked_up(name, workspace.resources)
    if link.papers:
        return FoundOne(link.papers[0], sources=link.sources)
    if failed := failures(link.sources):
        text = " ".join(f"{source} {sentence}" for source, sentence in failed.items())
        raise Failure(f"{name} is not remembered here, and it could not be looked up: {text}")
    if not link.sources:
        raise UsageError(f"{name} cannot be looked up: no source in use knows such identifiers.")
    if not any(tally.asked for source, tally in link.sources.items() if source in workspace.resources.live):
        raise Failure(f"{name} is not remembered here, and no source was asked for it.")
    raise Failure(f"no source that was asked knows {name}; check it for a typo.")


def _titled(id: str, workspace: Workspace) -> Paper:
    """The paper of the library that nothing but its title names. Raises `Failure`."""
    from cache import fulltext

    alike = fulltext.search(workspace.store, id.removeprefix(UNNAMED))
    if paper := next((one for one in alike if one.id == id), None):
        return paper
    raise Failure(f"the library has no paper {id}.")


def _book(number: str, workspace: Workspace) -> Paper:
    """The saved book of an ISBN. Raises `Failure` where there is none, or several have it."""
    books = shelf.books_with(workspace.store, number)
    if not books:
        raise Failure(f"no saved book has the ISBN {number}, and no source is asked by ISBN; name the book's DOI.")
    if len(books) > 1:
        names = ", ".join(saved_paper.key or saved_paper.paper.id for saved_paper in books[:5])
        raise Failure(f"{len(books)} saved books have the ISBN {number}; name one of them: {names}.")
    return books[0].paper


async def find_papers(
    raws: Sequence[str], workspace: Workspace, told: Callable[[int], None] = lambda more: None
) -> tuple[list[FoundOne], list[UserError]]:
    """The papers that `raws` name, in order, and what is wrong with those that name none or that nobody knows.

    `told` is called with how many more names were looked at.
    """
    matches: list[FoundOne] = []
    wrong: list[UserError] = []
    for raw in dict.fromkeys(raws):
        try:
            matches.append(await find_paper(raw, workspace))
        except UserError as error:
            wrong.append(error)
        told(1)
    return matches, wrong


def note_interaction(found: FoundOne, workspace: Workspace, act: Interaction) -> None:
    """Enter `act` into the reading history; a library that cannot be written costs the memory, never the answer."""
    try:
        shelf_actions.note_interaction(workspace.store, found.paper, act, found.run)
    except CacheError as error:
        note(f"spar: this is not remembered: {error}")
