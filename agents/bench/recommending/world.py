"""The documents of a collection as the program and the plain systems compare them; made once for all people."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from pathlib import Path

from agents.bench.closed_world import ClosedWorld
from agents.bench.collections import Collection, CollectionError, Document, lines, read_documents, records
from agents.bench.judges import chance
from agents.builtin import lazy_numpy as np
from agents.builtin.taste.catalogue import Catalogue
from agents.builtin.taste.tokens import tokens_of
from agents.builtin.text.terms import terms
from connectors.paper import Paper


@dataclass(frozen=True, slots=True)
class User:
    """A person's library by document ids: `items` are known, `held_out` are to be found, also among `negatives`."""

    user: str
    items: tuple[str, ...]
    held_out: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id that decides the half."""
        return self.user

    def history(self, most: int | None, seed: int) -> tuple[str, ...]:
        """Return at most `most` items (None: all), drawn by `seed`, in library order."""
        if most is None or most >= len(self.items):
            return self.items
        sample = set(sorted(self.items, key=lambda item: chance(seed, "history", self.user, item))[:most])
        return tuple(item for item in self.items if item in sample)


@dataclass(frozen=True, slots=True)
class Libraries:
    """Documents, and people's libraries of them."""

    name: str
    documents: tuple[Document, ...]
    users: tuple[User, ...]


def has_users(folder: Path) -> bool:
    """Whether `folder` has people's libraries."""
    return any((folder / name).is_file() for name in ("users.jsonl", "users.jsonl.gz"))


def read_libraries(folder: Path) -> Libraries:
    """Read the documents and the libraries in `folder`, of people with held-out papers. Raises `CollectionError`."""
    documents = read_documents(folder)
    users: dict[str, User] = {}
    for location, user in records(lines(folder, "users.jsonl"), User):
        if user.user in users:
            raise CollectionError(location, f"the user {user.user!r} is already on an earlier line.")
        if unknown := [name for name in (*user.items, *user.held_out, *user.negatives) if name not in documents]:
            raise CollectionError(location, f"there is no document {unknown[0]!r} in the collection.")
        users[user.user] = user
    return Libraries(
        folder.resolve().name,
        tuple(documents.values()),
        tuple(user for user in users.values() if user.items and user.held_out),
    )


def papers_of(documents: Sequence[Document]) -> list[Paper]:
    """Return the documents as papers, in order."""
    closed_world = ClosedWorld(Collection("", tuple(documents), ()))
    return [paper for document in documents if (paper := closed_world.paper(document.id))]


class World:
    """Documents by index, with their vectors (`packed`) if those are to be compared. Without tags, a document has
    only its title, abstract and links."""

    def __init__(
        self, documents: Sequence[Document], tag_free: bool = False, vectors: Mapping[int, bytes] | None = None
    ) -> None:
        self.vectors = vectors or {}
        self.documents = [replace(document, keywords=()) for document in documents] if tag_free else list(documents)
        self.index_of = {document.id: index for index, document in enumerate(self.documents)}

    @cached_property
    def catalogue(self) -> Catalogue:
        """The documents in the form in which the program compares papers: words, keywords, and links as references."""
        return Catalogue([tokens_of(paper).packed() for paper in papers_of(self.documents)])

    @cached_property
    def popularity(self) -> "np.Floats":
        """The number of documents that link to each; a person's library has no data on other people's taste."""
        cited = Counter(name for document in self.documents for name in {*document.references} - {document.id})
        return np.array([float(cited[document.id]) for document in self.documents])

    def vanilla(self, history: Sequence[int]) -> "np.Floats":
        """Return the plain scores: the cosine of each document's TF-IDF with the mean of the history's."""
        documents, words, weights, starts = self._vectors
        mean = np.zeros(int(words.max(initial=0)) + 1)
        for index in history:
            row = slice(starts[index], starts[index + 1])
            mean[words[row]] += weights[row] / len(history)
        return np.bincount(documents, weights=weights * mean[words], minlength=len(self.documents)).astype(float)

    @cached_property
    def _vectors(self):  # type: ignore[no-untyped-def]  # columns: documents, words, weights; and where rows begin
        counts = [Counter(terms(document.text)) for document in self.documents]
        document_frequency = Counter(term for count in counts for term in count)
        number = {term: index for index, term in enumerate(document_frequency)}
        idf = {term: log(len(counts) / document_frequency[term]) + 1 for term in document_frequency}
        rows = [_unit({number[term]: times * idf[term] for term, times in count.items()}) for count in counts]
        starts = np.cumsum([0, *map(len, rows)])
        documents = np.repeat(np.arange(len(rows)), np.diff(starts))
        words = np.array([word for row in rows for word in row], dtype=np.int64)
        return documents, words, np.array([weight for row in rows for weight in row.values()]), starts


def _unit(row: Mapping[int, float]) -> dict[int, float]:
    length = sum(weight * weight for weight in row.values()) ** 0.5
    return {word: weight / length for word, weight in row.items()}
