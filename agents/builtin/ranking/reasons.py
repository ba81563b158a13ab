"""Explain the built-in judge's assessment with evidence that a reader can see: shared words and linked papers."""

import re
from collections.abc import Sequence
from functools import lru_cache

from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.ranking.features import MEANING
from agents.builtin.ranking.relevance import DOUBTED
from agents.builtin.text.languages import is_english
from agents.builtin.text.terms import terms
from cache.conditions.wording import listed
from connectors.paper import Paper
from connectors.query.stopwords import STOP_WORDS
from connectors.records.visible import first_words

NAMED = "named"
"""The feature of a paper named by the person."""
MET = "met"
"""The only feature of a paper that meets all conditions of a question without a subject."""
_MEANS = "closer in meaning than most papers found"
_UNREAD = "the built-in rules read English, and too few words of the question were found"
_WORDLESS = "has none of the question's words"
_MOST_WORDS = 4
_TITLE_LETTERS = 90
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def why(question: str, paper: Paper, top_features: Sequence[str], others: Sequence[Paper] = ()) -> str:
    """Return the reason as a sentence without its end. `top_features` are the features that distinguish the paper;
    `others` are the best papers, of which one may cite it or be cited by it."""
    if DOUBTED in top_features and NAMED not in top_features:
        return "no paper found covers enough of the question" if is_english(question) else _UNREAD
    if MET in top_features:
        return "meets all conditions; the question names no topic"
    seen = ["you named it"] if NAMED in top_features else []
    seen += [*_in_words(question, paper), *filter(None, [_linked(paper, others)])]
    if MEANING in top_features:
        seen = [*seen, _MEANS] if seen else [f"{_WORDLESS}, but {_MEANS}"]
    return "; ".join(seen[:2]) or _WORDLESS


def _linked(paper: Paper, others: Sequence[Paper]) -> str:
    names, cited = set(paper.identifiers), set(paper.references)
    for other in others:
        if other.title and not names.isdisjoint(other.references):
            return f"cited by “{first_words(other.title, _TITLE_LETTERS)}”"
    for other in others:
        if other.title and not cited.isdisjoint(other.identifiers):
            return f"cites “{first_words(other.title, _TITLE_LETTERS)}”"
    return ""


def _in_words(question: str, paper: Paper) -> list[str]:
    """Return the words that the title or, failing that, the abstract (or spar's note) shares with the question; a
    phrase before single words."""
    places = [(paper.title, "its title"), (paper.about, "its abstract" if paper.abstract else "spar's note on it")]
    for text, index in places:
        if phrase := _phrase(question, text):
            return [f"“{phrase}” is in {index}"]
    for text, index in places:
        having = set(terms(text))
        words = [f"“{word}”" for word in _telling(question) if having.issuperset(terms(word))][:_MOST_WORDS]
        if words:
            return [f"{listed(words)} {'are' if len(words) > 1 else 'is'} in {index}"]
    return []


def _telling(question: str) -> list[str]:
    words = {word.lower(): word for word in reversed(_TOKEN.findall(question)) if _tells(word) and terms(word)}
    return list(words.values())[::-1]


def _phrase(question: str, text: str) -> str:
    """Return the longest run of two or more adjacent words of `question` that occurs in `text` in the same or other
    inflections, as the question writes it."""
    words = _TOKEN.findall(question)
    stems, held = [_stem(word) for word in words], f" {' '.join(map(_stem, _TOKEN.findall(text)))} "
    best = range(0)
    for start in (number for number, word in enumerate(words) if _tells(word)):
        end = start + 1
        while end < len(words) and f" {' '.join(stems[start : end + 1])} " in held:
            end += 1
        while not _tells(words[end - 1]):
            end -= 1
        if end - start > max(len(best), 1):
            best = range(start, end)
    return " ".join(words[best.start : best.stop])


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return " ".join(terms(word)) or word.lower()


def _tells(word: str) -> bool:
    return word.lower() not in STOP_WORDS and tells(word.lower())
