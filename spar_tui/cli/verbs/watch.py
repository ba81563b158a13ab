"""`spar watch`: repeat stored searches and show new papers."""

import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from agents.run.errors import RunError
from agents.run.findings import any_answered, services_of
from agents.search.state import SearchState
from cache.paths import expanded
from cache.timestamps import utc_now
from cache.watches import Watch, drop_watch, note_shown, shown_last
from cache.watches import watch as find
from cache.watches import watches as all_of
from connectors.paper import Paper
from spar_tui.cli.arguments import JsonFlag, NoModelFlag, OfflineFlag, PlainFlag, RunFlags, only_one
from spar_tui.cli.lists.filter_words import ListFlags, in_order
from spar_tui.cli.lists.line_template import WATCH_FIELDS, WATCHED_FIELDS, LineTemplate
from spar_tui.errors import Failure, UsageError
from spar_tui.phrases import papers_text
from spar_tui.settings import Settings
from spar_tui.shown_list import note_list
from spar_tui.terminal import DASH, TELLING, answer_style, note, note_failures, remark, say, say_bytes, say_json
from spar_tui.watching.news import NOT_OFFLINE, ORDER_TITLES, News, Order, exit_code, shown_text
from spar_tui.workspace import open_store, open_workspace, read_settings

if TYPE_CHECKING:
    from agents.lookup.following import WatchSubject
    from agents.search.options import SearchOptions
    from cache.conditions.orders import NamedOrder


def watch(
    names: Annotated[list[str] | None, "<NAME…>", "Names of watches; default: all."] = None,
    listed: Annotated[bool, "--list", "List the stored searches without running them."] = False,
    drop: Annotated[bool, "Forget the stored searches named."] = False,
    author: Annotated[
        list[str] | None,
        "ID|NAME",
        "Follow a person: an author id of OpenAlex or Semantic Scholar, or a name; repeat for more ids.",
    ] = None,
    cites: Annotated[str, "PAPER", "Follow the papers that cite this one."] = "",
    by: Annotated[Order | None, "Order new papers by your taste (default if spar knows it) or by relevance."] = None,
    rss: Annotated[
        str,
        "FILE",
        (
            "Write the papers shown so far to FILE as an RSS feed, newest first; - writes to "
            "standard output, and the list to standard error."
        ),
    ] = "",
    no_model: NoModelFlag = False,
    offline: OfflineFlag = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
    *,
    order_flags: ListFlags,
) -> int:
    """Run stored searches again and show new papers.

    A new paper is a relevant one that appeared since a source last answered. Store a search with: spar search "your
    question" --watch NAME. --author or --cites follows a person or a paper as [NAME] and shows only papers that come
    later. Exits with 0 for new papers, 3 if nothing is new and all sources answered, 4 if some sources failed, 1 if all
    failed. With --quiet, writes nothing if nothing is new."""
    if author or cites:
        only_one({"--author": author, "--cites": cites})
        if names and len(names) > 1:
            raise UsageError("--author and --cites start one watch with one name.")
        if listed or drop or rss or by or order_flags.sort or offline:
            raise UsageError(
                "--author and --cites only begin a watch: leave --list, --drop, --rss, --by, --sort and --offline out."
            )
        return _begin(author or [], cites, names[0] if names else "", as_json)
    if drop and not names:
        raise UsageError("--drop needs the names of the stored searches to forget.")
    if rss and (drop or listed):
        raise UsageError("--rss writes what is found; leave --drop and --list out.")
    if rss == DASH and (as_json or order_flags.template is not None):
        raise UsageError("--rss - writes to standard output; omit --json and --format.")
    only_one({"--drop": drop, "--list": listed})
    only_one({"--format": order_flags.template is not None, "--drop": drop})
    if order_flags.sort and (by or drop or listed):
        raise UsageError("--sort orders new papers; leave --by, --drop and --list out.")

    lines = order_flags.lines(WATCH_FIELDS if listed else WATCHED_FIELDS, as_json)
    settings, order = read_settings(background=True), order_flags.order
    with open_store(settings) as store:
        selection = [find(store, name) for name in names] if names else all_of(store)
        for watch in selection if drop else ():
            drop_watch(store, watch.name)
    if not selection:
        remark(
            'no search is stored yet; store one with: spar search "your question" --watch NAME, or follow a '
            "person or a paper: spar watch --author ID, spar watch --cites PAPER."
        )
        if as_json:
            say_json({"watches": []})
        return 3
    if drop:
        remark(f"forgot {', '.join(watch.name for watch in selection)}; the papers stay in the library.")
        return 0
    if listed:
        return _list(selection, as_json, lines, plain)
    flags = RunFlags(no_model=no_model, offline=offline or settings.preferences.offline, as_json=as_json, plain=plain)
    with redirect_stdout(sys.stderr) if rss == DASH else nullcontext():
        code = _ask(settings, selection, flags, by, order, lines)
    if rss:
        _write_feed(settings, rss, [watch.name for watch in selection])
    return code


def _begin(author: list[str], cites: str, name: str, as_json: bool) -> int:
    import asyncio

    from spar_tui.cli.following import begin_author, begin_cites, begun_object, tell_begun

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("people and papers cannot be followed offline; `spar config set offline no` turns that off.")
    beginning = begin_author(settings, author, name, as_json) if author else begin_cites(settings, cites, name)
    watched = asyncio.run(beginning)
    tell_begun(watched)
    if as_json:
        say_json({"watched": begun_object(watched)})
    return 0


def _write_feed(settings: Settings, name: str, watches: list[str]) -> None:
    """Write the feed of the papers that the stored searches have shown to a file, or for `-` to standard output. It
    comes from stored data, so it includes what an earlier call could not write."""

    from spar_tui.cli.lists.feed import MOST_ITEMS, rss
    from spar_tui.files import read_old, replace_old

    file = expanded(name)
    with open_store(settings) as store:
        papers = shown_last(store, watches, MOST_ITEMS)
    feed = rss(papers, watches)
    if name == DASH:
        say_bytes(feed)
        return
    old = read_old(file)
    if old is not None and b"<rss" not in old[:500]:
        raise Failure(f"{file} is not a feed; it was not changed.")
    if old != feed:
        replace_old(file, feed, old, settings.places.locks)
    note(f"{file}: {papers_text(len(papers))} in the feed.")


def begin_watch(
    settings: Settings, name: str, question: str, options: "SearchOptions", state: "SearchState", start: datetime
) -> str:
    """Store a search that has just finished; return the name under which it is stored."""
    from pydantic import TypeAdapter

    from agents.search.options import SearchOptions
    from agents.tools.watching import store_watch

    parameters = TypeAdapter(SearchOptions).dump_python(options, mode="json")
    with open_store(settings) as store:
        label = store_watch(store, name, question, parameters, state, [ranked.work for ranked in state.shown], start)
    then = "what is new in it" if any_answered(services_of(state.sources)) else "the first answer, then new papers"
    remark(f"watched as {label}; `spar watch` shows {then}.")
    return label


def printed(settings: Settings, name: str, papers: Sequence[Paper]) -> None:
    """Store that the papers of a watch were printed, so that they are not new any more."""

    with open_store(settings) as store:
        note_shown(store, name, papers)


def _list(stored_watches: "list[Watch]", as_json: bool, lines: LineTemplate | None, plain: bool) -> int:
    if as_json:
        say_json({"watches": [{**_object(watch), "shown": watch.shown} for watch in stored_watches]})
        return 0
    if lines:
        say(*(lines.line({**_object(watch), "watch": watch.name, "shown": watch.shown}) for watch in stored_watches))
        return 0
    style = answer_style(plain)
    for watch in stored_watches:
        last_time = f"asked {watch.last_asked.astimezone():%Y-%m-%d %H:%M}" if watch.last_asked else "never asked"
        name = style.paint(watch.name, "cyan")
        say(f"{name}  {style.paint(watch.question, 'bold')}  {last_time}, {papers_text(watch.shown)} shown")
    return 0


def _object(watch: "Watch") -> dict[str, Any]:
    from agents.lookup.following import kind_of

    return {
        "name": watch.name,
        "kind": kind_of(watch.parameters),
        "question": watch.question,
        "asked": watch.last_asked and watch.last_asked.isoformat(),
    }


def _ask(
    settings: Settings,
    selection: "list[Watch]",
    flags: RunFlags,
    by: Order | None,
    order: "NamedOrder | None",
    lines: LineTemplate | None,
) -> int:
    from spar_tui.cli.listing import say_by_template

    objects = []
    outcomes: list[News | None] = []
    start = utc_now()
    for watch in selection:
        news = _sorted(_ask_watch(settings, watch, flags, start, by), order)
        outcomes.append(news)
        if flags.as_json:
            objects.append(_told_object(watch, news, order))
        elif news and lines:
            records = [{**record, "watch": news.watch.name} for record in _objects(news)]
            say_by_template(settings, lines, records, news.papers)
        elif news and (news.papers or not TELLING.quiet):
            _show(news, order, flags.plain)
        if not flags.as_json:
            _printed(settings, [news])
    if flags.as_json:
        say_json({"watches": objects})
        _printed(settings, outcomes)
    return exit_code(outcomes)


def _printed(settings: Settings, outcomes: "Sequence[News | None]") -> None:
    """Store that the new papers were printed. This comes after printing: if the process is killed between, papers
    are shown twice, otherwise they would never be shown."""
    from spar_tui.watching.asking import note_told

    with open_store(settings) as store:
        for news in outcomes:
            if news:
                note_told(store, news, news.papers)
                ranked = news.search and [news.search.state.found[each.work].paper for each in news.search.ranked]
                note_list(store, listed=ranked or news.papers)


def _sorted(news: "News | None", order: "NamedOrder | None") -> "News | None":
    if news is None or order is None:
        return news
    search = news.search
    if search:
        candidates = search.state.found
        search = replace(search, ranked=in_order(search.ranked, order, lambda entry: candidates[entry.work].paper))
    return replace(news, papers=in_order(news.papers, order, lambda paper: paper), search=search)


def _told_object(watch: "Watch", news: "News | None", order: "NamedOrder | None") -> dict[str, Any]:
    search = news.search if news else None
    return {
        **_object(watch),
        "run": search and search.run,
        "by": order.order.name if order else search.by if search else "date",
        "papers": _objects(news) if news else [],
        "first": bool(news and news.first),
        "answered": bool(news and news.answered),
        "failed": news.failed if news else {},
    }


def _objects(news: "News") -> list[dict[str, Any]]:
    from spar_tui.reports.json_objects import judged_object, paper_objects

    if news.search is None:
        return paper_objects(news.papers)
    return [judged_object(news.search.state, ranked, rank) for rank, ranked in enumerate(news.search.ranked, start=1)]


def _ask_watch(settings: Settings, watch: "Watch", flags: RunFlags, start: datetime, by: Order | None) -> "News | None":
    """Ask a watch and report failures under its name; return None if it cannot be asked."""
    import asyncio

    from agents.lookup.following import subject_of

    TELLING.about = watch.name
    try:
        subject = subject_of(watch.parameters)
        if subject and flags.offline:
            remark(f"not asked: {NOT_OFFLINE}")
            return None
        news = (
            asyncio.run(_new_of(settings, watch, subject, start))
            if subject
            else _new_in(settings, watch, flags, start, by)
        )
        note_failures(news.failed)
        return news
    except RunError as error:
        remark(str(error))
        return None
    finally:
        TELLING.about = ""


def _new_in(settings: Settings, watch: "Watch", flags: RunFlags, start: datetime, by: Order | None) -> "News":
    """Return what is new in a stored search. Lists stored before `start` are not used, because they could have
    nothing new."""
    from agents.search.kind import SEARCH
    from spar_tui.cli.running import VerbRun
    from spar_tui.cli.search_progress import SearchProgress
    from spar_tui.watching.asking import new_in_search, options_of, sources_of

    run, sources = VerbRun(SEARCH, SearchProgress, settings, flags), sources_of(watch, settings)
    state = run.carry_out(watch.question, options_of(watch, sources), sources, since=start)
    with open_store(settings) as store:
        return new_in_search(store, watch, run.id, state, start, remark, by)


async def _new_of(settings: Settings, watch: "Watch", subject: "WatchSubject", start: datetime) -> "News":
    """Return what is new about the subject of a watch, as `_new_in`."""
    from agents.lookup.following import followed
    from spar_tui.watching.asking import new_of_subject, sources_of

    async with open_workspace(settings, sources_of(watch, settings), offline=False, since=start) as workspace:
        answer = await followed(subject, workspace.resources.live)
        return new_of_subject(workspace.store, watch, subject, answer, start)


def _show(news: "News", order: "NamedOrder | None", plain: bool) -> None:
    from spar_tui.cli.listing import entries, papers_listing

    style, search = answer_style(plain), news.search
    many = len(news.papers)
    came_to = shown_text(news)
    if many > 1 and order:
        came_to += f", {order.words}"
    elif many > 1 and search:
        other = " (--by relevance: by relevance)" if search.by == "taste" else ""
        came_to += f", ordered by {ORDER_TITLES[search.by]}{other}"
    elif many > 1:
        came_to += ", the newest first"
    say(f"{style.paint(news.watch.name, 'cyan')}: {came_to}  {style.paint(news.watch.question, 'bold')}")
    if search:
        say(*entries(search.state, search.ranked, style))
        return
    say(*papers_listing(news.papers, style))
