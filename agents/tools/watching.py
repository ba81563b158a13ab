"""Storing a finished search, to be asked again for what is new."""

from dataclasses import replace

from agents.run.codec import adapter
from agents.run.errors import RunError
from agents.run.kinds import kind_named
from agents.run.recorder import kept
from cache import watches
from cache.store import Store


def watch_run(store: Store, name: str, run: str) -> str:
    """Store the search `run` under `name`, which is returned cleaned; what the search has shown is no news any more.

    A search whose sources the person did not name is asked of those that are set then. Raises `RunError` for a run that
    is no search or has not ended, and `CacheError`.
    """
    kind = kind_named("search")
    found, options, events = kept(kind, store, run)
    state = kind.folded(events)
    if state.finished is None:
        raise RunError("This search is not finished; once it is, it can be watched.")
    if options.choose_sources:
        options = replace(options, sources=None)
    form: type = kind.options
    with store.writing():
        stored = watches.set_watch(store, name, found.question, adapter(form).dump_python(options, mode="json"))
        watches.note_asked(store, stored, found.finished or found.started)
        watches.note_shown(store, stored, [state.found[one.work].paper for one in state.shown])
    return stored
