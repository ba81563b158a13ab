"""`spar refs`, `spar cites`, `spar similar`: the papers around one paper."""

from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, OfflineFlag, PaperArgument, PlainFlag, StrictFlag
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.lookup.links import Kind, Linked
    from connectors.paper import Paper

LimitOption = Annotated[int, typer.Option(metavar="N", help="How many papers to list (1 to 1000).")]


def refs(
    paper: PaperArgument,
    limit: LimitOption = 100,
    as_json: JsonFlag = False,
    offline: OfflineFlag = False,
    strict: StrictFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List what a paper cites."""
    return _list("references", paper, limit, as_json, offline, strict, plain)


def cites(
    paper: PaperArgument,
    limit: LimitOption = 50,
    as_json: JsonFlag = False,
    offline: OfflineFlag = False,
    strict: StrictFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List the papers that cite a paper."""
    return _list("citations", paper, limit, as_json, offline, strict, plain)


def similar(
    paper: PaperArgument,
    limit: LimitOption = 20,
    as_json: JsonFlag = False,
    offline: OfflineFlag = False,
    strict: StrictFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List papers like a paper."""
    return _list("similar", paper, limit, as_json, offline, strict, plain)


def _list(kind: "Kind", raw: str, limit: int, as_json: bool, offline: bool, strict: bool, plain: bool) -> int:
    if not 1 <= limit <= 1000:
        raise UsageError("--limit must be from 1 to 1000.")
    import asyncio

    from agents.lookup.links import linked
    from agents.run.findings import failures
    from spar_tui.cli.papers import find_paper
    from spar_tui.workspace import open_workspace, read_settings

    settings = read_settings()

    async def run() -> int:
        async with open_workspace(
            settings, settings.preferences.sources, offline or settings.preferences.offline
        ) as workspace:
            found = await find_paper(raw, workspace)
            around = await linked(found.paper, kind, workspace.resources, limit)
            _print(kind, found.paper, around, as_json, plain)
        failed = failures(around.sources)
        if strict and failed:
            return 4
        return 0 if around.papers or failed else 3

    return asyncio.run(run())


_RELATION = {"references": "cited by", "citations": "that cite", "similar": "like"}


def _print(kind: "Kind", paper: "Paper", around: "Linked", as_json: bool, plain: bool) -> None:
    from agents.run.findings import failures
    from spar_tui.cli.listing import paper_entry
    from spar_tui.phrases import counts_text, papers_text
    from spar_tui.reports.json_objects import dump, paper_object, source_objects
    from spar_tui.terminal import answer_style, note, note_failures, say

    if as_json:
        papers = [paper_object(one, place) for place, one in enumerate(around.papers, start=1)]
        included = {name: tally.found for name, tally in around.sources.items()}
        say(dump({"paper": paper_object(paper, 0), "papers": papers,
                  "sources": source_objects(around.sources, included)}))  # fmt: skip
    else:
        style = answer_style(plain)
        for place, one in enumerate(around.papers, start=1):
            say(*paper_entry(place, one, style))
    note_failures(failures(around.sources))
    told = f"{papers_text(len(around.papers))} {_RELATION[kind]} “{paper.title}”"
    note(f"{told} ({counts_text(around.sources)})")
