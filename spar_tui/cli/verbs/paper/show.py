"""`spar show`: one paper in full."""

from spar_tui.cli.arguments import JsonFlag, OfflineFlag, PaperArgument, PlainFlag
from spar_tui.terminal import answer_style, note_failures, say, say_json
from spar_tui.workspace import Workspace


def show(
    paper: PaperArgument, as_json: JsonFlag = False, offline: OfflineFlag = False, plain: PlainFlag = False
) -> int:
    """Show one paper in full."""
    from agents.run.findings import failures
    from agents.tools.shelf_actions import entry_of
    from spar_tui.cli.listing import paper_page
    from spar_tui.cli.papers import find_paper, in_workspace, note_interaction
    from spar_tui.reports.json_objects import paper_object, source_objects

    async def showing(workspace: Workspace) -> None:
        match = await find_paper(paper, workspace)
        if as_json:
            sources = source_objects(match.sources, {})
            say_json({"paper": paper_object(match.paper, match.rank), "sources": sources})
        else:
            entry = entry_of(workspace.store, match.paper)
            say(*paper_page(match.paper, answer_style(plain), entry.files if entry else ()))
        note_failures(failures(match.sources))
        note_interaction(match, workspace, "viewed")

    in_workspace(showing, offline)
    return 0
