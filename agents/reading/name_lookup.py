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

    def _nothing_at(self, tokens: Sequence[Token], start: int) -> Match:
        return None

    tag_at = person_at = venue_at = _nothing_at

    def _is_known(self, name: str) -> bool:
        return False

    is_author = is_key = is_subject = is_held = has_type = may_be_subject = _is_known
    is_exact_venue = has_papers_at = _is_known

    def _like(self, name: str) -> list[str]:
        return []

    called = near_author = near_venue = near_tag = near_word = _like

    def _papers_with(self, words: Sequence[str]) -> list[PaperId]:
        return []

    in_titles = noting = _papers_with

    def is_wider(self, given: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        return False

    def is_phrase(self, words: Sequence[str]) -> bool:
        return False

    def titles_in(self, tokens: Sequence[Token]) -> list[Title]:
        return []

    def matching_among(self, wanted: Any, among: Sequence[PaperId] | None) -> list[PaperId]:
        return []

    def read_between(self, since: str | None, until: str | None) -> list[PaperId]:
        return []

    def date_of(self, number: PaperId) -> str:
        return ""

    def authors_of(self, number: PaperId) -> list[str]:
        return []
