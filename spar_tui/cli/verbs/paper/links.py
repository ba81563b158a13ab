"""`spar refs`, `spar cites`, `spar similar`: the papers around one paper."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from connectors.paper import Paper
from spar_tui.cli.arguments import JsonFlag, OfflineFlag, PaperArgument, PlainFlag, StrictFlag
from spar_tui.cli.lists.filter_words import ListFlags, check_limit, in_order
from spar_tui.cli.lists.line_template import PAPER_FIELDS, paper_lines
from spar_tui.math_text import title_text
from spar_tui.phrases import papers_text
from spar_tui.shown_list import note_list
from spar_tui.terminal import answer_style, note, note_failures, say, say_json
from spar_tui.workspace import Workspace

if TYPE_CHECKING:
    from agents.lookup.links import Kind, Linked


LimitOption = Annotated[int, typer.Option(metavar="N", help="How many papers to list (1 to 1000).")]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFlags:
    """The sources for linked papers, and the output format."""

    as_json: JsonFlag = False
    offline: OfflineFlag = False
    strict: StrictFlag = False
    plain: PlainFlag = False


def refs(paper: PaperArgument, limit: LimitOption = 100, *, shown: LinkFlags, listed: ListFlags) -> int:
    """List what a paper cites."""
    return _list("references", paper, limit, shown, listed)


def cites(paper: PaperArgument, limit: LimitOption = 50, *, shown: LinkFlags, listed: ListFlags) -> int:
    """List the papers that cite a paper."""
    return _list("citations", paper, limit, shown, listed)


def similar(paper: PaperArgument, limit: LimitOption = 20, *, shown: LinkFlags, listed: ListFlags) -> int:
    """List papers like a paper."""
    return _list("similar", paper, limit, shown, listed)


def _list(kind: "Kind", raw: str, limit: int, shown: LinkFlags, listed: ListFlags) -> int:
    check_limit(limit, 1000)
    from agents.lookup.links import linked
    from agents.run.findings import failures, none_answered
    from spar_tui.bibliography.keys import known_keys
    from spar_tui.cli.listing import paper_entry
    from spar_tui.cli.papers import find_paper, in_workspace
    from spar_tui.reports.json_objects import paper_object, source_objects

    lines = listed.lines(PAPER_FIELDS, shown.as_json)

    async def listing(workspace: Workspace) -> int:
        match = await find_paper(raw, workspace)
        around = await linked(match.paper, kind, workspace.resources, limit)
        around = replace(around, papers=tuple(in_order(around.papers, listed.order, lambda paper: paper)))
        objects = [paper_object(linked_paper, rank) for rank, linked_paper in enumerate(around.papers, start=1)]
        if lines:
            say(*paper_lines(lines, objects, lambda: known_keys(workspace.store, around.papers)))
        elif shown.as_json:
            sources = source_objects(around.sources, {name: tally.found for name, tally in around.sources.items()})
            say_json({"paper": paper_object(match.paper, 0), "papers": objects, "sources": sources})
        else:
            for rank, linked_paper in enumerate(around.papers, start=1):
                say(*paper_entry(rank, linked_paper, answer_style(shown.plain)))
        note_list(workspace.store, listed=around.papers)
        _note(kind, match.paper, around)
        if not around.papers and none_answered(around.sources):
            return 1
        failed = failures(around.sources)
        if shown.strict and failed:
            return 4
        return 0 if around.papers or failed else 3

    return in_workspace(listing, shown.offline)


_RELATION = {"references": ("cited by",) * 2, "citations": ("that cites", "that cite"), "similar": ("like",) * 2}
"""What one paper, and several, are to the paper."""


def _note(kind: "Kind", paper: Paper, around: "Linked") -> None:
    from agents.run.findings import failures
    from spar_tui.source_phrases import counts_text

    note_failures(failures(around.sources))
    if around.fault:
        note(f"spar: {around.fault} The papers are in the order of the sources.")
    number = len(around.papers)
    text = f"{papers_text(number)} {_RELATION[kind][number != 1]} “{title_text(paper)}”"
    note(f"{text} ({counts_text(around.sources)})")
    if around.compared_by:
        note(f"ordered by the sources and by meaning, as compared by {around.compared_by}")
