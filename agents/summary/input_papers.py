"""The papers of an earlier run, a tag or the shelf as the source of a summary."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.run.errors import NothingToBeginWith
from agents.run.kinds import kind_named
from agents.run.resources import Resources
from agents.run.retrieval.queries import within
from agents.summary.options import SummaryOptions
from cache import runs
from cache.papers import by_ids
from cache.shelf import shelf
from cache.store import Store
from connectors.capability import Capability
from connectors.identifiers import Scheme
from connectors.paper import Paper
from connectors.source import Answer, Query, Source


def settled(store: Store, options: SummaryOptions) -> SummaryOptions:
    """Return `options` with the run's id in place of a name such as `last`, and with the meaning of the run's question.
    Raises `RunError`, `CacheError`."""
    if options.corpus != "run":
        return options
    run = runs.get(store, runs.resolve(store, options.corpus_name))
    kind = kind_named(run.kind)
    meaning = kind.meaning(kind.replayed(runs.events(store, run.id)))
    return replace(options, corpus_name=run.id, asked=run.question, meaning=meaning)


def with_input_papers(resources: Resources, store: Store, options: SummaryOptions, every: bool = False) -> Resources:
    """Return `resources` limited to the library or the papers that `options` name, if any; `every` finds also papers
    without a word of the query. Raises `RunError`, `CacheError`."""
    if options.corpus == "sources":
        return resources
    if options.corpus == "library":
        return replace(resources, live={}, fallback={}, pdf=None)
    corpus = FixedPapers(options.corpus, input_papers(store, options), every)
    return replace(resources, live={}, local={corpus.name: corpus}, fallback={}, pdf=None)


def input_papers(store: Store, options: SummaryOptions) -> list[Paper]:
    """Return the papers of the run, tag, shelf or choice in `options`. Raises `NothingToBeginWith` if there are none,
    `CacheError`."""
    if options.corpus == "run":
        papers, origin = _papers_of_run(store, options.corpus_name), f"the run {options.corpus_name}"
    elif options.corpus == "tag":
        papers = [entry.paper for entry in shelf(store, tag=options.corpus_name)]
        origin = f"the tag {options.corpus_name!r}"
    elif options.corpus == "papers":
        papers = by_ids(store, [int(number) for number in options.corpus_name.split(",") if number.isdecimal()])
        origin = "the choice"
    else:
        papers, origin = [entry.paper for entry in shelf(store)], "the shelf"
    if not papers:
        raise NothingToBeginWith(f"{origin} has no papers to read.")
    return papers


def _papers_of_run(store: Store, name: str) -> list[Paper]:
    run = runs.get(store, runs.resolve(store, name))
    kind = kind_named(run.kind)
    state = kind.replayed(runs.events(store, run.id))
    return list(kind.passed_on(state))


class FixedPapers(Source):
    """A source of `papers` alone, called `name`; searches titles and abstracts (or notes) by BM25. With `every`, papers
    without a word of the query come last: their full texts may have some."""

    capabilities = frozenset({Capability.SEARCH})
    schemes: tuple[Scheme, ...] = ()

    def __init__(self, name: str, papers: Sequence[Paper], every: bool = False) -> None:
        self.name, self.papers, self._every = name, papers, every

    async def search(self, query: Query) -> Answer:
        scores = self._index.scores(query.text)
        numbers = best(scores, len(scores))
        if self._every:
            numbers = list(dict.fromkeys((*numbers, *range(len(scores)))))
        papers = [self.papers[number] for number in numbers if within(self.papers[number], query.since, query.until)]
        return Answer(tuple(papers[: query.limit]), total=len(papers), sent=(query.text,))

    @cached_property
    def _index(self) -> Bm25Index:
        # Titles count twice: many papers have no abstract, and a title has the most telling words.
        return Bm25Index(f"{paper.title} {paper.title} {paper.about}" for paper in self.papers)
