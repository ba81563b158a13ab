"""Decide which records describe the same work.

Compare DOI, arXiv id, PMID or another identifier; without a shared one, the title or a variant of it, the first author
and the year within one. A preprint and its published version are one work. Two entries of one type in a bibliography
need the same year: sources differ by a year, but a person may list the annual report of each year.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from connectors.identifiers import Scheme
from connectors.paper import Paper
from connectors.query.stopwords import STOP_WORDS
from connectors.records.build import UNTITLED
from connectors.records.clean import MATH
from connectors.records.corrections import PERSON
from connectors.records.letters import folded

_WORD = re.compile(r"[^\W_]+")
_COLON = re.compile(r"[:–—]\s|\s-\s")
SUBTITLE = re.compile(r"[:?!.;–—](?=\s|$)|\s-\s|--|\((?=[^()]*\)\s*$)")
"""The start of a subtitle, or of an addition in brackets."""
_MOST_IN_HEAD = 3
_LEAST_WORDS = 4
"""Minimum number of content words; a shorter title may belong to several works."""
_FIRST_AUTHORS = 3
_AKIN = 0.5
"""Minimum share of the words of the shorter abstract that are also in the other, for titles with the same words."""
_SAME = 0.8
"""Same, for titles with different words: a reply to a paper or a second report of one trial shares more than half."""


class _Title(NamedTuple):
    head: frozenset[str]
    """The words before the colon; empty without a colon, or if they are more than a name or a kind."""
    is_name: bool
    """Whether the head is a coined name: one word with more than one capital."""
    body: tuple[str, ...]
    whole: tuple[str, ...]
    """The content words in alphabetical order: of the part after the colon, and of the whole title."""


def is_variant(first: Paper, second: Paper) -> bool:
    """Whether two papers have variants of one title. Assumes that the first authors agree and the years differ by at
    most one. Ignores numbers."""
    authors = _agreeing_authors(first, second)
    if not authors:
        return False
    titles = _read(first.title), _read(second.title)
    sure = authors > 1 and (_has_name_more(*titles) or _has_name_more(*reversed(titles)))
    are_alike = sure or _is_alike(*titles)
    if not (are_alike or _may_be_one(*titles)):
        return False
    akin = _akin(first.abstract, second.abstract, _AKIN if are_alike else _SAME)
    return (are_alike and authors > 1) if akin is None else akin


def _agreeing_authors(first: Paper, second: Paper) -> int:
    """Return how many first authors were compared, if all of them agree; else 0."""
    count = min(len(first.authors), len(second.authors), _FIRST_AUTHORS)
    families = [[_words(author.family)[-1:] for author in paper.authors[:count]] for paper in (first, second)]
    return count if families[0] == families[1] else 0


def _has_name_more(long_title: _Title, short_title: _Title) -> bool:
    """Whether one title is `NAME: title` and the other is `title`."""
    return long_title.is_name and _identifies(long_title.body) and long_title.body == short_title.whole


def _is_alike(first: _Title, second: _Title) -> bool:
    """Whether the words are the same in any order, or the titles are `Kind: title` and `Longer kind: title`."""
    if _identifies(first.whole) and first.whole == second.whole:
        return True
    heads = first.head, second.head
    return all(heads) and (heads[0] <= heads[1] or heads[1] <= heads[0]) and _same_body(first, second)


def _may_be_one(first: _Title, second: _Title) -> bool:
    """Like `_is_alike`, but one title may lack a head. Weak evidence: errata and position papers also add a head."""
    return _is_alike(first, second) or (_same_body(first, second) and not (first.head and second.head))


def _same_body(first: _Title, second: _Title) -> bool:
    return _identifies(first.body) and first.body == second.body


def _identifies(words: tuple[str, ...]) -> bool:
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
    return _WORD.findall(folded(_without_math(text)))


def _akin(first: str, second: str, least: float) -> bool | None:
    """Whether the shorter abstract shares at least `least` of its words with the other; None if one is missing."""
    fewer, more = sorted(({*_telling(first)}, {*_telling(second)}), key=len)
    return len(fewer & more) >= least * len(fewer) if fewer else None


BIBLIOGRAPHY = "import"
"""The name of a person's bibliography in the provenance of values."""
_TEX_COMMAND = re.compile(r"\\[a-zA-Z]+")
_IN_MATH = re.compile(r"\\([A-Za-z]+)\s*(\{?)|\\?[\s_^{}$,;:!]")
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_NO_WORD = re.compile(r"[\W_]+")
_NUMBERS = re.compile(r"\d+|\b[ivx]+\b")
SIMILAR_TITLE = 95.0
"""Edit similarity (0-100) from which two long titles by one first author count as one title."""
TELLING_TITLE = 5
"""Minimum number of words of a title that identifies a work."""


def same_work(first: Paper, second: Paper) -> bool:
    """Whether two records describe the same work. Equal ones do, also without an author or identifier, if
    they have an abstract or a long title."""
    if first == second and (first.abstract or len(title_key(first.title).split()) >= TELLING_TITLE):
        return True
    if _elsewhere(first, second):
        return False
    if set(first.identifiers) & set(second.identifiers):
        return not _strangers(first, second)
    return not _distinct(first, second) and _same_words(first, second)


def _elsewhere(first: Paper, second: Paper) -> bool:
    """Whether two entries of bibliographies have different volumes, numbers or first pages, like the chapters of a book
    under its DOI. Sources are not compared: they report these wrongly, and give several for one work."""
    if not (_is_listed(first) and _is_listed(second)):
        return False
    imprints = [paper.imprint for paper in (first, second)]
    places = [(imprint.volume, imprint.number, imprint.pages.partition("-")[0]) for imprint in imprints]
    return any(left and right and left != right for left, right in zip(*places, strict=True))


def _is_listed(paper: Paper) -> bool:
    """Whether only entries of bibliographies describe a paper."""
    return {origin.source for origin in paper.provenance} - {PERSON} == {BIBLIOGRAPHY}


def _strangers(first: Paper, second: Paper) -> bool:
    """Whether records that share an identifier share neither an author nor a title; then one identifier is wrong."""
    if not (first.authors and second.authors):
        return False
    families = [{family_key(person.family) for person in paper.authors} for paper in (first, second)]
    if families[0] & families[1]:
        return False
    from rapidfuzz import fuzz  # as in `similar_keys`

    return fuzz.token_set_ratio(title_key(first.title), title_key(second.title)) < 50


def _distinct(first: Paper, second: Paper) -> bool:
    """Whether the records have different identifiers of a scheme that gives each version one identifier."""
    if first.published and second.published and first.published.doi and second.published.doi:
        return True  # `same_work` returns earlier if they share one
    schemes: tuple[Scheme, ...] = ("arxiv", "pmid")
    for scheme in schemes:
        names = first.identifier(scheme), second.identifier(scheme)
        if all(names) and names[0] != names[1]:
            return True
    return False


def _same_words(first: Paper, second: Paper) -> bool:
    titles = title_key(first.title), title_key(second.title)
    if not all(titles) or first_author(first) != first_author(second) or not first_author(first):
        return False
    exact = titles[0] == titles[1]
    if first.year is None or second.year is None:
        return exact and len(titles[0].split()) >= TELLING_TITLE
    is_list = first.type == second.type and _only_listed(first) and _only_listed(second)
    if abs(first.year - second.year) > (0 if is_list else 1):
        return False
    if exact or (_almost_equal(*titles) and _may_say_the_same(first, second)):
        return True
    one_person = _is_listed(first) and _is_listed(second)  # a person who lists both titles may mean two works
    return not one_person and numbers_in(titles[0]) == numbers_in(titles[1]) and is_variant(first, second)


def _only_listed(paper: Paper) -> bool:
    """Whether only entries of bibliographies without an identifier describe a paper."""
    return not paper.identifiers and _is_listed(paper)


def _may_say_the_same(first: Paper, second: Paper) -> bool:
    """Whether two almost equal titles name one work. "A clinical study of …" and "A methodological study of …" do not,
    nor do a paper and its "(Errata)". Titles that differ by more than typing errors need similar abstracts or, where
    one is missing, the same authors. Stop words do not count: “of” equals “of the”."""
    if _telling(first.title) == _telling(second.title):
        return True
    slips = _are_slips(first.title, second.title)
    akin = _akin(first.abstract, second.abstract, _AKIN if slips else _SAME)
    return (slips or _agreeing_authors(first, second) > 1) if akin is None else akin


_LONG_WORD = 6
"""Letters from which on a typing error hardly makes another word: “men” and “women” are two."""


def _are_slips(first: str, second: str) -> bool:
    """Whether long words that only one of the titles has differ by at most two added or removed letters."""
    from rapidfuzz.distance import Indel  # as in `similar_keys`

    words = [[word for word in title_key(title).split() if word not in STOP_WORDS] for title in (first, second)]
    left, right = (
        "".join(word for word in title_words if word not in title_there)
        for title_words, title_there in (words, words[::-1])
    )
    return not (left and right and min(len(left), len(right)) < _LONG_WORD) and Indel.distance(left, right) <= 2


def _almost_equal(first: str, second: str) -> bool:
    # "Part 1" and "Part 2", "GPT-3" and "GPT-4" differ by one character, but are two works.
    same_numbers = numbers_in(first) == numbers_in(second)
    return min(len(first), len(second)) >= 20 and same_numbers and similar_keys(first, second)


def numbers_in(key: str) -> tuple[str, ...]:
    """Return the numbers in a title's key, Roman ones included; two titles of one work have the same numbers."""
    return tuple(_NUMBERS.findall(key))


def similar_keys(first: str, second: str) -> bool:
    """Whether two keys of long titles differ only by typing errors."""
    from rapidfuzz import fuzz  # imported here, so that the app starts sooner

    return fuzz.ratio(first, second) >= SIMILAR_TITLE


@lru_cache(maxsize=1_000)  # used to look up, to compare and to write a record
def title_key(title: str) -> str:
    """Return the letters and digits of a title, `folded`, without TeX commands and punctuation; "" without any."""
    if title == UNTITLED:
        return ""
    text = _TEX_COMMAND.sub(" ", _without_math(title))
    if text.isascii():
        return _NO_LETTERS.sub(" ", text.lower()).strip()
    return _NO_WORD.sub(" ", folded(text)).strip()


def _without_math(text: str) -> str:
    r"""Return `text` with formulas as other sources write them: `CO$_2$` and `$\mathrm{CO}_2$` as `CO2`, `$\alpha$` as
    `α`; all in the letters and digits that `folded` leaves of `CO₂`."""
    return MATH.sub(lambda formula: _IN_MATH.sub(_letters_of, formula[0]), text) if "$" in text else text


def _letters_of(part: re.Match[str]) -> str:
    """Return the Greek letter of a command; a blank for another symbol; nothing for fonts, braces and positions."""
    if part[1] is None:
        return ""
    name = part[1].removeprefix("var").upper().replace("LAMBDA", "LAMDA")
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {name}")
    except KeyError:
        return "" if part[2] else " "


def lacks_subtitle(first: str, second: str) -> bool:
    """Whether one of two titles is the other without its subtitle."""
    short, long = sorted((first, second), key=len)
    key, parts = title_key(short), list(filter(None, map(title_key, SUBTITLE.split(long))))
    return " ".join(parts).startswith(key) and len(key) + 1 in accumulate(len(part) + 1 for part in parts[:-1])


@lru_cache(maxsize=10_000)  # the people of one field write many papers
def family_key(family: str) -> str:
    """Return the last word of a family name for comparison, so that `van der Berg`, `Berg` and `Van Der Berg` agree."""
    words = title_key(family.replace("-", " ")).split()
    return words[-1] if words else ""


def first_author(paper: Paper) -> str:
    """Return the first author's family name for comparison; "" without authors."""
    return family_key(paper.authors[0].family) if paper.authors else ""
