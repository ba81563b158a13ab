"""`spar merge`: two papers that are one; `spar split`: the way back."""

from typing import TYPE_CHECKING, Annotated

import typer

from connectors.identifiers import parse_identifier
from connectors.paper import Paper
from spar_tui.cli.arguments import JsonFlag, PaperArgument, place_of
from spar_tui.errors import Failure, UsageError
from spar_tui.math_text import title_text
from spar_tui.terminal import dump, note, say, say_json
from spar_tui.workspace import Workspace, open_store, read_settings

if TYPE_CHECKING:
    from agents.tools.merging import Merged
    from cache.store import Store


def merge(
    paper: PaperArgument,
    other: Annotated[
        str | None, typer.Argument(metavar="[OTHER]", help="The paper that is the same work.", show_default=False)
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Undo the last merge into PAPER.")] = False,
    as_json: JsonFlag = False,
) -> int:
    """Merge two papers that are the same work.

    They stay merged, whatever is imported or found. The merged paper keeps the tags, notes, files, keys, imported
    entries and ratings of both, and the citation key of PAPER. Fields that differ are listed. --undo, or spar split
    PAPER, undoes the merge."""
    if undo == (other is not None):
        raise UsageError(
            "merge needs two papers: spar merge PAPER OTHER; or one to split again: spar merge PAPER --undo."
        )
    from agents.tools.merging import merge_papers
    from spar_tui.cli.papers import find_papers, in_workspace
    from spar_tui.reports.json_objects import paper_object

    if other is None:
        return apart(paper, as_json)

    async def merged(workspace: Workspace) -> "Merged":
        matches, wrong = await find_papers([paper, other], workspace)
        if wrong:
            raise wrong[0]
        if len(matches) < 2 or (done := merge_papers(workspace.store, matches[0].paper, matches[1].paper)) is None:
            raise Failure(f"{paper} and {other} are one paper already; nothing was changed.")
        return done

    done = in_workspace(merged, offline=True, names=())
    if as_json:
        differences = {
            difference.field: {"kept": difference.kept, "dropped": list(difference.dropped)}
            for difference in done.differences
        }
        say_json({"paper": paper_object(done.paper, 0), "key": done.key or None, "differences": differences})
        return 0
    how = "preprint and publication of one work now" if done.versions else "one paper now"
    say(f"{done.key + '  ' if done.key else ''}{done.paper.id}  {title_text(done.paper)}  ({how})")
    for difference in done.differences:
        dropped = " and ".join(repr(value) for value in difference.dropped)
        kept = f"kept {difference.kept!r}, dropped {dropped}" if difference.kept else f"dropped both {dropped}"
        note(f"spar: {difference.field}: {kept}{_NAMES_STILL.get(difference.field, '')}.")
    return 0


_NAMES_STILL = dict.fromkeys(("doi", "arxiv", "pmid"), ", which still names the paper")


def apart(paper: str, as_json: bool = False) -> int:
    """Undo the person's last merge into the paper, and print both papers. Raises `UserError`."""
    from agents.tools.merging import take_apart
    from spar_tui.cli.papers import known_paper
    from spar_tui.reports.json_objects import paper_object

    named = known_paper(paper)
    with open_store(read_settings()) as store:
        both = take_apart(store, named)
        if both is None:
            raise Failure(f"nothing was merged into {paper}, so there is nothing to split.")
        lines = [_line(store, record) for record in both]
    objects = [paper_object(record, rank) for rank, record in enumerate(both, start=1)]
    say(*([dump({"papers": objects})] if as_json else lines))
    return 0


def _line(store: "Store", paper: Paper) -> str:
    from cache import citation_keys, papers

    number = papers.number_of(store, paper)
    key = citation_keys.keys_of(store, [number]).get(number) if number is not None else None
    return f"{key + '  ' if key else ''}{paper.id}  {title_text(paper)}  (a separate paper again)"


def split(
    key: Annotated[
        str,
        typer.Argument(metavar="PAPER", help="A paper that you merged, or the citation key of the entry to take out."),
    ],
) -> int:
    """Split a merged paper.

    Undoes your merge, or makes an imported entry that spar joined with another a paper of its own. The two stay
    separate, whatever is imported or found."""
    from cache import citation_keys, merges, originals, shelf
    from spar_tui.bibliography.splitting import split_off

    with open_store(read_settings()) as store:
        own_original, named = originals.called(store, key), citation_keys.paper_of(store, key)
        if own_original and not merges.is_merged(store, own_original[0]):
            number = split_off(store, *own_original)
            entry = shelf.shelved(store, number)
            assert entry is not None
            say(f"{key}  {entry.paper.id}  {title_text(entry.paper)}  (a separate paper now)")
            return 0
        if not (own_original or named or place_of(key) or parse_identifier(key)):
            raise Failure(f"no paper and no imported entry is called {key}.")
    return apart(key)
