"""People's libraries with what was held out of them: `users.jsonl` in a collection's folder."""

from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from agents.bench.collections import Document, read_documents
from agents.bench.jsonl import CollectionError, lines, records
from agents.bench.judges import chance


@dataclass(frozen=True, slots=True)
class User:
    """A person's library by ids of documents: `items` are known, `held_out` are to be found, also among `negatives`."""

    user: str
    items: tuple[str, ...]
    held_out: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """What decides which half it is in."""
        return self.user

    def history(self, most: int | None, seed: int) -> tuple[str, ...]:
        """At most so many of the items, drawn by the seed, in the order of the library; None for all."""
        if most is None or most >= len(self.items):
            return self.items
        drawn = set(sorted(self.items, key=lambda item: chance(seed, "history", self.user, item))[:most])
        return tuple(item for item in self.items if item in drawn)


@dataclass(frozen=True, slots=True)
class Libraries:
    """Documents, and people's libraries of them."""

    name: str
    documents: tuple[Document, ...]
    users: tuple[User, ...]


def has_users(folder: Path) -> bool:
    """Whether `folder` holds people's libraries."""
    return any((folder / name).is_file() for name in ("users.jsonl", "users.jsonl.gz"))


def read_libraries(folder: Path) -> Libraries:
    """The documents and the libraries in `folder`; only people with something held out. Raises `CollectionError`."""
    documents = read_documents(folder)
    users: dict[str, User] = {}
    for location, user in records(lines(folder, "users.jsonl"), User):
        if user.user in users:
            raise CollectionError(location, f"the user {user.user!r} stands in an earlier line as well.")
        if unknown := _unknown(user, documents):
            raise CollectionError(location, f"there is no document {unknown!r} in the collection.")
        users[user.user] = user
    return Libraries(
        folder.resolve().name,
        tuple(documents.values()),
        tuple(user for user in users.values() if user.items and user.held_out),
    )


def _unknown(user: User, documents: Container[str]) -> str | None:
    return next((name for name in (*user.items, *user.held_out, *user.negatives) if name not in documents), None)
