"""Titles under which one work appears: with and without a name or kind before a colon, or in another order of words.

Sources list the preprint "SAIL: Search-Augmented Instruction Learning" beside the paper "Search Augmented Instruction
Learning", and "Position: …" beside "Position Paper: …". Authors write series as well: an erratum, or a part of a work,
has its authors, its year and most of its title. So the first authors have to agree, the numbers, and the abstracts.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from connectors.paper import Paper
from connectors.query.stopwords import STOP_WORDS
from connectors.records.letters import folded

_WORD = re.compile(r"[^\W_]+")
_COLON = re.compile(r"[:–—]\s|\s-\s")
_MOST_IN_HEAD = 3
_LEAST_WORDS = 4
"""A title of fewer words that tell something may be that of another work."""
_FIRST_AUTHORS = 3
_AKIN = 0.5
"""Share of the words of one abstract that another of the same work has."""


class _Title(NamedTuple):
    head: frozenset[str]
    """The words before the colon; none where there is no colon, or more than a name or a kind before it."""
    is_name: bool
    """Whether the head is a name that somebody made up: one word with capitals beyond its first letter."""
    body: tuple[str, ...]
    whole: tuple[str, ...]
    """The words that tell something, in the order of the alphabet; of the body, and of the whole title."""


def is_variant(first: Paper, second: Paper) -> bool:
    """Whether two papers by one first author within a year of each other have variants of one title. Numbers are not
    looked at."""
    authors = _agreeing_authors(first, second)
    if not authors:
        return False
    titles = _read(first.title), _read(second.title)
    sure = authors > 1 and (_has_name_more(*titles) or _has_name_more(*reversed(titles)))
    if not (sure or _may_be_one(*titles)):
        return False
    akin = _akin(first.abstract, second.abstract)
    return akin or (akin is None and authors > 1 and (sure or _is_alike(*titles)))


def _agreeing_authors(first: Paper, second: Paper) -> int:
    """How many first authors are compared and agree; 0 if they do not."""
    count = min(len(first.authors), len(second.authors), _FIRST_AUTHORS)
    families = [[_words(author.family)[-1:] for author in paper.authors[:count]] for paper in (first, second)]
    return count if families[0] == families[1] else 0


def _has_name_more(named: _Title, plain: _Title) -> bool:
    """`NAME: title` beside `title`."""
    return named.is_name and _tells(named.body) and named.body == plain.whole


def _is_alike(first: _Title, second: _Title) -> bool:
    """The same words in another order, or `Kind: title` beside `Longer kind: title`."""
    if _tells(first.whole) and first.whole == second.whole:
        return True
    heads = first.head, second.head
    return all(heads) and (heads[0] <= heads[1] or heads[1] <= heads[0]) and _same_body(first, second)


def _may_be_one(first: _Title, second: _Title) -> bool:
    """As `_is_alike`, or with a head more: an erratum has that as well as a paper on a position."""
    return _is_alike(first, second) or (_same_body(first, second) and not (first.head and second.head))


def _same_body(first: _Title, second: _Title) -> bool:
    return _tells(first.body) and first.body == second.body


def _tells(words: tuple[str, ...]) -> bool:
    return len(words) >= _LEAST_WORDS


@lru_cache(maxsize=10_000)
def _read(title: str) -> _Title:
    parts = _COLON.split(title, maxsplit=1)
    head = _words(parts[0])
    if len(parts) == 1 or len(head) > _MOST_IN_HEAD:
        return _Title(frozenset(), False, _telling(title), _telling(title))
    made_up = len(parts[0].split()) == 1 and sum(map(str.isupper, parts[0])) > 1 and not parts[1].isupper()
    return _Title(frozenset(head), made_up, _telling(parts[1]), _telling(title))


def _telling(text: str) -> tuple[str, ...]:
    return tuple(sorted(word for word in _words(text) if word not in STOP_WORDS))


def _words(text: str) -> list[str]:
    return _WORD.findall(folded(text))


def _akin(first: str, second: str) -> bool | None:
    """Whether two abstracts are about as good as one; None where one is not known."""
    fewer, more = sorted(({*_telling(first)}, {*_telling(second)}), key=len)
    return len(fewer & more) >= _AKIN * len(fewer) if fewer else None
