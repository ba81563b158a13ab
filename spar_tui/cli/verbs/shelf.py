"""`spar save`, `unsave`, `shelf`, `tag`, `mark`: the papers that the person keeps."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from cache.paths import expanded
from connectors.paper import Paper, short_authors
from spar_tui.cli.arguments import OfflineFlag, OutputFlags, check_tags, only_one, refuse_empty
from spar_tui.cli.lists.filter_words import (
    FormatOption,
    LimitOption,
    ReverseFlag,
    SortOption,
    filter_of,
    lines_of,
    order_of,
    wider_hint,
)
from spar_tui.cli.lists.line_template import SHELF_FIELDS, paper_lines
from spar_tui.errors import Failure, NothingFound, UsageError, UserError
from spar_tui.math_text import title_text, warned_title
from spar_tui.openable_files import refusal
from spar_tui.phrases import papers_text
from spar_tui.shown_list import note_list
from spar_tui.terminal import Style, note, remark, say
from spar_tui.workspace import Workspace, open_store, read_settings

if TYPE_CHECKING:
    from cache.conditions.filters import Filter
    from cache.reading_history import Feedback
    from cache.shelf import ShelfRow, Shelved
    from cache.store import Store

PapersArgument = Annotated[
    list[str],
    "<PAPER…>",
    (
        "DOIs, arXiv ids, PMIDs, s2:…, openalex:W…, any of their URLs, citation keys of the shelf, or @3: the "
        "third paper of the list shown last (@3-5: the third to the fifth)."
    ),
]


_RATINGS: "dict[Feedback, str]" = {1: "liked", 0: "", -1: "disliked"}


def save(
    paper: PapersArgument,
    tag: Annotated[list[str] | None, "T", "Tag to add; repeat for more."] = None,
    offline: OfflineFlag = False,
) -> int:
    """Save papers."""
    check_tags(tag or [])

    def change(store: "Store", paper: Paper, run: str | None) -> str:
        from agents.tools import shelf_actions

        shelf_actions.save(store, [paper], tag or [])
        return f"saved {paper.id}  {title_text(paper)}" + _hashes(entry_on_shelf(store, paper).tags)

    return _each(paper, offline, change)


def unsave(paper: PapersArgument) -> int:
    """Remove saved papers, with their tags and notes.

    Also removes the stored texts of their PDFs; the files stay where they are."""

    def change(store: "Store", paper: Paper, run: str | None) -> str:
        from agents.tools import shelf_actions

        entry = entry_on_shelf(store, paper)
        shelf_actions.unsave(store, [paper])
        if entry.note:
            remark(f"the note about {paper.id} was: {entry.note}")
        return f"removed {paper.id}  {title_text(paper)}"

    return _each(paper, True, change)


def tag(
    paper: Annotated[list[str] | None, "<PAPER…>", "Saved papers; none lists all tags."] = None,
    add: Annotated[list[str] | None, "T", "Tag to add; repeat for more."] = None,
    remove: Annotated[list[str] | None, "T", "Tag to remove; repeat for more."] = None,
) -> int:
    """Add, remove, rename or list tags.

    A / makes levels: tag:thesis also finds thesis/intro. spar tag rename OLD NEW renames a tag and the levels below
    it."""
    if paper and paper[0] == "rename":
        return _rename_tag(paper[1:], bool(add or remove))
    if not paper:
        if add or remove:
            raise UsageError("say which papers to tag: spar tag PAPER… --add T.")
        from cache.shelf import tags

        with open_store(read_settings()) as store:
            counts = tags(store)
        say(*(f"{count:>6}  {name}" for name, count in counts))
        if not counts:
            remark("no paper has a tag yet; spar tag PAPER --add T adds one.")
        return 0 if counts else 3
    check_tags([*(add or []), *(remove or [])])

    def change(store: "Store", paper: Paper, run: str | None) -> str:
        from agents.tools import shelf_actions

        entry_on_shelf(store, paper)
        shelf_actions.tag(store, [paper], add or [], remove or [])
        return f"{paper.id}  {title_text(paper)}" + _hashes(entry_on_shelf(store, paper).tags)

    return _each(paper, True, change)


def _rename_tag(names: Sequence[str], more: bool) -> int:
    from agents.tools import shelf_changes
    from cache import shelf
    from cache.conditions.table import is_tag
    from cache.journal import as_one_step

    if len(names) != 2 or more:
        raise UsageError("rename needs two tags: spar tag rename OLD NEW.")
    check_tags(names)
    old, new = names
    with open_store(read_settings()) as store, store.writing(), as_one_step():
        numbers: set[int] = set()
        for name in [tag for tag, _ in shelf.tags(store) if is_tag(tag, old)]:
            papers = [
                row.number for row in shelf.rows(store, tag=name) if name.casefold() in map(str.casefold, row.tags)
            ]
            # Tags ignore case, so the old one must go first.
            shelf_changes.tag(store, papers, remove=[name])
            levels = name.split("/")[len(old.split("/")) :]
            shelf_changes.tag(store, papers, add=["/".join([new, *levels])])
            numbers.update(papers)
        if not numbers:
            raise NothingFound(f"no saved paper has the tag {old}; spar tag lists the tags.")
    say(f"{papers_text(len(numbers))}: {old} is now {new}")
    return 0


def mark(
    paper: PapersArgument,
    read: Annotated[bool | None, "--read/--unread", "Whether you have read them."] = None,
    like: Annotated[bool, "You like them."] = False,
    dislike: Annotated[bool, "You do not like them."] = False,
    dismiss: Annotated[bool, "Hide them from recommendations for a while."] = False,
    unrated: Annotated[bool, "Remove this rating."] = False,
    pdf: Annotated[
        list[str] | None,
        "FILE",
        (
            "The paper's PDF, for spar open --pdf; repeat for more. Earlier files follow it; "
            "an empty FILE forgets them all."
        ),
    ] = None,
) -> int:
    """Mark papers as liked, disliked or read; set their PDF.

    spar recommend, spar search --personal and spar watch use these marks. A dismissed paper lowers papers like it
    for some months, a disliked one for years."""
    opinion = only_one({"--like": like, "--dislike": dislike, "--dismiss": dismiss, "--unrated": unrated})
    if read is None and pdf is None and not opinion:
        raise UsageError("say what to mark: --read, --unread, --like, --dislike, --dismiss, --unrated or --pdf FILE.")
    if pdf is not None and len(paper) > 1:
        raise UsageError("--pdf is for one paper at a time.")
    files = [expanded(name).absolute() for name in pdf or () if name]
    for file in files:
        if reason := refusal(str(file)):
            raise UsageError(f"{reason} Nothing was changed.")
    rating: Feedback | None = 1 if like else -1 if dislike else 0 if unrated else None

    def change(store: "Store", paper: Paper, run: str | None) -> str:
        from agents.tools import shelf_actions

        files_before = entry_on_shelf(store, paper).files if pdf is not None or read is not None else ()
        if read is not None:
            shelf_actions.mark_read(store, [paper], read)
        if rating is not None:
            shelf_actions.rate(store, [paper], rating, run)
        if dismiss:
            shelf_actions.dismiss(store, [paper], run)
        if pdf is not None:
            shelf_actions.set_files(store, paper, [*map(str, files)], () if "" in pdf else files_before)
        entry = shelf_actions.entry_of(store, paper)
        unsaved = ["not saved", _RATINGS[shelf_actions.feedback_on(store, paper)]]
        marks = [*(_state(entry) if entry else filter(None, unsaved))]
        marks += ["dismissed"] if shelf_actions.is_dismissed(store, paper) else []
        return f"{paper.id}  {title_text(paper)}  {', '.join(marks)}"

    return _each(paper, True, change)


def shelf(
    words: Annotated[list[str] | None, "<WORDS…>", "Filter terms; a paper must match all of them."] = None,
    tag: Annotated[str | None, "T", "Only papers with this tag."] = None,
    unread: Annotated[bool, "Only papers that are not marked as read."] = False,
    sort: SortOption = None,
    reverse: ReverseFlag = False,
    limit: LimitOption = None,
    template: FormatOption = None,
    *,
    output: OutputFlags,
) -> int:
    """List the shelf: saved papers, the last saved first.

    WORDS match title, authors, venue, year or tags. Other terms: year:2020.. year:..2010 year:2015..2020 cited:10..
    venue:acl author:name author:nam* tag:x type:review is:open is:unread is:read is:liked is:retracted has:note
    saved:2026.. about:"two words" title:word, and "a phrase"; - before a term negates it; author:a|b matches either.
    With in:fulltext, WORDS match the texts of PDFs that spar fetch keeps. A shell removes quotes, so write '"a
    phrase"' and 'author:"Ada Lovelace"'."""
    refuse_empty({"--tag": tag})
    from cache import shelf as shelves
    from cache.conditions.orders import OF_SHELF, ordered
    from cache.conditions.scopes import SHELF

    order, condition = order_of(sort, "saved", reverse, OF_SHELF), filter_of(words or [], SHELF)
    lines = lines_of(template, SHELF_FIELDS, output.as_json)

    def matches(condition: "Filter") -> "list[ShelfRow]":
        return shelves.rows(store, tag=tag, unread=unread, filters=condition)

    with open_store(read_settings()) as store:
        rows = ordered(matches(condition), order.order.name, lambda row: row.sortable, order.reverse)
        hint = "" if rows else wider_hint(condition, lambda wider: len(matches(wider)))
        entries = shelves.entries(store, [row.number for row in rows[:limit]])
        note_list(store, listed=[shelved.paper for shelved in entries])
        objects = [_object(shelved, number) for number, shelved in enumerate(entries, start=1)]
        if lines:
            say(*paper_lines(lines, objects, lambda: keys_of_shelf(store, entries)))
    if not lines:
        output.say({"papers": objects}, lambda style: (line for entry in entries for line in _entry(entry, style)))
    which = " not read yet" * unread + (f" with the tag {tag}" if tag else "")
    terms = f" for {condition}" if str(condition) else ""
    if entries and not output.as_json:
        first = f"the first {len(entries):,} are" if len(entries) > 1 else "the first is"
        more = f"; {first} listed, --limit lists more" if len(rows) > len(entries) else ""
        note(f"{papers_text(len(rows))}{which} on the shelf{terms}{more}")
    elif not output.as_json:
        adding = "spar shelf lists all" if terms else "spar save PAPER adds papers"
        remark(f"no papers{which} are on the shelf{terms}; {hint or ('spar tag lists the tags' if tag else adding)}.")
    return 0 if entries else 3


def keys_of_shelf(store: "Store", entries: "Sequence[Shelved]") -> list[str]:
    """Return the citation key of each; one without a key gets one, as by `spar export`."""
    from spar_tui.bibliography.citation_key import DEFAULT_PRESET, key_pattern, keys_for

    keys = keys_for(store, {entry.number: entry.paper for entry in entries}, key_pattern(DEFAULT_PRESET))
    return [keys[entry.number] for entry in entries]


def entry_on_shelf(store: "Store", paper: Paper) -> "Shelved":
    """Return the entry of a saved paper. Raises `Failure` if it is not saved."""
    from agents.tools.shelf_actions import entry_of

    entry = entry_of(store, paper)
    if entry is None:
        hint = f"`spar save {paper.id}` saves it" if paper.identifiers else "`spar shelf` lists the saved papers"
        raise Failure(f"{paper.id} is not on the shelf; {hint}.")
    return entry


def _each(raws: Sequence[str], offline: bool, change: Callable[["Store", "Paper", str | None], str]) -> int:
    """Call `change` with each paper and the run in whose list it was named, store all changes at once, and print the
    results; an error with one paper does not stop the others."""
    from cache.journal import as_one_step
    from spar_tui.cli.papers import find_papers, in_workspace

    async def changing(workspace: Workspace) -> list[UserError]:
        matches, wrong = await find_papers(raws, workspace)
        results = list[str]()
        with workspace.store.writing() if matches else nullcontext(), as_one_step():
            for match in matches:
                try:
                    results.append(change(workspace.store, match.paper, match.run))
                except UserError as error:
                    wrong.append(error)
        say(*results)
        return wrong

    wrong = in_workspace(changing, offline)
    remark(*map(str, wrong[:-1]))
    if wrong:
        raise wrong[-1]
    return 0


def _entry(shelved: "Shelved", style: Style) -> list[str]:
    """Format a saved paper of a list: title, authors and venue, and the person's data."""
    paper = shelved.paper
    facts = [short_authors(paper), str(paper.year or "no date"), paper.venue]
    title = style.wrapped(warned_title(paper), "", "bold")
    name = f"{shelved.key}  {paper.id}" if shelved.key else paper.id
    return [
        *title,
        *style.wrapped(" · ".join(filter(None, facts)), "  "),
        *style.wrapped(" · ".join([name, *_state(shelved)]) + _hashes(shelved.tags), "  ", "cyan"),
        *(line for text in shelved.note.splitlines() for line in style.wrapped(text, "  | ", "dim")),
    ]


def _state(shelved: "Shelved") -> list[str]:
    parts = [f"read {shelved.read:%Y-%m-%d}" if shelved.read else "unread", _RATINGS[shelved.rating]]
    return list(filter(None, [*parts, *shelved.files]))


def _hashes(tags: Sequence[str]) -> str:
    return "".join(f"  #{tag}" for tag in tags)


def _object(shelved: "Shelved", number: int) -> dict[str, object]:
    from spar_tui.reports.json_objects import json_fields, paper_object

    entry = {
        "key": shelved.key,
        **json_fields(shelved, "saved read rating tags"),
        "note": shelved.note,
        "file": next(iter(shelved.files), None),
        "files": list(shelved.files),
        "details": dict(shelved.details),
    }
    return {**paper_object(shelved.paper, number), "shelf": entry}
