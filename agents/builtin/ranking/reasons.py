"""Explain the built-in judge's assessment with evidence that a reader can see: shared words and linked papers."""

import re
from collections.abc import Sequence
from functools import lru_cache

from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.ranking.features import MEANING
from agents.builtin.ranking.relevance import DOUBTED
from agents.builtin.text.languages import is_english
from agents.builtin.text.terms import terms
from cache.conditions.wording import quoted
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


def why(
    question: str, paper: Paper, top_features: Sequence[str], others: Sequence[Paper] = (), beside: Sequence[Paper] = ()
) -> str:
    """Return the reason as a sentence without its end. `top_features` are the features that distinguish the paper;
    `others` are the best papers, of which some may cite it or be cited by it. For a relevant paper, words that the best
    other relevant papers `beside` it all have are no reason if links or the date set it apart."""
    if DOUBTED in top_features and NAMED not in top_features:
        return "no paper found covers enough of the question" if is_english(question) else _UNREAD
    if MET in top_features:
        return "meets all conditions; the question names no topic"
    facts = ["you named it"] if NAMED in top_features else []
    words, phrase, in_title = _in_words(question, paper)
    shared = phrase and beside and all(_has(other, words, in_title) for other in beside)
    apart = _linked(paper, others) or (_dated(paper, beside) if shared else "")
    facts += filter(None, ["" if shared and apart else phrase, apart])
    if MEANING in top_features:
        facts = [*facts, _MEANS] if facts else [f"{_WORDLESS}, but {_MEANS}"]
    return "; ".join(facts[:2]) or _WORDLESS


def _linked(paper: Paper, others: Sequence[Paper]) -> str:
    names, cited = set(paper.identifiers), set(paper.references)
    citing = [other.title for other in others if other.title and not names.isdisjoint(other.references)]
    references = [other.title for other in others if other.title and not cited.isdisjoint(other.identifiers)]
    for link, titles in (("cited by", citing), ("cites", references)):
        if titles:
            more = f" and {len(titles) - 1} more of the best papers" if titles[1:] else ""
            return f"{link} “{first_words(titles[0], _TITLE_LETTERS)}”{more}"
    return ""


def _dated(paper: Paper, beside: Sequence[Paper]) -> str:
    """Return how many of the papers `beside` it are older or newer, whichever are more; "" if none is known to be."""
    years = [other.year for other in beside if other.year and paper.year and other.year != paper.year]
    older = sum(year < (paper.year or 0) for year in years)
    if not years:
        return ""
    how, number = ("newer", older) if 2 * older >= len(years) else ("older", len(years) - older)
    return f"{how} ({paper.year}) than {number} of the {len(beside)} best other relevant papers"


def _in_words(question: str, paper: Paper) -> tuple[Sequence[str], str, bool]:
    """Return the words that the title or, failing that, the abstract (or spar's note) shares with the question, a
    sentence on them, and whether they are in the title; a phrase before single words, and empty if there are none."""
    texts = [(paper.title, "its title"), (paper.about, "its abstract" if paper.abstract else "spar's note on it")]
    for text, index in texts:
        if phrase := _phrase(question, text):
            return [phrase], f"“{phrase}” is in {index}", text is paper.title
    for text, index in texts:
        words = [word for word in _telling(question) if _holds(text, word)][:_MOST_WORDS]
        if words:
            return words, f"{quoted(words)} {'are' if len(words) > 1 else 'is'} in {index}", text is paper.title
    return [], "", False


def _has(paper: Paper, words: Sequence[str], in_title: bool) -> bool:
    """Whether the paper has all `words` in its title, or anywhere if not `in_title`."""
    texts = [paper.title] if in_title else [paper.title, paper.about]
    return all(any(_holds(text, word) for text in texts) for word in words)


def _holds(text: str, words: str) -> bool:
    """Whether `words` occur in `text` side by side, in the same or other inflections."""
    return f" {_stems(words)} " in f" {_stems(text)} "


@lru_cache(maxsize=4_096)
def _stems(text: str) -> str:
    return " ".join(map(_stem, _TOKEN.findall(text)))


def _telling(question: str) -> list[str]:
    words = {word.lower(): word for word in reversed(_TOKEN.findall(question)) if _tells(word) and terms(word)}
    return list(words.values())[::-1]


def _phrase(question: str, text: str) -> str:
    """Return the longest run of two or more adjacent words of `question` that occurs in `text` in the same or other
    inflections, as the question writes it."""
    words = _TOKEN.findall(question)
    stems, stemmed_text = [_stem(word) for word in words], f" {_stems(text)} "
    best = range(0)
    for start in (number for number, word in enumerate(words) if _tells(word)):
        end = start + 1
        while end < len(words) and f" {' '.join(stems[start : end + 1])} " in stemmed_text:
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
