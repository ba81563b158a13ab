"""Check a stored watch: choose its sources and options, and find what is new in the answers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from agents.lookup.following import Followed, WatchSubject, subject_of
from agents.lookup.newness import answered_wholly, appeared_in, first_day, found_in
from agents.run.findings import any_answered, services_of
from agents.search.options import SearchOptions
from agents.search.state import SearchState
from agents.taste.context import ReaderContext, read_context
from cache.errors import CacheError
from cache.store import Store
from cache.timestamps import utc_now
from cache.watches import Watch, note_asked, note_looked, note_shown, note_there, unseen
from connectors.paper import Paper
from connectors.person import parse_person_id
from spar_tui.recommendation_phrases import NOTHING_KNOWN
from spar_tui.watching.news import News, Order, Searched, failed_to_tell, is_first

if TYPE_CHECKING:
    from spar_tui.settings import Settings

Say = Callable[[str], None]


def options_of(watch: Watch, sources: Sequence[str]) -> SearchOptions:
    """Return the options for running a stored search on `sources`.

    Only the queries of the question are sent, always the same ones: further queries and references depend on the papers
    that a search finds. Each query is sent again for recent papers only, because the best records may all be old. Taste
    sorts the new papers only, not the search.
    """
    appeared = tuple((name, first_day(watch.since(name))) for name in sources)
    return replace(
        _stored(watch), personal=False, evolution=False, refchain=False, again="", watch=watch.name, appeared=appeared
    )


def _stored(watch: Watch) -> SearchOptions:
    return TypeAdapter(SearchOptions).validate_python(dict(watch.parameters))


def sources_of(watch: Watch, settings: "Settings") -> Sequence[str]:
    """Return the sources of a watch: its own, or else those of the settings. Raises `RunError` for a watch of a later
    version."""
    subject = subject_of(watch.parameters)
    if subject is None:
        own: Sequence[str] | None = _stored(watch).sources
    else:  # the sources that issued a person's ids; any source may have a paper
        ids = map(parse_person_id, subject.names) if subject.kind == "author" else ()
        own = list(dict.fromkeys(id.source for id in ids if id)) or None
    return settings.preferences.sources if own is None else own


def new_in_search(
    store: "Store", watch: Watch, run: str, state: "SearchState", start: datetime, say: Say, by: Order | None = None
) -> News:
    """Return the new papers of the finished `run` of a stored search, started at `start`. The first answer has all
    relevant papers, up to the search's limit. Marks no paper as shown. Blocks; raises `CacheError`."""
    from agents.search.pool import judged_alone

    sources = services_of(state.sources)
    since = {name: watch.since(name) for name in sources}
    state = judged_alone(state)
    first = is_first(watch) and any_answered(sources)
    appeared = [entry for entry in state.included if first or appeared_in(*found_in(state, entry.work), since)]
    new = set(unseen(store, watch.name, [state.found[entry.work].paper for entry in appeared]))
    fresh = [entry for entry in appeared if state.found[entry.work].paper in new]
    room = _stored(watch).limit if first else len(fresh)
    result = _ordered(store, Searched(run, state, fresh[:room]), say, by)
    papers, there = ([state.found[entry.work].paper for entry in entries] for entries in (result.ranked, fresh[room:]))
    news = News(watch, papers, sources, state.failed_sources, start, result, there)
    _note_asked(store, news)
    return news


def new_of_subject(store: "Store", watch: Watch, subject: WatchSubject, followed: Followed, start: datetime) -> News:
    """Return the new papers of a watched person or paper, newest first, for a check started at `start`. Marks no paper
    as shown. Blocks; raises `CacheError`."""
    since = {name: watch.since(name) for name in followed.sources}
    appeared = [paper for paper, names in followed.listed if appeared_in(paper, names, since)]
    failures = failed_to_tell(followed.sources, subject.kind == "author")
    news = News(watch, unseen(store, watch.name, appeared), followed.sources, failures, start)
    _note_asked(store, news)
    return news


def note_told(store: "Store", news: News, papers: Sequence[Paper], hidden: int = 0) -> None:
    """Mark `papers` of the `news` as shown; `hidden` others were not. Blocks; raises `CacheError`.

    The next check starts where this one began, for each source that answered completely; but only after all news were
    shown, so that none is lost.
    """
    with store.writing():
        note_shown(store, news.watch.name, papers)
        if not hidden:
            if news.first and news.answered:
                note_there(store, news.watch.name, news.there)
                note_asked(store, news.watch.name, news.begun)
            note_looked(store, news.watch.name, answered_wholly(news.sources), news.begun)


def _note_asked(store: "Store", news: News) -> None:
    if news.answered and not news.first:
        note_asked(store, news.watch.name)
    if not news.papers:
        note_told(store, news, ())


def _ordered(store: "Store", result: Searched, say: Say, by: Order | None) -> Searched:
    """Return the search with its new papers sorted by the person's taste, and the state with the taste ranking;
    unchanged if sorted by relevance or if the taste is unknown."""
    from agents.search.ranking.personal import ALONE, personally_ranked

    if by == "relevance" or not result.ranked:
        return result
    try:
        now = utc_now()
        reader = ReaderContext(store, read_context(store, now), now)
        papers = [candidate.paper for candidate in result.state.found.values()]
        personal = personally_ranked(reader, result.ranked, result.state.papers, papers, ALONE)
    except CacheError as error:
        say(f"your taste could not be read, so the order is by relevance: {error}")
        return result
    if not any(rank.taste for rank in personal.places):
        if by == "taste" and not personal.known:
            say(NOTHING_KNOWN)
        return result
    own = {ranked.work: ranked for ranked in result.ranked}
    state = replace(result.state, personal=personal)
    return Searched(result.run, state, [own[ranked.work] for ranked in personal.ranking])
