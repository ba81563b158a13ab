"""`spar show`, `refs`, `cites`, `similar`, `open`, `fetch`: one paper, and the papers around it."""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from cache.paths import expanded
from connectors.paper import Paper
from spar_tui.cli.arguments import OfflineFlag, OutputFlags, PaperArgument, StrictFlag, list_exit_code
from spar_tui.cli.lists.filter_words import ListFlags, in_order
from spar_tui.cli.lists.line_template import PAPER_FIELDS, paper_lines
from spar_tui.errors import Failure, Interrupted, UsageError
from spar_tui.math_text import title_text
from spar_tui.openable_files import openable_file
from spar_tui.phrases import counted, papers_text
from spar_tui.shown_list import note_list
from spar_tui.terminal import can_ask, confirm, note, note_failures, remark, say
from spar_tui.workspace import Workspace, read_settings

if TYPE_CHECKING:
    from agents.lookup.links import Kind, Linked
    from cache.shelf import Shelved
    from cache.store import Store

LimitOption = Annotated[int, "N", "How many papers to list (1 to 1000)."]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFlags(OutputFlags):
    """The sources for linked papers, and the output format."""

    offline: OfflineFlag = False
    strict: StrictFlag = False


def refs(paper: PaperArgument, limit: LimitOption = 100, *, output: LinkFlags, order_flags: ListFlags) -> int:
    """List what a paper cites."""
    return _list("references", paper, limit, output, order_flags)


def cites(paper: PaperArgument, limit: LimitOption = 50, *, output: LinkFlags, order_flags: ListFlags) -> int:
    """List the papers that cite a paper."""
    return _list("citations", paper, limit, output, order_flags)


def similar(paper: PaperArgument, limit: LimitOption = 20, *, output: LinkFlags, order_flags: ListFlags) -> int:
    """List papers like a paper."""
    return _list("similar", paper, limit, output, order_flags)


def _list(kind: "Kind", raw: str, limit: int, output: LinkFlags, order_flags: ListFlags) -> int:
    from agents.lookup.links import linked
    from agents.run.findings import failures, none_answered
    from spar_tui.bibliography.citation_key import known_keys
    from spar_tui.cli.listing import papers_listing
    from spar_tui.cli.papers import find_paper, in_workspace
    from spar_tui.reports.json_objects import paper_object, paper_objects, source_objects

    lines = order_flags.lines(PAPER_FIELDS, output.as_json)

    async def listing(workspace: Workspace) -> int:
        match = await find_paper(raw, workspace)
        around = await linked(match.paper, kind, workspace.resources, limit)
        around = replace(around, papers=tuple(in_order(around.papers, order_flags.order, lambda paper: paper)))
        objects = paper_objects(around.papers)
        if lines:
            say(*paper_lines(lines, objects, lambda: known_keys(workspace.store, around.papers)))
        else:
            sources = source_objects(around.sources, {name: tally.found for name, tally in around.sources.items()})
            answer = {"paper": paper_object(match.paper, 0), "papers": objects, "sources": sources}
            output.say(answer, lambda style: papers_listing(around.papers, style))
        note_list(workspace.store, listed=around.papers)
        _note(kind, match.paper, around)
        faulty, unanswered = bool(failures(around.sources)), none_answered(around.sources)
        return list_exit_code(bool(around.papers), faulty, output.strict, unanswered)

    return in_workspace(listing, output.offline)


_RELATION = {"references": ("cited by",) * 2, "citations": ("that cites", "that cite"), "similar": ("like",) * 2}
"""What one paper, and several, are to the paper."""


def _note(kind: "Kind", paper: Paper, around: "Linked") -> None:
    from agents.run.findings import failures
    from spar_tui.source_phrases import counts_text

    note_failures(failures(around.sources))
    if around.fault:
        remark(f"{around.fault} The papers are in the order of the sources.")
    number = len(around.papers)
    text = f"{papers_text(number)} {_RELATION[kind][number != 1]} “{title_text(paper)}”"
    note(f"{text} ({counts_text(around.sources)})")
    if around.compared_by:
        note(f"ordered by the sources and by meaning, as compared by {around.compared_by}")


def show(paper: PaperArgument, offline: OfflineFlag = False, *, output: OutputFlags) -> int:
    """Show one paper in full."""
    from agents.run.findings import failures
    from agents.tools.shelf_actions import entry_of
    from spar_tui.cli.listing import paper_page
    from spar_tui.cli.papers import find_paper, in_workspace, note_interaction
    from spar_tui.reports.json_objects import paper_object, source_objects

    async def showing(workspace: Workspace) -> None:
        match = await find_paper(paper, workspace)
        entry = entry_of(workspace.store, match.paper)
        answer = {"paper": paper_object(match.paper, match.rank), "sources": source_objects(match.sources, {})}
        output.say(answer, lambda style: paper_page(match.paper, style, entry.files if entry else ()))
        note_failures(failures(match.sources))
        note_interaction(match, workspace, "viewed")

    in_workspace(showing, offline)
    return 0


def open_paper(
    paper: PaperArgument,
    pdf: Annotated[bool, "Open the PDF instead of the page."] = False,
    anyway: Annotated[bool, "With --pdf: also open a file outside the folder of its bibliography."] = False,
    offline: OfflineFlag = False,
) -> int:
    """Open a paper in the browser.

    With --pdf, opens the first PDF among the paper's files (from spar mark PAPER --pdf FILE, spar fetch or spar
    import), or the open-access PDF in the browser. Always prints the address."""
    import asyncio

    from agents.tools.shelf_actions import entry_of
    from spar_tui.browser import open_file, open_url
    from spar_tui.cli.papers import find_paper, in_workspace, note_interaction

    async def opening(workspace: Workspace) -> None:
        match = await find_paper(paper, workspace)
        record = match.paper
        entry = entry_of(workspace.store, record)
        file = _file_of(workspace.store, entry, anyway) if pdf else None
        address = file or (_pdf_address(entry, record) if pdf else record.page)
        if not address:
            raise Failure(f"no web page of {record.id} is known.")
        say(address)
        await asyncio.to_thread(open_file if file else partial(open_url, offline=offline), address)
        note_interaction(match, workspace, "opened")

    settings = read_settings()
    offline = offline or settings.preferences.offline
    in_workspace(opening, offline, settings=settings)
    return 0


def _file_of(store: "Store", entry: "Shelved | None", anyway: bool) -> str | None:
    """Return the path of the paper's first file that may be opened, and print why others may not.

    Asks the person before opening a file that only a bibliography named, and records a yes. Raises `Failure` if nobody
    can be asked or the answer is no.
    """
    from cache.originals import choose, chosen_among

    files = entry.files if entry else ()
    file = openable_file(files, chosen_among(store, files))
    remark(*file.refused)
    if file.path is None or file.chosen:
        return file.path
    if not (anyway or can_ask()):
        key = entry.key if entry and entry.key else "PAPER"
        raise Failure(f"{file.question}; `spar open {key} --pdf --anyway` opens it anyway.")
    if not (anyway or confirm(f"{file.question}. Open it?")):
        raise Failure("no file was opened.")
    with store.writing() as db:
        choose(db, [file.named])
    return file.path


def _pdf_address(entry: "Shelved | None", paper: Paper) -> str:
    """Return the address of the paper's PDF. Raises `Failure` if none is known."""
    if not paper.pdf:
        name = entry.key if entry and entry.key else paper.id
        page = f"; `spar open {name}` opens its page" if paper.page else ", and no known web page"
        raise Failure(f"no PDF of {name} is here or open-access{page}.")
    return paper.pdf


def fetch(
    paper: Annotated[
        list[str] | None,
        "<PAPER…>",
        ("DOIs, arXiv ids, PMIDs, URLs, citation keys of the shelf, or @3: the third paper of the list shown last."),
    ] = None,
    tag: Annotated[str, "T", "Saved papers with this tag."] = "",
    to: Annotated[str, "DIR", "Keep the files in this folder instead of spar's own."] = "",
    again: Annotated[bool, "Also fetch papers whose PDF is already here."] = False,
    unchecked: Annotated[
        bool, "Also keep a PDF without text, and the text of your own file if it lacks the title."
    ] = False,
) -> int:
    """Download open-access PDFs of papers.

    spar names each file by the citation key, keeps it only if its first pages show the title, and saves the paper.
    spar open PAPER --pdf opens the file; spar library WORDS in:fulltext searches its text and names the page. spar
    looks for the PDF at the address in the record, at arXiv, at Unpaywall (which gets your mail address; skipped
    without one), and at the addresses that the sources give now. It names papers that are not open-access, or whose
    service refuses programs, with the reason."""
    if not (paper or tag):
        raise UsageError("name papers, or give --tag T; `spar fetch @1` fetches the first of the list shown last.")
    import asyncio

    from spar_tui.cli.fetching import Fetching

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("nothing is fetched offline; `spar config set offline no` changes that setting.")
    folder = expanded(to) if to else settings.places.database.parent / "papers"
    fetching = Fetching(settings, folder, again, unchecked)
    try:
        return asyncio.run(fetching.all(paper or [], tag))
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted after {counted(fetching.kept, 'complete PDF')}.") from None
