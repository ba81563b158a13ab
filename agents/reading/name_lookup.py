"""The names that a message may contain, as its readers look them up."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agents.reading.tokens import Token
from cache.store import PaperId

Match = tuple[str, int] | None
"""A name and the index of the token after it; None if there is none."""


class Title(NamedTuple):
    """A paper whose title or short name occurs in a message, with its first token and the index after its last."""

    number: PaperId
    start: int
    end: int
    whole: bool


class NameLookup:
    """Names of which none is known; `effort` is the number of words read so far. `LibraryNames` knows a library's."""

    effort = 0

    @property
    def tags(self) -> Mapping[str, str]:
        return {}

    def tag_at(self, tokens: Sequence[Token], start: int) -> Match:
        return None

    def person_at(self, tokens: Sequence[Token], start: int) -> Match:
        return None

    def venue_at(self, tokens: Sequence[Token], start: int) -> Match:
        return None

    def is_author(self, name: str) -> bool:
        return False

    def is_key(self, name: str) -> bool:
        return False

    def is_subject(self, word: str) -> bool:
        return False

    def is_held(self, word: str) -> bool:
        return False

    def has_type(self, name: str) -> bool:
        return False

    def may_be_subject(self, name: str) -> bool:
        return False

    def is_exact_venue(self, name: str) -> bool:
        return False

    def has_papers_at(self, name: str) -> bool:
        return False

    def is_wider(self, given: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        return False

    def titles_in(self, tokens: Sequence[Token]) -> list[Title]:
        return []

    def in_titles(self, words: Sequence[str]) -> list[PaperId]:
        return []

    def matching_among(self, wanted: Any, among: Sequence[PaperId] | None) -> list[PaperId]:
        return []

    def noting(self, words: Sequence[str]) -> list[PaperId]:
        return []

    def read_between(self, since: str | None, until: str | None) -> list[PaperId]:
        return []

    def date_of(self, number: PaperId) -> str:
        return ""

    def authors_of(self, number: PaperId) -> list[str]:
        return []

    def called(self, given: str) -> list[str]:
        return []

    def near_author(self, name: str) -> list[str]:
        return []

    def near_venue(self, name: str) -> list[str]:
        return []

    def near_tag(self, tag: str) -> list[str]:
        return []

    def near_word(self, word: str) -> list[str]:
        return []
