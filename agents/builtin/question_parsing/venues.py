"""Where papers must have appeared: "in NeurIPS", "published in Nature", "at ACL 2022".

A venue's name is often a word of its subject too ("in Cell cultures", "ACL reconstruction", "in nature"), so it counts
only where nothing follows that it could belong to, and an abbreviation that means something else only beside a year or
the word for papers.
"""

import re
from datetime import date
from typing import NamedTuple

from agents.builtin.question_parsing.author_names import read_author_names
from agents.builtin.question_parsing.lexicon import DOCUMENTS
from agents.builtin.question_parsing.spans import Span, blanked, words_before
from cache.conditions.venue_names import AMBIGUOUS, CONFERENCES, JOURNALS, KNOWN
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_COMMON_WORDS = frozenset("Nature Science Cell Neuron Immunity Blood Circulation Gut Bioinformatics".split()) | {
    "Machine Learning", "Artificial Intelligence", "Scientific Data", "Water Research"
}  # fmt: skip
"""Journals named by a word of their subject: they must be said to have published something."""


def _any(names: list[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_YEAR = r"(?:[\s,]*'?(?P<year>(?:19|20)[0-9]{2}|(?<=')[0-9]{2})(?![\w-]))?"
_PLACE = r"(?:(?:conference|proceedings|journal)\s+)?"
_PREPOSITION = (
    r"(?:\b(?:(?:that\s+)?(?:was|were|is|are|been)\s+)?(?:published|presented|accepted|appearing|appeared)\s+)?"
    r"\b(?:in|at|from)\s+(?:the\s+)?(?:(?:proceedings\s+of|journal|conference)\s+(?:the\s+)?)?"
)
_SMALL = rf"(?i:{_any(CONFERENCES)})"
_NAMED = re.compile(rf"(?i:{_PREPOSITION})(?P<venue>{_SMALL}|{_any(AMBIGUOUS + JOURNALS)})(?![\w-]){_YEAR}")
_MORE_NAMES = re.compile(
    r"\s*(?:,\s*(?:or\b|and\b)?|/|\bor\b|\band\b)\s*(?:(?:in|at|from)\s+)?(?:the\s+)?"
    rf"(?P<venue>{_SMALL}|{_any(AMBIGUOUS + JOURNALS)})(?![\w-]){_YEAR}"
)
_AFTER_COMMA = re.compile(rf"[,(]\s*(?P<venue>{_SMALL}){_YEAR}(?=\s*(?:[,.)?]|[0-9]|$))")
_BEFORE_PAPERS = re.compile(
    rf"\b(?P<venue>{_SMALL}|{_any(AMBIGUOUS + JOURNALS)}){_YEAR}"
    r"(?=\s+(?i:papers?|articles?|publications?|proceedings)\b)"
)
_JOURNAL_OF = re.compile(
    r"(?i:(?:published\s+)?\bin\s+)(?:the\s+|The\s+)?"
    r"(?P<venue>(?:[A-Z]\w+\s+){0,3}(?:Journal|Transactions|Annals|Archives|Proceedings|Reviews?|Letters)\s+(?:of|on|in)\s+"
    r"(?:the\s+)?[A-Z]\w+(?:\s+(?:(?:and|of|the|in|for|&)\s+)*[A-Z]\w+){0,5})" + _YEAR
)
_PUBLISHED_IN = re.compile(
    r"\b(?i:published|appeared|appearing)\s+in\s+(?:the\s+)?(?:journal\s+)?"
    r"(?P<venue>[A-Z]\w+(?:\s+(?:(?:and|of|the|in|for|on|&)\s+)*[A-Z]\w+){1,6})" + _YEAR
)
_FOLLOWS = STOP_WORDS | QUESTION_WORDS | DOCUMENTS | {"conference", "proceedings", "journal", "open"}


class Venue(NamedTuple):
    """The first journal or conference a question asks for, the year named beside it, and where both stand.

    Of several that are named side by side the name is all of them, with "or" between: any will do.
    """

    name: str | None = None
    year: int | None = None
    spans: tuple[Span, ...] = ()


def read_venue(text: str, today: date) -> Venue:
    """The venue that papers must be from according to `text` (see `plain`); one that stands for others as well is
    none."""
    unsigned = blanked(text, read_author_names(text).spans)
    for pattern in (_NAMED, _AFTER_COMMA, _BEFORE_PAPERS, _JOURNAL_OF, _PUBLISHED_IN):
        for match in pattern.finditer(text):
            if not _is_meant(match, pattern, unsigned):
                continue
            names, year, end = [match["venue"]], match["year"], match.end()
            while pattern in (_NAMED, _AFTER_COMMA) and (more := _MORE_NAMES.match(text, end)):
                names.append(more["venue"])
                year, end = more["year"] or year, more.end()
            if len(names) > 1 and not _ends_there(text, end):
                return Venue()
            name = " or ".join(dict.fromkeys(KNOWN.get(one.lower(), one) for one in names))
            return Venue(name, _year(year, today), (Span(match.start(), end),))
    return Venue()


def _ends_there(text: str, end: int) -> bool:
    """Whether no word follows that a name before it could belong to."""
    after = re.match(r"\s+([^\W\d_]+)", text[end:])
    return after is None or after[1].lower() in _FOLLOWS


def _is_meant(match: re.Match[str], pattern: re.Pattern[str], unsigned: str) -> bool:
    """Whether `match` names a venue. `unsigned` is the text without the names of authors, which may be between "papers"
    and the venue: "papers by Lee in Nature"."""
    name, cued = match["venue"], re.match(r"published|presented|accepted|appear", match[0].lower()) is not None
    if pattern is _BEFORE_PAPERS:
        return name not in _COMMON_WORDS or match["year"] is not None or match.start() == 0
    if pattern is not _NAMED:
        return True
    if not _ends_there(match.string, match.end()):
        return False
    if name in _COMMON_WORDS:
        beside = words_before(unsigned, match.start(), 1)
        return cued or bool(set(beside) & DOCUMENTS)
    if name in AMBIGUOUS:
        beside = words_before(unsigned, match.start(), 1)
        return cued or match["year"] is not None or bool(set(beside) & DOCUMENTS)
    return True


def _year(text: str | None, today: date) -> int | None:
    if text is None:
        return None
    year = int(text) if len(text) == 4 else 2000 + int(text)
    return year if year <= today.year + 1 else None
