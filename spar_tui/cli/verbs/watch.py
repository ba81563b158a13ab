"""`spar watch`: stored searches, asked again for what is new."""

import sys
from contextlib import nullcontext, redirect_stdout
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spar_tui.cli.arguments import JsonFlag, OfflineFlag, PlainFlag
from spar_tui.cli.lists.filter_words import FormatOption, check_one_form
from spar_tui.errors import Failure, UsageError
from spar_tui.terminal import DASH
from spar_tui.watching.order import ORDER_TITLES, Order

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agents.lookup.following import Subject
    from agents.search.events import Ranked
    from agents.search.options import SearchOptions
    from agents.search.state import SearchState
    from cache.watches import Watch
    from connectors.paper import Paper
    from spar_tui.cli.lists.line_template import LineTemplate
    from spar_tui.settings import Settings
    from spar_tui.watching.news import News, Searched


def watch(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]…", help="Which ones; all by default.", show_default=False)
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the stored searches and ask nobody.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Forget the stored searches named.")] = False,
    author: Annotated[
        list[str] | None,
        typer.Option(
            "--author",
            metavar="ID|NAME",
            help="Follow a person: an author id of OpenAlex or Semantic Scholar, or a name; repeat for more ids.",
            show_default=False,
        ),
    ] = None,
    cites: Annotated[
        str, typer.Option("--cites", metavar="PAPER", help="Follow what cites a paper.", show_default=False)
    ] = "",
    by: Annotated[
        Order | None,
        typer.Option(
            "--by",
            help="How the new papers are ordered: by your taste, where something is known of it and unless you say "
            "otherwise, or by relevance.",
            show_default=False,
        ),
    ] = None,
    rss: Annotated[
        str,
        typer.Option(
            "--rss",
            metavar="FILE",
            help="Write what these searches have shown, the newest first, into FILE as an RSS feed; - is standard "
            "output, and then the list goes to standard error.",
            show_default=False,
        ),
    ] = "",
    no_model: Annotated[bool, typer.Option("--no-model", help="Reason without a language model.")] = False,
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
    template: FormatOption = None,
    plain: PlainFlag = False,
) -> int:
    """Run stored searches again and show new papers.

    New are relevant papers that they have never shown. Store one with: spar search "your question" --watch NAME.
    With --author or --cites a person or a paper is followed from now on, as [NAME]; what is listed now is no news.
    Exits with 3 if nothing is new."""
    if author or cites:
        _check_alone(author, cites, names, bool(listed or drop or rss or by or offline))
        return _begin(author or [], cites, names[0] if names else "", as_json)
    if drop and not names:
        raise UsageError("--drop needs the names of the stored searches to forget.")
    if rss and (drop or listed):
        raise UsageError("--rss writes what is found; leave --drop and --list out.")
    if rss == DASH and (as_json or template is not None):
        raise UsageError("--rss - takes standard output; leave --json and --format out.")
    if drop and listed:
        raise UsageError("--drop and --list exclude each other; choose one.")
    if drop and template is not None:
        raise UsageError("--format and --drop exclude each other; choose one.")
    check_one_form(as_json, template)
    from agents.run.errors import RunError
    from cache.errors import CacheError
    from cache.watches import drop_watch
    from cache.watches import watch as find
    from cache.watches import watches as all_of
    from spar_tui.cli.lists.line_template import WATCH_FIELDS, WATCHED_FIELDS, line_template
    from spar_tui.terminal import note
    from spar_tui.workspace import open_store, read_settings

    known = WATCH_FIELDS if listed else WATCHED_FIELDS
    lines = line_template(template, known) if template is not None else None
    settings = read_settings()
    with open_store(settings) as store:
        try:
            chosen = [find(store, name) for name in names] if names else all_of(store)
            for watch in chosen if drop else ():
                drop_watch(store, watch.name)
        except CacheError as error:
            raise Failure(str(error)) from None
    if not chosen:
        note(
            'spar: no search is stored yet; store one with: spar search "your question" --watch NAME, or follow a '
            "person or a paper: spar watch --author ID, spar watch --cites PAPER."
        )
        return 3
    if drop:
        note(f"spar: forgot {', '.join(watch.name for watch in chosen)}; the papers stay in the library.")
        return 0
    if listed:
        return _list(chosen, as_json, lines, plain)
    try:
        with redirect_stdout(sys.stderr) if rss == DASH else nullcontext():
            code = _ask(
                settings, chosen, offline or settings.preferences.offline, not no_model, by, as_json, lines, plain
            )
    except RunError as error:
        raise Failure(str(error)) from None
    if rss:
        _write_feed(settings, rss, [watch.name for watch in chosen])
    return code


def _check_alone(author: list[str] | None, cites: str, names: list[str] | None, more: bool) -> None:
    """Raises `UsageError` for what does not go with beginning to follow somebody or something."""
    if author and cites:
        raise UsageError("--author and --cites exclude each other; choose one.")
    if names and len(names) > 1:
        raise UsageError("--author and --cites begin one watch, which takes one name.")
    if more:
        raise UsageError(
            "--author and --cites only begin a watch: leave --list, --drop, --rss, --by and --offline out."
        )


def _begin(author: list[str], cites: str, name: str, as_json: bool) -> int:
    import asyncio

    from cache.errors import CacheError
    from spar_tui.cli.following import begin_author, begin_cites, begun_object, tell_begun
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import say
    from spar_tui.workspace import read_settings

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("nobody is followed offline; `spar config set offline no` changes that setting.")
    beginning = begin_author(settings, author, name, as_json) if author else begin_cites(settings, cites, name)
    try:
        begun = asyncio.run(beginning)
    except CacheError as error:
        raise Failure(str(error)) from None
    tell_begun(begun)
    if as_json:
        say(dump({"watched": begun_object(begun)}))
    return 0


def _write_feed(settings: "Settings", name: str, watches: "list[str]") -> None:
    """Write the feed of what the stored searches have shown, into a file or for `-` to standard output. Made from what
    is kept, it has whatever an earlier call could not write any more."""
    from pathlib import Path

    from cache.watches import shown_last
    from spar_tui.bibliography.files import locked, read_old, replace_file
    from spar_tui.cli.lists.feed import MOST_ITEMS, rss
    from spar_tui.terminal import note
    from spar_tui.workspace import open_store

    file = Path(name).expanduser()
    with open_store(settings) as store:
        shown = shown_last(store, watches, MOST_ITEMS)
    if name == DASH:
        sys.stdout.buffer.write(rss(shown, watches))
        sys.stdout.buffer.flush()
        return
    with locked(file, settings.places.database.parent / "locks"):
        old, new = read_old(file), rss(shown, watches)
        if old is not None and b"<rss" not in old[:500]:
            raise Failure(f"{file} is another file than a feed; it was left alone.")
        if old != new:
            replace_file(file, new, old)
    note(f"spar: {file}: {len(shown):,} {'paper' if len(shown) == 1 else 'papers'} in the feed.")


def begin_watch(settings: "Settings", name: str, question: str, options: "SearchOptions") -> str:
    """Store a search that has just been done; the name under which it is kept."""
    from pydantic import TypeAdapter

    from agents.search.options import SearchOptions
    from cache.watches import note_asked, set_watch
    from spar_tui.terminal import note
    from spar_tui.workspace import open_store

    with open_store(settings) as store:
        kept = set_watch(store, name, question, TypeAdapter(SearchOptions).dump_python(options, mode="json"))
        note_asked(store, kept)
    note(f"spar: watched as {kept}; `spar watch` shows what is new in it.")
    return kept


def printed(settings: "Settings", name: str, papers: "Sequence[Paper]") -> None:
    """The papers of a watch were printed, so they are no news any more. Printed and not noted, as by a process that
    was killed between, they are shown once more; noted and not printed they would never be."""
    from cache.watches import note_shown
    from spar_tui.workspace import open_store

    with open_store(settings) as store:
        note_shown(store, name, papers)


def _list(chosen: "list[Watch]", as_json: bool, lines: "LineTemplate | None", plain: bool) -> int:
    from spar_tui.phrases import papers_text
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import answer_style, say

    if as_json:
        say(dump({"watches": [{**_object(watch), "shown": watch.shown} for watch in chosen]}))
        return 0
    if lines:
        say(*(lines.line({**_object(watch), "watch": watch.name, "shown": watch.shown}) for watch in chosen))
        return 0
    style = answer_style(plain)
    for watch in chosen:
        asked = f"asked {watch.asked.astimezone():%Y-%m-%d %H:%M}" if watch.asked else "never asked"
        name = style.paint(watch.name, "cyan")
        say(f"{name}  {style.paint(watch.question, 'bold')}  {asked}, {papers_text(watch.shown)} shown")
    return 0


def _object(watch: "Watch") -> dict[str, Any]:
    from agents.lookup.following import kind_of

    return {
        "name": watch.name,
        "kind": kind_of(watch.parameters),
        "question": watch.question,
        "asked": watch.asked and watch.asked.isoformat(),
    }


def _ask(
    settings: "Settings",
    chosen: "list[Watch]",
    offline: bool,
    model: bool,
    by: Order | None,
    as_json: bool,
    lines: "LineTemplate | None",
    plain: bool,
) -> int:
    from agents.lookup.following import subject_of
    from cache.timestamps import utc_now
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import say

    answered = []
    new: dict[str, Sequence[Paper]] = {}
    begun = utc_now()
    for watch in chosen:
        if subject := subject_of(watch.parameters):
            new[watch.name], told = _follow(settings, watch, subject, offline, begun, as_json, lines, plain)
            answered.append(told)
            continue
        found = _new_in(settings, watch, offline, model, begun, by, plain)
        assert found.search is not None
        search = found.search
        state, fresh = search.state, search.ranked
        new[watch.name] = found.papers
        if as_json:
            told = {"by": search.by, "papers": _objects(state, fresh), "failed": found.failed}
            answered.append({**_object(watch), "run": search.run, **told})
            continue
        if lines:
            _say_lines(settings, watch, lines, new[watch.name], _objects(state, fresh))
        else:
            _show(found, search, plain)
        printed(settings, watch.name, new[watch.name])
    if as_json:
        say(dump({"watches": answered}))
        for name, papers in new.items():
            printed(settings, name, papers)
    return 0 if any(new.values()) else 3


def _objects(state: "SearchState", fresh: "Sequence[Ranked]") -> list[dict[str, Any]]:
    from spar_tui.reports.json_objects import paper_object

    return [
        paper_object(
            state.found[each.work].paper,
            number,
            each,
            state.judgement(each.work),
            personal=state.personal_place(each.work),
        )
        for number, each in enumerate(fresh, start=1)
    ]


def _say_lines(
    settings: "Settings",
    watch: "Watch",
    lines: "LineTemplate",
    papers: "Sequence[Paper]",
    objects: list[dict[str, Any]],
) -> None:
    from spar_tui.bibliography.keys import known_keys
    from spar_tui.cli.lists.line_template import paper_lines
    from spar_tui.terminal import say
    from spar_tui.workspace import open_store

    told = [{**one, "watch": watch.name} for one in objects]
    with open_store(settings) as store:
        say(*paper_lines(lines, told, lambda: known_keys(store, papers)))


def _new_in(
    settings: "Settings", watch: "Watch", offline: bool, model: bool, since: "datetime", by: Order | None, plain: bool
) -> "News":
    """What is new in a stored search. No list that a source told before `since` is used: it could hold nothing new."""
    from agents.search.kind import SEARCH
    from cache.errors import CacheError
    from spar_tui.cli.running import Output, ended, new_run
    from spar_tui.cli.search_progress import SearchProgress
    from spar_tui.terminal import note_failures, progress_style
    from spar_tui.watching.asking import new_in_search, options_of, sources_of
    from spar_tui.workspace import open_store

    output = Output(SEARCH, SearchProgress(progress_style(plain)))
    options, sources = options_of(watch), sources_of(watch, settings)
    state = ended(output, new_run(settings, watch.question, options, sources, offline, model, output, since))
    note_failures(state.failed_sources)
    try:
        with open_store(settings) as store:
            return new_in_search(store, watch, output.run, state, _say, by)
    except CacheError as error:
        raise Failure(str(error)) from None


async def _new_of(settings: "Settings", watch: "Watch", subject: "Subject", since: "datetime") -> "News":
    """What is new of whom or what a watch follows, as `_new_in`."""
    from agents.lookup.following import followed
    from spar_tui.watching.asking import new_of_subject, sources_of
    from spar_tui.workspace import open_workspace

    async with open_workspace(settings, sources_of(watch, settings), offline=False, since=since) as workspace:
        told = await followed(subject, workspace.resources.live)
        return new_of_subject(workspace.store, watch, subject, told, _say)


def _say(sentence: str) -> None:
    from spar_tui.terminal import note

    note(f"spar: {sentence}")


def _follow(
    settings: "Settings",
    watch: "Watch",
    subject: "Subject",
    offline: bool,
    since: "datetime",
    as_json: bool,
    lines: "LineTemplate | None",
    plain: bool,
) -> "tuple[Sequence[Paper], dict[str, Any]]":
    """What is new of whom or what a watch follows, shown unless it is to be told as an object; and that object."""
    import asyncio

    from cache.errors import CacheError
    from spar_tui.cli.listing import paper_entry
    from spar_tui.phrases import papers_text
    from spar_tui.reports.json_objects import paper_object
    from spar_tui.terminal import answer_style, note_failures, say
    from spar_tui.watching.news import NOT_OFFLINE, nothing_text

    style = answer_style(plain)
    told = {**_object(watch), "run": None, "by": "date"}
    if offline:
        _say(f"{watch.name} was not asked: {NOT_OFFLINE}")
        return [], {**told, "papers": [], "answered": False, "failed": {}}
    try:
        found = asyncio.run(_new_of(settings, watch, subject, since))
    except CacheError as error:
        raise Failure(str(error)) from None
    note_failures(found.failed)
    papers = [paper_object(paper, place) for place, paper in enumerate(found.papers, start=1)]
    if lines:
        _say_lines(settings, watch, lines, found.papers, papers)
    elif not as_json:
        many = len(found.papers)
        came_to = (
            papers_text(many) + " new" + (", the newest first" if many > 1 else "") if many else nothing_text(found)
        )
        say(f"{style.paint(watch.name, 'cyan')}: {came_to}  {style.paint(watch.question, 'bold')}")
        for place, paper in enumerate(found.papers, start=1):
            say(*paper_entry(place, paper, style))
    if not as_json:
        printed(settings, watch.name, found.papers)
    return found.papers, {**told, "papers": papers, "answered": found.answered, "failed": found.failed}


def _show(found: "News", search: "Searched", plain: bool) -> None:
    from spar_tui.cli.listing import entries
    from spar_tui.phrases import papers_text
    from spar_tui.terminal import answer_style, say
    from spar_tui.watching.news import nothing_text, whence_text

    style = answer_style(plain)
    many = len(found.papers)
    came_to = f"{papers_text(many)} new{whence_text(found)}" if many else nothing_text(found)
    if many > 1:
        other = " (--by relevance: by relevance)" if search.by == "taste" else ""
        came_to += f", ordered by {ORDER_TITLES[search.by]}{other}"
    say(f"{style.paint(found.watch.name, 'cyan')}: {came_to}  {style.paint(found.watch.question, 'bold')}")
    say(*entries(search.state, search.ranked, style))
