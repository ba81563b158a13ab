"""Papers a question names outright: by DOI, arXiv id, a title in quotes, as "the BERT paper", or by a title alone."""

import re
from typing import NamedTuple

from agents.builtin.question_parsing.lexicon import DOCUMENTS, tells
from agents.builtin.question_parsing.phrases import content_words
from agents.builtin.question_parsing.spans import Span, blanked, word_after
from connectors.identifiers import parse_identifier

_IDENTIFIERS = re.compile(
    r"https?://[^\s\"<>]+"
    r"|\bdoi:?\s*10\.[0-9]{4,9}/[^\s\"<>]+|\b10\.[0-9]{4,9}/[^\s\"<>]+"
    r"|\barxiv:?\s*(?:[0-9]{4}\.[0-9]{4,5}(?:v[0-9]+)?|[a-z-]+(?:\.[a-z]{2})?/[0-9]{7})"
    r"|\b[0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{5}(?:v[0-9]+)?\b"
    r"|\bpmid:?\s*[1-9][0-9]{3,8}\b|\bPMC[1-9][0-9]{4,9}\b|\bs2:[0-9a-f]{40}\b|\bopenalex:W[0-9]+\b|\bCorpusId:\s*[0-9]+",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"([^"]{3,300})"')
_SINGLE_QUOTED = re.compile(r"(?<![\w'])'([^']{12,300})'(?!\w)")
_TITLE_CUE = re.compile(
    r"\b(?:papers?|article|work|titled|entitled|called|named|title|publication|preprint)\b[\s:,]*$", re.I
)
_CALLED = re.compile(
    r"(?i:\b(?:papers?|article|work|preprint)\s+(?:titled|entitled|called|named)|\btitled|\bentitled)(?:\s*:)?\s*(?P<title>[A-Z0-9][^\"?]{3,200})"
)
_THE_PAPER = re.compile(
    r"(?i:\b(?:the|original|seminal)\s+(?:(?:original|seminal|first|classic|famous|influential)\s+)*)"
    r"(?P<name>[A-Za-z]*[A-Z][\w+-]*(?:[ -][A-Z0-9][\w.+-]*){0,3}) paper\b(?!-)"
)
_NOT_NAMES = frozenset(
    "white nature science cell lancet google deepmind openai meta microsoft stanford wikipedia".split()
)
_SMALL_WORDS = frozenset(
    """about above across after against along among around based before behind below beneath beside between beyond
    during except from into over than that their them these this those through toward towards under until upon using
    versus when where which while with within without""".split()
)
_RELATED = re.compile(
    r"\b(?:cit(?:e|es|ed|ing)|similar to|like|follow(?:s|ed|ing)?[- ]?(?:up|on|ups)?|extend(?:s|ed|ing)?|based on"
    r"|build(?:s|ing)? (?:up)?on|improv(?:e|es|ed|ing)|inspired by|related to|beyond|after|alternatives? to"
    r"|compar(?:e|ed|ing)|critici[sz]\w+|replicat\w+|reproduc\w+)\b",
    re.IGNORECASE,
)


MOST_AROUND = 5
"""A paper that stands among more telling words than these is an example of what is wanted."""


class NamedPapers(NamedTuple):
    """The papers named, as titles or identifiers; `wanted` is whether they are what is asked for, or others are."""

    papers: tuple[str, ...]
    wanted: bool
    spans: tuple[Span, ...]


def read_named_papers(text: str) -> NamedPapers:
    """The papers that `text` (see `plain`) names."""
    found = list(_identified(text))
    for name, span in (*_quoted(text), *_called(text)):
        if not span.overlaps(other for _, other in found):
            found.append((name, span))
    if not found and is_title(text):
        found.append((text.strip().rstrip("."), Span(0, len(text))))
    around = blanked(text, (span for _, span in found))
    wanted = bool(found) and not _RELATED.search(around) and len(_telling(around)) <= MOST_AROUND
    return NamedPapers(tuple(dict.fromkeys(name for name, _ in found)), wanted, tuple(span for _, span in found))


def _telling(text: str) -> list[str]:
    return [word for word in content_words(text) if tells(word.lower())]


def is_title(text: str) -> bool:
    """Whether `text` is written as titles are, with a capital at every word that carries weight."""
    words = re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", text)
    if not 4 <= len(words) <= 30 or text.rstrip().endswith("?") or '"' in text or re.search(r"[.!;]\s+\w", text):
        return False
    capital = [word for word in words if any(letter.isupper() for letter in word)]
    small = [word for word in words if len(word) > 3 and word.islower() and word not in _SMALL_WORDS]
    asked = words[0].lower() in DOCUMENTS or words[0].lower() in ("find", "show", "give", "list", "latest", "recent")
    return len(capital) >= 4 and not small and not asked and not text.isupper()


def _identified(text: str) -> list[tuple[str, Span]]:
    found = []
    for match in _IDENTIFIERS.finditer(text):
        written = match[0].rstrip(".,;:?!)'\"")
        if name := parse_identifier(re.sub(r"^(arxiv|pmid|doi)\s+", r"\1:", written, flags=re.IGNORECASE)):
            found.append((str(name), Span(match.start(), match.start() + len(written))))
    return found


def _quoted(text: str) -> list[tuple[str, Span]]:
    """Quoted titles. A phrase of a few words in quotes is a term, unless what stands before it calls it a paper."""
    return [
        (match[1].strip(" ,."), Span(*match.span()))
        for pattern in (_QUOTED, _SINGLE_QUOTED)
        for match in pattern.finditer(text)
        if _is_quoted_title(match[1], text[: match.start()], word_after(text, match.end()))
    ]


def _is_quoted_title(phrase: str, before: str, after: str) -> bool:
    words = phrase.split()
    if not words or not any(letter.isalpha() for letter in phrase):
        return False
    if _TITLE_CUE.search(before):
        return True
    titled = words[0][0].isupper() and not phrase.isupper()
    return (titled and (len(words) >= 3 or ":" in phrase)) or (len(words) >= 5 and not after)


def _called(text: str) -> list[tuple[str, Span]]:
    titles = [(match["title"].strip(" ."), Span(*match.span("title"))) for match in _CALLED.finditer(text)]
    papers = [
        (match["name"], Span(*match.span()))
        for match in _THE_PAPER.finditer(text)
        if match["name"].split()[0].lower() not in _NOT_NAMES
    ]
    return titles + papers
