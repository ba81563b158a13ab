"""The papers of the person's history by what reasons name them by."""

from collections.abc import Iterable, Mapping, Sequence

from agents.taste.records import HistoryPaper
from cache import citation_keys, papers
from cache.store import PaperId, Store


def history_papers(
    store: Store, numbers: Sequence[PaperId], weights: Mapping[PaperId, float], acts: Mapping[PaperId, tuple[str, ...]]
) -> Iterable[HistoryPaper]:
    """The papers of these numbers in the library as reasons name them, with what each weighs. Raises `CacheError`."""
    keys = citation_keys.keys_of(store, numbers) if numbers else {}
    for number in numbers:
        for paper in papers.by_ids(store, [number]):
            weight = round(min(weights[number], 1.0), 4)
            yield HistoryPaper(
                number, paper.id, paper.title, paper.year, weight, acts.get(number, ()), keys.get(number) or ""
            )
