"""The papers of an earlier run, a tag or the shelf, as what a summary is made from."""

from dataclasses import replace

from agents.run.errors import RunError
from agents.run.kinds import kind_named
from agents.run.resources import Resources
from agents.summary.fixed_papers import FixedPapers
from agents.summary.options import SummaryOptions
from cache import runs
from cache.papers import by_ids
from cache.shelf import shelf
from cache.store import Store
from connectors.paper import Paper


def settled(store: Store, options: SummaryOptions) -> SummaryOptions:
    """`options` with the run by its id, for `last` is another run once this one has begun, and with what its question
    means. Raises `RunError`, `CacheError`."""
    if options.corpus != "run":
        return options
    run = runs.get(store, runs.resolve(store, options.corpus_name))
    kind = kind_named(run.kind)
    meaning = kind.meaning(kind.replayed(runs.events(store, run.id)))
    return replace(options, corpus_name=run.id, asked=run.question, meaning=meaning)


def with_input_papers(resources: Resources, store: Store, options: SummaryOptions, every: bool = False) -> Resources:
    """`resources` with the papers at hand in place of all sources, if `options` name some; `every` one of them may be
    found, whatever its abstract says. Raises `RunError`, `CacheError`."""
    if options.corpus == "sources":
        return resources
    if options.corpus == "library":
        return replace(resources, live={}, fallback={}, pdf=None)
    corpus = FixedPapers(options.corpus, input_papers(store, options), every)
    return replace(resources, live={}, local={corpus.name: corpus}, fallback={}, pdf=None)


def input_papers(store: Store, options: SummaryOptions) -> list[Paper]:
    """The papers of the run, the tag, the shelf or the choice that `options` name. Raises `RunError` if there are none,
    `CacheError`."""
    if options.corpus == "run":
        papers, named = _papers_of_run(store, options.corpus_name), f"the run {options.corpus_name}"
    elif options.corpus == "tag":
        papers = [entry.paper for entry in shelf(store, tag=options.corpus_name)]
        named = f"the tag {options.corpus_name!r}"
    elif options.corpus == "papers":
        papers = by_ids(store, [int(number) for number in options.corpus_name.split(",") if number.isdecimal()])
        named = "the choice"
    else:
        papers, named = [entry.paper for entry in shelf(store)], "the shelf"
    if not papers:
        raise RunError(f"{named} holds no papers to read.")
    return papers


def _papers_of_run(store: Store, name: str) -> list[Paper]:
    run = runs.get(store, runs.resolve(store, name))
    kind = kind_named(run.kind)
    state = kind.replayed(runs.events(store, run.id))
    return list(kind.passed_on(state))
