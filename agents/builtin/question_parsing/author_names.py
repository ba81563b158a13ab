"""The authors that a question asks for: "papers by Yann LeCun", "Hinton's work on capsules", "A. Vaswani et al. 2017".

A name must look like one and be where only an author can be: "by gradient descent", "Parkinson's disease" and
"by Transformer models" name nobody.
"""

import re
from datetime import date
from typing import NamedTuple

from agents.builtin.question_parsing.lexicon import DOCUMENTS, Span, blanked, is_general, words_before
from agents.builtin.question_parsing.phrases import is_field_word
from cache.conditions.venue_names import AMBIGUOUS, CONFERENCES, JOURNALS, KNOWN
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_CAPITAL = r"[^\W\d_a-zà-öø-ÿ]"
_INITIAL = rf"{_CAPITAL}\.(?:[- ]?{_CAPITAL}\.){{0,3}}"
_GIVEN = rf"{_CAPITAL}(?=[^\W_]{{0,20}}[a-zà-öø-ÿ])[^\W\d_]{{1,20}}(?:['-][^\W\d_]{{2,20}}){{0,2}}\b"
_PARTICLE = r"(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten)(?: (?:der|den|la|las|los|de))?"
_PART = rf"(?:O'|D'|{_PARTICLE} )?(?:{_INITIAL}|{_GIVEN})"
_NAME = rf"{_PART}(?: {{1,2}}{_PART}){{0,3}}"
_NAMES = rf"{_NAME}(?:(?: ?, ?(?:and )?| and | ?& ?){_NAME}){{0,9}}"
_SMALL_PART = r"[^\W\d_A-Z]{2,20}(?:['-][^\W\d_]{1,20})?"
_SMALL_NAME = rf"{_SMALL_PART} (?:[^\W\d_A-Z]\.? )?{_SMALL_PART}"
_TEAM = r"(?: ?,? et al\.?| and (?:colleagues|coworkers|co-authors|collaborators|others))?"
_WORKS = r"(?:papers?|articles?|publications?|works?|preprints?|research|contributions?|studies|group|lab|team)"
_WRITTEN = r"(?: (?:is|are|was|were|that|which|have|been)){0,4}(?: (?:written|authored|published))?"
_BY = (
    r"(?:\b(?:papers?|articles?|publications?|works?|preprints?|research|stud(?:y|ies)|surveys?|reviews?|any(?:thing)?)"
    rf"{_WRITTEN}|\bwritten|\bauthored|\bpublished) by"
)

_AFTER_CUE = re.compile(rf"(?i:{_BY}|\bauthors? ?(?::|is|are)) (?P<names>{_NAMES})(?i:{_TEAM})")
_AFTER_CUE_SMALL = re.compile(
    rf"{_BY} (?P<names>{_SMALL_NAME})(?= (?:on|about|in|since|from|before|after|at)\b| ?[,.?]| *$)"
)
_BARE_BY = re.compile(rf"\bby (?P<names>{_NAMES})(?P<team>{_TEAM})")
_POSSESSIVE = re.compile(
    rf"(?<![\w'-])(?P<names>{_NAMES})'s? "
    rf"(?:(?:recent|latest|early|earlier|seminal|original|group's|lab's|own|most|cited|first) ){{0,3}}{_WORKS}\b"
)
_ASKED = re.compile(
    rf"\b(?i:(?:what|which)\b[^.?!]{{0,40}}\b)(?P<asked>(?:has|have|did) (?P<names>{_NAMES})"
    r" (?:publish|write|author|co-author|published|written|authored)\b)"
)
_RELATIVE = re.compile(
    rf"\b(?i:{_WORKS})(?: that| which)? (?P<asked>(?P<names>{_NAMES}) (?:(?:has|have) (?:published|written|authored)"
    r"|published|wrote|authored))\b"
)
_OF = re.compile(rf"\b(?i:papers?|articles?|publications?|works?|preprints?|writings) of (?P<names>{_NAMES})")
_GROUP = re.compile(rf"(?i:\b(?:of|from|by) the (?:research )?(?:group|lab|laboratory|team) of) (?P<names>{_NAMES})")
_OPENING = re.compile(rf"^ ?(?P<names>{_NAMES}) ?,? et al\.?")

_NOT_PEOPLE = frozenset(
    """africa alibaba amazon america american anthropic apple asia australia baidu berkeley brazil britain cambridge
    canada cern children china chinese college congress council deepmind employees england europe european facebook
    farmers france german germany google government harvard ibm india indian institute intel italy japan japanese
    journalists korea lab laboratories labs london meta microsoft ministry mit nasa nature nurses nvidia openai
    organization oxford parents patients people princeton russia school society spain stanford students supreme
    teachers tencent today tomorrow university uber women men workers world yesterday north south east west united new
    central nobody someone anyone monte markov fourier""".split()
)
_EPONYMS = frozenset(
    """alzheimer parkinson crohn huntington hodgkin down tourette asperger hashimoto graves cushing addison raynaud
    wilson kawasaki behçet ménière sjögren bell bayes""".split()
)
"""Persons whose name before "'s research" is that of a disease or a method."""
_MAY_FOLLOW = STOP_WORDS | QUESTION_WORDS | {"published", "written", "cited", "regarding", "titled"}


class AuthorNames(NamedTuple):
    """The authors that a question names, as written, and their spans."""

    names: tuple[str, ...]
    spans: tuple[Span, ...]


_CUE = re.compile(
    r"(?:(?:\b(?:that|which)\s+)?(?:\b(?:is|are|was|were|has|have|been)\s+){0,3}\b(?:written|authored|published)\s+)?"
    r"\bby\s+$|\bauthors?\W[^A-Z]*$",
    re.IGNORECASE,
)
_CUE_LENGTH = 60


def read_author_names(text: str) -> AuthorNames:
    """Return the authors whose papers `text` (see `plain`) asks for."""
    people: list[tuple[Span, list[str]]] = []
    for pattern in (_AFTER_CUE, _GROUP, _POSSESSIVE, _ASKED, _RELATIVE, _OPENING, _OF, _BARE_BY, _AFTER_CUE_SMALL):
        for match in pattern.finditer(text):
            parts = re.split(r",\s*(?:and\s+)?|(?<!\s)\s+and\s+|&", match["names"])
            span, names = _span(match, pattern), [name.strip() for name in parts if name.strip()]
            if names and not span.overlaps(other for other, _ in people) and _is_asked_for(match, pattern, names):
                people.append((span, names))
    people.sort(key=lambda entry: entry[0])
    return AuthorNames(
        tuple(dict.fromkeys(name for _, names in people for name in names)), tuple(span for span, _ in people)
    )


def _span(match: re.Match[str], pattern: re.Pattern[str]) -> Span:
    """Return the span of a condition on authors, without words that only ask for papers."""
    if pattern in (_AFTER_CUE, _AFTER_CUE_SMALL):
        names = match.start("names")
        by = _CUE.search(match.string, max(0, names - _CUE_LENGTH), names)
        return Span(by.start() if by else match.start(), match.end())
    if pattern in (_ASKED, _RELATIVE):
        return Span(*match.span("asked"))
    return Span(*match.span())


def _is_asked_for(match: re.Match[str], pattern: re.Pattern[str], names: list[str]) -> bool:
    parts = [part for name in names for part in re.findall(r"[^\W\d_]+", name.lower())]
    single = {name.lower() for name in names}
    if set(parts) & _NOT_PEOPLE or single & (STOP_WORDS | QUESTION_WORDS | DOCUMENTS):
        return False
    if re.match(r" or\b", match.string[match.end() :]):
        return False  # "by Salton or others" is not a condition
    if pattern in (_ASKED, _RELATIVE, _OPENING):
        return True
    if pattern is _POSSESSIVE:
        return not set(parts) & _EPONYMS
    if not _ends_here(match):
        return False
    if pattern is _GROUP:
        return True
    if pattern is _AFTER_CUE:
        return not all(is_general(part) or is_field_word(part) for part in parts)
    if pattern is _AFTER_CUE_SMALL:
        return match.string.islower() and not _is_method(parts)
    in_brackets = match.string[: match.start()].count("(") > match.string[: match.start()].count(")")
    if pattern is _OF:
        return all(len(name.split()) > 1 for name in names) and not _is_method(parts)
    full = all(len(name.split()) > 1 for name in names) and len(names[0]) > 4
    return not in_brackets and not _is_method(parts) and (full or bool(match["team"])) and not _is_title(match)


def _ends_here(match: re.Match[str]) -> bool:
    """Whether the name ends here, and does not just describe the next word, as in "by Transformer models"."""
    after = re.match(r"\s*([^\W_]+)|\s*[-/]", match.string[match.end() :])
    if after is None:
        return True
    return bool(after[1]) and (after[1].lower() in _MAY_FOLLOW or after[1].isdigit())


def _is_method(parts: list[str]) -> bool:
    """Whether words in the place of a name are a method."""
    last = parts[-1]
    return last.endswith(("ing", "tion", "ions", "ment", "isms", "ists")) or any(
        is_general(part) or is_field_word(part) for part in parts
    )


def _is_title(match: re.Match[str]) -> bool:
    """Whether most words before a match are capitalized too, so that its capitals mean nothing."""
    others = re.findall(r"[^\W\d_]{4,}", match.string[: match.start()])
    return len(others) > 2 and sum(word[0].isupper() for word in others) > len(others) / 2


_COMMON_WORDS = frozenset("Nature Science Cell Neuron Immunity Blood Circulation Gut Bioinformatics".split()) | {
    "Machine Learning", "Artificial Intelligence", "Scientific Data", "Water Research"
}  # fmt: skip
"""Journals named by a common word of their subject: a word such as "published" or "papers" must be beside them."""


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
_BEFORE_PAPERS = re.compile(
    rf"\b(?P<venue>{_SMALL}|{_any(AMBIGUOUS + JOURNALS)}){_YEAR}"
    r"(?=\s+(?i:papers?|articles?|publications?|proceedings)\b)"
)
_JOURNAL_OF = re.compile(
    r"(?i:(?:published\s+)?\bin\s+)(?:the\s+|The\s+)?"
    r"(?P<venue>(?:[A-Z]\w+\s+){0,3}(?:Journal|Transactions|Annals|Archives|Proceedings|Reviews?|Letters)\s+(?:of|on|in)\s+"
    r"(?:the\s+)?[A-Z]\w+(?:\s+(?:(?:and|of|the|in|for|&)\s+)*[A-Z]\w+){0,5})" + _YEAR
)
_FOLLOWS = STOP_WORDS | QUESTION_WORDS | DOCUMENTS | {"conference", "proceedings", "journal", "open"}


class Venue(NamedTuple):
    """The first journal or conference that a question asks for, the year beside it, and the span of both.

    If several are named side by side, the name is all of them joined by "or": any will do.
    """

    name: str | None = None
    year: int | None = None
    spans: tuple[Span, ...] = ()


def read_venue(text: str, today: date) -> Venue:
    """Return the venue that papers must be from according to `text` (see `plain`); an unclear list of venues gives
    none."""
    unsigned = blanked(text, read_author_names(text).spans)
    for pattern in (_NAMED, _BEFORE_PAPERS, _JOURNAL_OF):
        for match in pattern.finditer(text):
            if not _is_meant(match, pattern, unsigned):
                continue
            names, year, end = [match["venue"]], match["year"], match.end()
            while pattern is _NAMED and (more := _MORE_NAMES.match(text, end)):
                names.append(more["venue"])
                year, end = more["year"] or year, more.end()
            if len(names) > 1 and not _ends_there(text, end):
                return Venue()
            name = " or ".join(dict.fromkeys(KNOWN.get(venue.lower(), venue) for venue in names))
            return Venue(name, _year(year, today), (Span(match.start(), end),))
    return Venue()


def _ends_there(text: str, end: int) -> bool:
    """Whether no word follows that may belong to the name before it."""
    after = re.match(r"\s+([^\W\d_]+)", text[end:])
    return after is None or after[1].lower() in _FOLLOWS


def _is_meant(match: re.Match[str], pattern: re.Pattern[str], unsigned: str) -> bool:
    """Whether `match` names a venue. `unsigned` is the text without names of authors, which may be between "papers" and
    the venue: "papers by Lee in Nature"."""
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
