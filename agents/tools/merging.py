"""Merge two papers that the person declares to be one, and report what could not be kept of both."""

from dataclasses import dataclass

from cache import citation_keys, merges, papers
from cache.journal import recorded
from cache.reading_history import last_said
from cache.store import PaperId, Store
from connectors.paper import Paper, short_authors

_OPINIONS = frozenset({"liked", "disliked", "dismissed"})


@dataclass(frozen=True, slots=True)
class MergeDifference:
    """A field in which two papers differ: the value kept, and the value dropped."""

    field: str
    kept: str
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MergedPapers:
    """The merged paper, its number, its own key ("" for none), and the differences between the two."""

    number: PaperId
    paper: Paper
    key: str
    differences: tuple[MergeDifference, ...]
    versions: bool
    """Whether one of the two is a preprint and the other is published."""


def merge_papers(store: Store, first: Paper, second: Paper) -> MergedPapers | None:
    """Merge `second` into `first`; return None if they are already one paper. Raises `CacheError`."""
    with recorded(store):
        survivor, duplicate = papers.remember(store, [first, second])
        if survivor == duplicate:
            return None
        before = papers.by_id(store, survivor), papers.by_id(store, duplicate)
        opinions = [_opinion(store, number) for number in (survivor, duplicate)]
        merged = merges.merge(store, survivor, duplicate)
        now = _opinion(store, survivor)
        key = citation_keys.keys_of(store, [survivor]).get(survivor, "")
    differences = [_difference(name, *values) for name, values in _values(merged, *before).items()]
    differences.append(_difference("opinion", now, *opinions))
    are_versions = set(map(_kind, before)) == {"preprint", "published"}
    return MergedPapers(survivor, merged, key, tuple(filter(None, differences)), are_versions)


def take_apart(store: Store, paper: Paper) -> tuple[Paper, Paper] | None:
    """Undo the last merge into `paper` and return both papers; None if there was no merge. Raises `CacheError`."""
    with recorded(store):
        number = papers.number_of(store, paper)
        restored = merges.take_apart(store, number) if number is not None else None
        if number is None or restored is None:
            return None
        return papers.by_id(store, number), papers.by_id(store, restored)


def _opinion(store: Store, number: PaperId) -> str:
    opinion = last_said(store, number) or ""
    return opinion if opinion in _OPINIONS else ""


def _values(*papers: Paper) -> dict[str, list[str]]:
    """Return the papers' values of each field in which papers can differ."""
    return {
        "title": [paper.title for paper in papers],
        "authors": [short_authors(paper) for paper in papers],
        "year": [str(paper.year or "") for paper in papers],
        "venue": [paper.venue for paper in papers],
        "doi": [paper.identifier("doi") or "" for paper in papers],
        "arxiv": [paper.identifier("arxiv") or "" for paper in papers],
        "pmid": [paper.identifier("pmid") or "" for paper in papers],
    }


def _difference(field: str, value_kept: str, *values: str) -> MergeDifference | None:
    """Return the difference if both have a value and the values differ."""
    if not all(values) or len({value.casefold() for value in values}) == 1:
        return None
    values_dropped = tuple(dict.fromkeys(value for value in values if value != value_kept))
    return MergeDifference(field, value_kept, values_dropped) if values_dropped else None


def _kind(paper: Paper) -> str:
    if paper.published:
        return "published"
    return "preprint" if paper.preprint else ""
