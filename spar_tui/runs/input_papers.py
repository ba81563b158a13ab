"""The papers of an earlier run, a tag or the shelf, as what a summary is made from."""

from dataclasses import replace

from agents.run.codec import from_row, from_summary_row
from agents.run.resources import Resources
from agents.search.state import SearchState, fold
from agents.summary.events import ROOT
from agents.summary.fixed_papers import Corpus
from agents.summary.options import SummaryOptions
from agents.summary.state import summary_of
from cache import runs
from cache.errors import CacheError
from cache.shelf import shelf
from cache.store import Store
from connectors.paper import Paper
from spar_tui.errors import Failure

POSSIBLE = 0.25
"""A paper of an earlier search belongs to its corpus from this relevance on, if that leaves enough of them."""
_ENOUGH = 10


def settled(store: Store, options: SummaryOptions) -> SummaryOptions:
    """`options` with the run by its id: `last` is another run once this one has begun. Raises `Failure`."""
    if options.corpus != "run":
        return options
    try:
        return replace(options, corpus_name=runs.resolve(store, options.corpus_name))
    except CacheError as error:
        raise Failure(str(error)) from None


def with_input_papers(resources: Resources, store: Store, options: SummaryOptions) -> Resources:
    """`resources` with the papers at hand in place of all sources, if `options` name some. Raises `Failure`,
    `CacheError`."""
    if options.corpus == "sources":
        return resources
    corpus = Corpus(options.corpus, input_papers(store, options))
    return replace(resources, live={}, local={corpus.name: corpus}, fallback={}, pdf=None)


def input_papers(store: Store, options: SummaryOptions) -> list[Paper]:
    """The papers of the run, the tag or the shelf that `options` name. Raises `Failure` if there are none."""
    if options.corpus == "run":
        papers, told = _papers_of_run(store, options.corpus_name), f"the run {options.corpus_name}"
    elif options.corpus == "tag":
        papers, told = [one.paper for one in shelf(store, tag=options.corpus_name)], f"the tag {options.corpus_name!r}"
    else:
        papers, told = [one.paper for one in shelf(store)], "the shelf"
    if not papers:
        raise Failure(f"{told} holds no papers to summarize.")
    return papers


def _papers_of_run(store: Store, name: str) -> list[Paper]:
    """What an earlier search found relevant or possibly so, or what the nodes of an earlier summary were made from."""
    try:
        run = runs.get(store, runs.resolve(store, name))
        rows = runs.events(store, run.id)
    except CacheError as error:
        raise Failure(str(error)) from None
    if run.kind == "summary":
        summary = summary_of(one for row in rows if (one := from_summary_row(row.kind, row.content)))
        return [summary.findings.papers[work] for work in summary.works_below(ROOT)]
    if run.kind != "search":
        raise Failure(f"{run.id} is neither a search nor a summary; `spar history` lists the runs.")
    return _found(fold(event for row in rows if (event := from_row(row.kind, row.content))))


def _found(state: SearchState) -> list[Paper]:
    possible = [one.work for one in state.ranking if one.relevance >= POSSIBLE]
    works = possible if len(possible) >= _ENOUGH else [one.work for one in state.ranking]
    return [state.found[work].paper for work in works]
