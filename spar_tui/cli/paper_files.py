"""Import files that are papers themselves: save the paper, and what it cites."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agents.tools.shelf_actions import entry_of, set_files
from cache.paths import expanded
from cache.store import PaperId, Store
from connectors.records.build import build_paper
from connectors.records.matching import BIBLIOGRAPHY
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
from spar_tui.cli.papers import in_workspace
from spar_tui.errors import UsageError
from spar_tui.settings import Settings
from spar_tui.terminal import ProgressLine, remark
from spar_tui.workspace import Workspace

if TYPE_CHECKING:
    from connectors.pdf.child import PageLines

MOST_REFERENCES = 2_000
SHOWN = 200
"""Maximum number of characters shown of a reference that no source knows."""


@dataclass(frozen=True, slots=True)
class PaperFile:
    """A file that is a paper: its text, and the title declared by the file."""

    raw: bytes
    name: str
    is_pdf: bool
    pages: "Sequence[PageLines]"
    declared: str


def cited_by(file: Path, raw: bytes, encoding: str, settings: Settings, offline: bool) -> FileEntries:
    """Return the references of a document. Raises `UsageError`, also for a bibliography, which cites nothing."""
    from spar_tui.bibliography.documents.opening import document_in

    document = document_in(expanded(file), raw, encoding)
    if not document.kind and document.file == expanded(file):
        raise UsageError(f"{file} is a bibliography; import it without --references.")
    for sentence in document.notes:
        remark(f"{sentence[:1].upper()}{sentence[1:]}.")
    return confirmed(document.found, settings, offline)


def paper_file(raw: bytes, name: str, kind: str) -> PaperFile:
    """Read a PDF or an office document. Raises `UsageError`."""
    if kind == "pdf":
        from spar_tui.bibliography.documents.pdf_files import pdf_text

        text = pdf_text(raw, name)
        return PaperFile(raw, name, True, text.pages, text.title)
    from spar_tui.bibliography.documents.office_files import declared_title, office_lines

    lines: PageLines = [(None, None, line.text) for line in office_lines(raw, name) if line.text]
    return PaperFile(raw, name, False, [lines], declared_title(raw, name))


def paper_in(file: PaperFile, settings: Settings, offline: bool) -> FileEntries:
    """Return the paper of the file as an entry without a line; a problem if there is no proof of which paper it is
    and its title is uncertain."""
    from agents.lookup.own_paper import own_paper

    own = in_workspace(
        lambda workspace: own_paper(file.pages, file.declared, workspace.resources, workspace.remembered),
        offline, "interrupted while the paper was looked up; nothing was imported.", settings=settings,
    )  # fmt: skip
    if own.paper:
        return FileEntries((FoundEntry(0, "", own.paper),))
    faults = "".join(f"; failed: {source} {sentence.rstrip('.')}" for source, sentence in own.failed.items())
    reason = f"no source knows a paper by a DOI, arXiv id or title on its first page{faults}"
    if not own.title:
        return FileEntries((), (Problem(0, "", f"{reason}, and its title could not be read with certainty"),))
    entry = FoundEntry(0, "", build_paper(BIBLIOGRAPHY, title=own.title))
    return FileEntries((entry,), (Problem(0, "", f"{reason}; saved with its title alone", taken=True),))


def confirmed(references: FileEntries, settings: Settings, offline: bool) -> FileEntries:
    """Replace references read from text by a source's records; a reference without one becomes a problem, because
    text read by a program is not a record. Entries with their own fields stay."""
    from connectors.pdf.parsing import parsed
    from connectors.pdf.resolving import resolved_each

    works = [(number, parsed(entry.text)) for number, entry in enumerate(references.entries) if entry.text]
    if len(works) > MOST_REFERENCES:
        raise UsageError(f"{len(works):,} references are too many; at most {MOST_REFERENCES:,} are looked up at once.")

    async def ask(workspace: Workspace) -> dict[int, FoundEntry]:
        sources = {**workspace.resources.local, **workspace.resources.live}
        papers = await resolved_each([work for _, work in works], sources, len(works))
        return {works[at][0]: replace(references.entries[works[at][0]], paper=paper) for at, paper in papers.items()}

    line = ProgressLine()
    line.tell(f"looking up {len(works):,} references")
    interrupted = "interrupted while the references were looked up; nothing was imported."
    try:
        by_number = in_workspace(ask, offline, interrupted, settings=settings) if works else {}
    finally:
        line.tell("")
    entries, problems = list[FoundEntry](), list(references.problems)
    for number, entry in enumerate(references.entries):
        if entry.text and number not in by_number:
            problems.append(Problem(entry.line, "", f"no source knows it: “{entry.text[:SHOWN]}”"))
        else:
            entries.append(by_number.get(number, entry))
    return FileEntries(tuple(entries), tuple(problems))


def keep_file(store: "Store", file: PaperFile, number: int, path: str) -> None:
    """Make the PDF at `path` the first file of the saved paper, and keep its text. Raises `CacheError`."""

    from agents.lookup.full_text import keep_text
    from cache import papers

    paper = papers.by_id(store, number)
    entry = entry_of(store, paper)
    set_files(store, paper, [path], entry.files if entry else ())
    asyncio.run(keep_text(store, PaperId(number), path, file.raw, file.pages))
