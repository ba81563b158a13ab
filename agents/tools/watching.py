"""Store a finished search, to ask it again later for new papers."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from agents.lookup.newness import answered_wholly, appeared_in, found_in
from agents.run.errors import RunError
from agents.run.events import adapter
from agents.run.findings import Findings, any_answered, services_of
from agents.run.kinds import kind_named
from agents.run.recorder import kept
from cache import watches
from cache.store import Store
from connectors.paper import WorkId


def watch_run(store: Store, name: str, run: str) -> str:
    """Store the search `run` under `name` and return the cleaned name; papers that the search has shown are not new.

    A search without sources chosen by the person asks the sources set at that time. Raises `RunError` if the run is not
    a search or has not ended, and `CacheError`.
    """
    kind = kind_named("search")
    run_state, options, events = kept(kind, store, run)
    state = kind.folded(events)
    if state.finished is None:
        raise RunError("This search is not finished; once it is, it can be watched.")
    if options.choose_sources:
        options = replace(options, sources=None)
    form: type = kind.options
    with store.writing():
        parameters = adapter(form).dump_python(options, mode="json")
        works = [entry.work for entry in state.shown]
        stored = store_watch(store, name, run_state.question, parameters, state, works, run_state.started)
        watches.note_shown(store, stored, [state.found[work].paper for work in works])
    return stored


def watch_question(store: Store, question: str, now: datetime) -> str:
    """Store a question as a watch of the sources set at that time, and return its name; papers that appear from `now`
    on are new. Raises `CacheError`."""
    form: type = kind_named("search").options
    return watches.set_watch(store, question, question, adapter(form).dump_python(form(), mode="json"), now)


def store_watch(
    store: Store,
    name: str,
    question: str,
    parameters: Mapping[str, Any],
    findings: Findings,
    works_shown: Collection[WorkId],
    start: datetime,
) -> str:
    """Store a search as a watch and return its name; papers that its sources list now are not new. The caller notes
    the works in `works_shown` once they have been shown."""
    services = services_of(findings.sources)
    since = dict.fromkeys(services, start)
    older_works = [
        work for work in findings.works if work not in works_shown and appeared_in(*found_in(findings, work), since)
    ]
    with store.writing():
        stored = watches.set_watch(store, name, question, parameters, start)
        watches.note_there(store, stored, [findings.found[work].paper for work in older_works])
        watches.note_looked(store, stored, answered_wholly(services), start)
        if any_answered(services):
            watches.note_asked(store, stored, start)
    return stored
