"""Compare names, and match authors against the name that a filter asks for."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from connectors.records import letters

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")
"""Kana, Han and Hangul: names have the family name first and may have no space between it and the given name."""


_APOSTROPHE = re.compile("['’ʼ‘]")


def folded(text: str) -> str:
    """Normalize `text` for comparison, as `connectors.records.letters` does, and without apostrophes."""
    return _APOSTROPHE.sub("", letters.folded(text))


def words_of_name(text: str) -> list[str]:
    """Return the words of `text`, normalized by `folded`."""
    return _WORD.findall(folded(text))


class _PersonName(NamedTuple):
    """The words of a person's name. The last `ends` of them are parts of one hyphenated word, as in `Smith-Jones`."""

    words: Sequence[str]
    ends: int


@lru_cache(maxsize=100_000)  # the authors of one field write many papers
def _person(name: str) -> _PersonName:
    from connectors.records.build import is_generation

    parts = name.split()
    while len(parts) > 1 and is_generation(parts[-1]):
        parts.pop()
    words = [_composed(part) for part in parts]
    return _PersonName([word for part in words for word in part], max(1, len(words[-1]) if words else 1))


@lru_cache(maxsize=100_000)
def _spellings(name: str) -> Sequence[_PersonName]:
    """Return the name as spelled, and in Latin letters if it uses another alphabet: "ivanova" then matches Иванова."""
    spelling = _person(name)
    if "".join(spelling.words).isascii() or any(map(_UNSPACED.search, spelling.words)):
        return (spelling,)
    return spelling, _person(letters.to_ascii(name))


def _composed(text: str) -> list[str]:
    return _WORD.findall(text.lower() if text.isascii() and "'" not in text else _folded_whole(text))


def _folded_whole(text: str) -> str:
    """Normalize like `folded`, but keep the syllables of Hangul composed."""
    return letters.composed(folded(text))


class _NameQuery(NamedTuple):
    """A name that a filter asks for: `orders` has its words in each order that it can mean; `begins` says that the last
    word is only the beginning of one."""

    orders: Sequence[Sequence[str]]
    begins: bool


@lru_cache(maxsize=256)
def _name_query(text: str) -> _NameQuery:
    bare, begins = text.strip().rstrip("*"), text.strip().endswith("*")
    family, comma, given_name = bare.partition(",")
    if comma:
        return _NameQuery([[*_composed(given_name), *_composed(family)]], begins)
    *before, last = bare.split() or [""]
    words = _composed(bare)
    if before and not begins and last.isupper() and len(last) <= 3 and last.isalpha():
        return _NameQuery([words, [*last.casefold(), *_composed(" ".join(before))]], False)  # as in "Lee AK"
    return _NameQuery([words], begins)


def is_by(authors: Iterable[str], asked_name: str) -> bool:
    """Whether one of `authors` (names as displayed) matches `name`.

    `name` is a family name, with or without its particles. A given name or initials narrow it, before the family name
    or behind a comma. A `*` at the end makes it a prefix of a family name.
    """
    name = _name_query(asked_name)
    people = (person for author in authors for person in _spellings(author))
    return any(_is_called(person, words, name.begins) for person in people for words in name.orders)


@lru_cache(maxsize=256)
def parts_of_name(name: str) -> tuple[str, ...]:
    """Return strings for a cheap pre-check: the folded name of every match of `name` contains one of them, or letters
    that are not Latin. Empty if `name` allows no such check."""
    return tuple(words[-1] for words in _name_query(name).orders if words) if name.isascii() else ()


def _is_called(name: _PersonName, words_wanted: Sequence[str], begins: bool) -> bool:
    words = name.words
    if not words_wanted:
        return False
    for end in range(len(words) - name.ends + 1, len(words) + 1):
        for size in range(1, min(len(words_wanted), end) + 1):
            family, given_names = words[end - size : end], words[: end - size]
            if _is_family(family, words_wanted[-size:], begins) and _agree(words_wanted[:-size], given_names):
                return True
    return len(words_wanted) == 1 and not words_wanted[0].isascii() and _is_unspaced(words, words_wanted[0])


def _is_family(words: Sequence[str], words_wanted: Sequence[str], begins: bool) -> bool:
    if not begins:
        return words == words_wanted
    return words[:-1] == words_wanted[:-1] and words[-1].startswith(words_wanted[-1])


def _agree(words_wanted: Sequence[str], given_names: Sequence[str]) -> bool:
    """Whether given names can be the same, compared in full, shortened or as initials. A particle is not a given
    name."""
    if not words_wanted:
        return True
    if not given_names or _no_given_names().intersection(words_wanted):
        return False
    return all(
        part.startswith(other) or other.startswith(part) for part, other in zip(words_wanted, given_names, strict=False)
    )


@lru_cache(maxsize=1)
def _no_given_names() -> frozenset[str]:
    from connectors.records.build import PARTICLES

    return PARTICLES - {"al", "ben"}


def _is_unspaced(words: Sequence[str], word_wanted: str) -> bool:
    """Whether `word_wanted` is the name in `words` written without spaces, or the family name in a name written so."""
    if word_wanted in ("".join(words), "".join([*words[-1:], *words[:-1]])):
        return True
    [word, *more] = words or [""]
    return (
        not more
        and _UNSPACED.fullmatch(word) is not None
        and word.startswith(word_wanted)
        and len(word_wanted) <= 2
        and len(word) - len(word_wanted) in (1, 2)
    )
