"""The parts of a PDF's pages that may be quoted: whole sentences of the running text, with their pages.

The text of a page does not mark headings, captions, formulas, references or the page's edges. So a sentence is only
used if neither it nor its neighbors look as if one of these ran into it. This loses many good sentences, but no quote
joins parts of two.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from agents.builtin.text.sentences import ends_open, sentences
from connectors.paper import Paper
from connectors.query.stopwords import STOP_WORDS

Pages = Mapping[int, str]
"""The text of each page, by its number in the PDF from 1; pages without text are missing."""
_LENGTHS = range(40, 401)
_LEAST_WORDS = 7
_LEAST_LETTERS = 0.8
"""Least share of letters and spaces; formulas and tables have less."""
_BEGINS = re.compile(r"[\"“'(]?[^\W\d_a-zß-öø-ÿ]")
_ENDS = re.compile(r"[.!?][\"”')]?$")
_OPENERS = "A|An|The|This|These|Those|We|Our|It|Its|In|On|To|For|As|At|By|However|When|While|Although|Here|There"
_GLUED = re.compile(
    rf"""
    (?<![.!?:;,“"'(—–-])\s(?:{_OPENERS})\s        # a sentence begins where none has ended
  | ^(?i:abstract|introduction|background|methods?|results?|discussion|conclusions?|summary|evaluation|experiments?
       |related\s+work|acknowledge?ments?|appendix|keywords?|references)\b:?\s+[A-Z(\d]
  | ^(?i:fig(?:ure|\.)?|tab(?:le|\.)?|algorithm|listing|equation|eq\.|chart|plate|box|scheme)\s*[\dIVX]
  | \w-\s\w | [\ufffd…•] | [.!?]\d+\s | \s[.,;](?:\s|$)
    """,
    re.VERBOSE,
)
_INNER_END = re.compile(r"[.!?][\"”')\]]*$")
_ABBREVIATED = re.compile(
    r"\b(?:prof|mrs?|ms|secs?|sect|eqs|figs|refs?|tabs?|ch|chap|app|thm|def|prop|lem|alg|inc|ltd|co|corp|univ|dept|viz"
    r"|ca|etc|incl|max|min|avg|std|nos|pp?|eds?|vols?|jan|feb|aug|sept?|oct|nov|dec|jr|sr|ph\.d|[a-z]\.[a-z])\.$",
    re.IGNORECASE,
)
"""Abbreviations after which a full stop may or may not end a sentence."""
_REFERENCE = re.compile(
    r"(?i:https?:|www\.|\bdoi\b|\barxiv\b|\bpp?\.\s*\d|\bvol\.|\bISBN\b|\bISSN\b|©|\bcopyright\b|@|\bproceedings of\b"
    r"|\bproc\.)|\b\d+\s*\(\d+\)\s*:|(?:\b[A-Z]\.[, ]+){2}|[^\W\d_],\s[A-Z]\.(?=[, ])"
)
_HEADING = re.compile(r"\b(?:References|REFERENCES|Bibliography|BIBLIOGRAPHY|Literature Cited|Works Cited)\b")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d[a-z]?\b")
_YEARS, _WITHIN = 4, 800
"""Number of years within this many letters after a heading that indicates a list of references."""


def no_pages(paper: Paper) -> Pages:
    """Return no pages, for callers without full texts."""
    return {}


def prose(pages: Pages) -> Iterator[tuple[int, str]]:
    """Return the parts of `pages` that consist of complete sentences, each with its page."""
    for page, text in before_references(pages):
        for stretch in stretches(text):
            yield page, stretch


@lru_cache(maxsize=512)  # cached: a summary reads the same pages for each of its sections
def stretches(text: str) -> Sequence[str]:
    """Return the parts of a page's text that consist of complete sentences."""
    all_sentences = sentences(text)
    parts: list[str] = []
    begin = end = 0
    for position, sentence in enumerate(all_sentences):
        start = text.index(sentence, end)
        good = position > 0 and _is_prose(sentence, all_sentences[position - 1 : position + 2])
        if not good or not begin:
            begin = start if good else 0
        elif parts:
            parts.pop()
        end = start + len(sentence)
        if good:
            parts.append(text[begin:end])
    return tuple(parts)


def _is_prose(sentence: str, around: Sequence[str]) -> bool:
    """Whether `sentence` looks complete and undisturbed. `around` are the sentence before, itself, and the one
    after."""
    plain = sum(letter.isalpha() or letter == " " for letter in sentence)
    words = sentence.split()
    return (
        len(sentence) in _LENGTHS
        and len(words) >= _LEAST_WORDS
        and plain >= _LEAST_LETTERS * len(sentence)
        and bool(_BEGINS.match(sentence) and _ENDS.search(sentence))
        and not any(ends_open(neighbor) or _ABBREVIATED.search(neighbor) for neighbor in around[:2])
        and sentence.count("(") == sentence.count(")")
        and sentence.count("“") == sentence.count("”")
        and not (words[1][0].isupper() and words[0].lower() not in STOP_WORDS)  # a heading may precede it
        and not any(_INNER_END.search(word) and not ends_open(word) for word in words[:-1])
        and not _GLUED.search(sentence)
        and not any(map(_REFERENCE.search, around))
    )


def before_references(pages: Pages) -> Iterator[tuple[int, str]]:
    """Yield `pages` up to the list of references, if one is found."""
    for page, text in pages.items():
        for heading in _HEADING.finditer(text):
            if len(_YEAR.findall(text, heading.end(), heading.end() + _WITHIN)) >= _YEARS:
                yield page, text[: heading.start()]
                return
        yield page, text
