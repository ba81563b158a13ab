"""Asking a stored watch: whom, with what options, and what of the answer it has never shown."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from agents.lookup.following import Followed, Subject, subject_of
from agents.search.options import SearchOptions
from cache.corpus.place import CORPUS
from cache.errors import CacheError
from cache.timestamps import utc_now
from cache.watches import Watch, note_asked, note_there, set_watch, unseen
from connectors.person import parse_person_id
from connectors.registry import SOURCES
from spar_tui.personal_phrases import NOTHING_KNOWN
from spar_tui.watching.news import News, Searched, answered, failed_to_tell
from spar_tui.watching.order import Order

if TYPE_CHECKING:
    from agents.search.state import SearchState
    from cache.store import Store
    from spar_tui.settings import Settings

Say = Callable[[str], None]


def options_of(watch: Watch) -> SearchOptions:
    """The options with which a stored search is asked."""
    stored = TypeAdapter(SearchOptions).validate_python(dict(watch.parameters))
    return replace(stored, personal=False)  # taste orders what is new, which need not be what the search shows


def sources_of(watch: Watch, settings: "Settings") -> Sequence[str]:
    """The sources that a watch is asked of: its own if it has some, else those of the settings. Raises `RunError` for a
    watch that only a later version knows."""
    subject = subject_of(watch.parameters)
    own = options_of(watch).sources if subject is None else known_by(subject) or None
    return settings.preferences.sources if own is None else own


def known_by(subject: Subject) -> list[str]:
    """The sources that a person's ids are of; none for a paper, which every source in use may know."""
    ids = map(parse_person_id, subject.names) if subject.kind == "author" else ()
    return list(dict.fromkeys(id.source for id in ids if id))


def new_in_search(
    store: "Store", watch: Watch, run: str, state: "SearchState", say: Say, by: Order | None = None
) -> News:
    """What is relevant in the `run` of a stored search that has come to its end, and was never shown; none of it is
    noted as shown. Blocks; raises `CacheError`."""
    # Without what is here anyhow, which cannot tell what came.
    sources = {name: tally for name, tally in state.sources.items() if name in SOURCES or name == CORPUS}
    if answered(sources):
        note_asked(store, watch.name)
    new = set(unseen(store, watch.name, [state.found[one.work].paper for one in state.included]))
    fresh = [one for one in state.included if state.found[one.work].paper in new][: options_of(watch).limit]
    ordered = _ordered(store, Searched(run, state, fresh), say, by)
    papers = [state.found[one.work].paper for one in ordered.ranked]
    return News(watch, papers, sources, state.failed_sources, ordered)


def new_of_subject(store: "Store", watch: Watch, subject: Subject, told: Followed, say: Say) -> News:
    """What is new of the subject of a watch, the newest first, none of it noted as shown. What lists tell that were
    never seen before is no news, and is noted as there. Blocks; raises `CacheError`."""
    with store.writing():
        fresh = unseen(store, watch.name, told.papers)
        again = {paper.id for paper in fresh}
        note_there(store, watch.name, [paper for paper in told.first if paper.id not in again])
        if told.now_known:
            later = replace(subject, known=(*subject.known, *told.now_known))
            set_watch(store, watch.name, watch.question, later.parameters)
        if answered(told.sources):
            note_asked(store, watch.name)
    for name in told.now_known:
        say(f"{watch.name}: {name} told its list for the first time; what stands in it is no news.")
    return News(watch, fresh, told.sources, failed_to_tell(told.sources, subject.kind == "author"))


def _ordered(store: "Store", found: Searched, say: Say, by: Order | None) -> Searched:
    """The new papers of a search, all of them, those most to the person's taste first unless it is not asked for or
    nothing is known of it; and the search with what taste has done."""
    from agents.search.ranking.personal import ALONE, personally_ranked
    from agents.taste.context import read_context
    from agents.taste.reader import Reader

    if by == "relevance" or not found.ranked:
        return found
    try:
        now = utc_now()
        reader = Reader(store, read_context(store, now), now)
        papers = [one.paper for one in found.state.found.values()]
        personal = personally_ranked(reader, found.ranked, found.state.papers, papers, ALONE)
    except CacheError as error:
        say(f"your taste could not be read, so the order is that of relevance: {error}")
        return found
    if not any(place.taste for place in personal.places):
        if by == "taste" and not personal.known:
            say(NOTHING_KNOWN)
        return found
    own = {one.work: one for one in found.ranked}
    state = replace(found.state, personal=personal)
    return Searched(found.run, state, [own[one.work] for one in personal.ranking])
