"""The papers of an earlier run, a tag or the shelf, as what a summary is made from."""

from dataclasses import replace

from agents.run.codec import from_row, from_summary_row
from agents.run.resources import Desk
from agents.search.state import SearchState, fold
from agents.summary.events import ROOT
from agents.summary.fixed_papers import Corpus
from agents.summary.options import SummaryWishes
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


def settled(store: Store, wishes: SummaryWishes) -> SummaryWishes:
    """`wishes` with the run by its id: `last` is another run once this one has begun. Raises `Failure`."""
    if wishes.corpus != "run":
        return wishes
    try:
        return replace(wishes, corpus_name=runs.resolve(store, wishes.corpus_name))
    except CacheError as error:
        raise Failure(str(error)) from None


def with_papers_at_hand(desk: Desk, store: Store, wishes: SummaryWishes) -> Desk:
    """`desk` with the papers at hand in place of all sources, if `wishes` name some. Raises `Failure`, `CacheError`."""
    if wishes.corpus == "sources":
        return desk
    corpus = Corpus(wishes.corpus, papers_at_hand(store, wishes))
    return replace(desk, live={}, local={corpus.name: corpus}, fallback={}, pdf=None)


def papers_at_hand(store: Store, wishes: SummaryWishes) -> list[Paper]:
    """The papers of the run, the tag or the shelf that `wishes` name. Raises `Failure` if there are none."""
    if wishes.corpus == "run":
        papers, told = _papers_of_run(store, wishes.corpus_name), f"the run {wishes.corpus_name}"
    elif wishes.corpus == "tag":
        papers, told = [one.paper for one in shelf(store, tag=wishes.corpus_name)], f"the tag {wishes.corpus_name!r}"
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
