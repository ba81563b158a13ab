"""`spar edit`, `key`, `merge`, `split`, `undo`: correct what the library says of papers."""

from typing import TYPE_CHECKING, Annotated

from connectors.identifiers import parse_identifier
from spar_tui.cli.arguments import JsonFlag, PaperArgument, place_of
from spar_tui.errors import Failure, UsageError
from spar_tui.math_text import title_text
from spar_tui.terminal import remark, say, say_json
from spar_tui.workspace import Workspace, open_store, read_settings

if TYPE_CHECKING:
    from agents.tools.merging import MergedPapers


def edit(
    paper: PaperArgument,
    values: Annotated[
        list[str] | None,
        "<FIELD=VALUE…>",
        "title, authors (with ; between them), year or date, venue, type, doi, abstract; FIELD= empties it.",
    ] = None,
    undo: Annotated[bool, "Undo all corrections of the paper."] = False,
) -> int:
    """Correct a paper's data by hand.

    Give FIELD=VALUE, or change all fields in your editor (VISUAL or EDITOR). Your values replace those of all
    sources, now and later."""
    if undo and values:
        raise UsageError("--undo undoes all corrections; omit FIELD=VALUE.")
    from spar_tui.editor import check_terminal, edited, editor

    if not (undo or values):
        check_terminal("give FIELD=VALUE, or --undo")
    from cache import corrections, papers
    from connectors.records.corrections import corrected_fields
    from spar_tui.bibliography.paper_fields import changed_fields, fields_text, given_fields
    from spar_tui.cli.papers import known_paper

    settings = read_settings()
    fields = given_fields(values or [])
    paper_before = known_paper(paper, settings)
    if not (undo or values):
        fields = changed_fields(paper_before, edited(editor(), fields_text(paper_before), paper_before.title))
        if not fields:
            say("nothing was changed.")
            return 0
    with open_store(settings) as store:  # opened anew, because a person may write for hours
        number = papers.number_of(store, paper_before) or papers.remember(store, [paper_before])[0]
        record = corrections.take_back(store, number) if undo else corrections.correct(store, number, fields)
    if record is None:
        raise Failure(f"{paper_before.id} has no corrections, so there is nothing to undo.")
    how = f"corrected by you: {', '.join(corrected_fields(record))}" if not undo else "as the sources have it"
    say(f"{record.id}  {title_text(record)}  ({how})")
    return 0


def key(paper: PaperArgument, new: Annotated[str, "<NEW>", "The new citation key."]) -> int:
    """Change the citation key of a saved paper.

    The old key still names the paper, and no other paper gets it."""
    from spar_tui.bibliography.unfit_keys import unfit_key

    if fault := unfit_key(new) or ("" if new[0].isalnum() else "it does not begin with a letter or a digit"):
        raise UsageError(f"{new!r} cannot be a citation key: {fault}.")
    from agents.tools import shelf_actions
    from cache.errors import KeyTaken
    from spar_tui.cli.papers import known_paper
    from spar_tui.cli.verbs.shelf import entry_on_shelf

    if name := parse_identifier(new):
        raise UsageError(f"{new!r} cannot be a citation key: spar reads it as the identifier {name}.")
    settings = read_settings()
    record = known_paper(paper, settings)
    with open_store(settings) as store:
        entry = entry_on_shelf(store, record)
        try:
            shelf_actions.give_key(store, entry.paper, new, instead_of=paper)
        except KeyTaken as error:
            raise Failure(f"{error} Nothing was changed.") from None
    before = f"  (the old key {entry.key} still works)" if entry.key and entry.key != new else ""
    say(f"{new}  {entry.paper.id}  {title_text(entry.paper)}{before}")
    return 0


def merge(
    paper: PaperArgument,
    other: Annotated[str | None, "<OTHER>", "The paper that is the same work."] = None,
    undo: Annotated[bool, "Undo the last merge into PAPER."] = False,
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

    async def work(workspace: Workspace) -> "MergedPapers":
        matches, wrong = await find_papers([paper, other], workspace)
        if wrong:
            raise wrong[0]
        if len(matches) < 2 or (pair := merge_papers(workspace.store, matches[0].paper, matches[1].paper)) is None:
            raise Failure(f"{paper} and {other} are one paper already; nothing was changed.")
        return pair

    merge = in_workspace(work, offline=True, names=())
    if as_json:
        differences = {
            difference.field: {"kept": difference.kept, "dropped": list(difference.dropped)}
            for difference in merge.differences
        }
        say_json({"paper": paper_object(merge.paper, 0), "key": merge.key or None, "differences": differences})
        return 0
    how = "preprint and publication of one work now" if merge.versions else "one paper now"
    say(f"{merge.key + '  ' if merge.key else ''}{merge.paper.id}  {title_text(merge.paper)}  ({how})")
    for difference in merge.differences:
        values = " and ".join(repr(value) for value in difference.dropped)
        outcome = f"kept {difference.kept!r}, dropped {values}" if difference.kept else f"dropped both {values}"
        still = ", which still names the paper" if difference.field in ("doi", "arxiv", "pmid") else ""
        remark(f"{difference.field}: {outcome}{still}.")
    return 0


def apart(paper: str, as_json: bool = False) -> int:
    """Undo the person's last merge into the paper, and print both papers. Raises `UserError`."""
    from agents.tools.merging import take_apart
    from cache import citation_keys, papers
    from spar_tui.cli.papers import known_paper
    from spar_tui.reports.json_objects import paper_objects

    whole = known_paper(paper)
    with open_store(read_settings()) as store:
        both = take_apart(store, whole)
        if both is None:
            raise Failure(f"nothing was merged into {paper}, so there is nothing to split.")
        numbers = papers.numbers_of(store, both)
        keys = citation_keys.keys_of(store, [number for number in numbers if number is not None])
    if as_json:
        say_json({"papers": paper_objects(both)})
        return 0
    for record, number in zip(both, numbers, strict=True):
        key = keys.get(number) if number is not None else None
        say(f"{key + '  ' if key else ''}{record.id}  {title_text(record)}  (a separate paper again)")
    return 0


def split(key: Annotated[str, "<PAPER>", "A merged paper, or the citation key of the entry to separate."]) -> int:
    """Split a merged paper.

    Undoes your merge, or makes an imported entry that spar joined with another a paper of its own. The two stay
    separate, whatever is imported or found."""
    from cache import citation_keys, merges, originals, shelf
    from spar_tui.bibliography.splitting import split_off

    with open_store(read_settings()) as store:
        own_original, record = originals.called(store, key), citation_keys.paper_of(store, key)
        if own_original and not merges.is_merged(store, own_original[0]):
            number = split_off(store, *own_original)
            entry = shelf.shelved(store, number)
            assert entry is not None
            say(f"{key}  {entry.paper.id}  {title_text(entry.paper)}  (a separate paper now)")
            return 0
        if not (own_original or record or place_of(key) or parse_identifier(key)):
            raise Failure(f"no paper and no imported entry is called {key}.")
    return apart(key)


def undo(as_json: JsonFlag = False) -> int:
    """Undo the last change.

    Undoes what a verb, the app, chat or an agent last did to papers: saving, removing, tags, notes, read marks,
    PDFs, ratings, corrections, citation keys, merging, splitting, importing. Run it again to undo the change before.
    Later changes stay."""
    from agents.tools.change_phrases import change_text
    from cache.taking_back import take_back_last

    with open_store(read_settings()) as store:
        step = take_back_last(store)
    if step is None:
        if as_json:
            say_json({"taken_back": [], "left": []})
        remark("nothing to undo.")
        return 3
    changes = {
        number: {"id": paper.id, "title": paper.title, "change": change_text(step.rows[number])}
        for number, paper in step.papers.items()
    }
    reversals = [change for number, change in changes.items() if number in step.back]
    others = [change for number, change in changes.items() if number not in step.back]
    if as_json:
        say_json({"taken_back": reversals, "left": others})
    else:
        say(*(f"undid: {change['change']}  {change['id']}  {change['title']}" for change in reversals))
    for change in others:
        remark(f"not undone: {change['change']}  {change['id']}  {change['title']}; it changed since.")
    if not reversals:
        raise Failure("nothing was undone; run spar undo again for the change before.")
    return 0
