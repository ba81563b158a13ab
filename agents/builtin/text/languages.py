"""Detect the language of a text by its script, then by its small words."""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files

from agents.builtin.ranking.word_vectors import is_known
from agents.builtin.text.terms import terms
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS
from connectors.records.build import PARTICLES

_MARKS = tomllib.loads(files("agents.builtin.text").joinpath("small_words.toml").read_text("utf-8"))
_SURE = {language: frozenset(words.partition("|")[0].split()) for language, words in _MARKS.items()}
_ALL = {language: frozenset(words.replace("|", " ").split()) for language, words in _MARKS.items()}
_ENGLISH = STOP_WORDS | QUESTION_WORDS
_NOT_ENGLISH = frozenset().union(*_SURE.values())
_SMALL = _ENGLISH.union(*_ALL.values())
_ET_AL = re.compile(r"\bet al\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_READ_CAP = 5_000
LEAST_MARKS = 2
"""Minimum number of small words that indicate a language; a list of terms has fewer."""
_JAPANESE_SHARE = 0.1
_LATIN_SHARE = 0.7
_LONG = 4
"""Minimum number of letters of a word that is not an abbreviation."""
ENOUGH = 1.5
"""Least evidence of another language: a small word and another, or an accented one. Names and terms have less."""
ENOUGH_UNKNOWN = 2.0
"""Like `ENOUGH`, if words that no English text has count too: a name next to a small word is such a word."""
ACCENTED_WORDS = 3
"""Number of accented lower-case words that suffice without a small word, for languages not listed here."""


def in_language_of(text: str, question: str) -> bool:
    """Whether `text` is in the language of `question`; True if either is unknown."""
    scripts = script(text), script(question)
    if None in scripts:
        return True
    if scripts[0] != scripts[1]:
        return False
    languages = language(text), language(question)
    return None in languages or languages[0] == languages[1]


def script(text: str) -> str | None:
    """Return the script of most letters by its Unicode name; JAPANESE for Han with kana; None without letters."""
    counts = _scripts(text)
    if not counts:
        return None
    kana = counts["HIRAGANA"] + counts["KATAKANA"]
    if kana > _JAPANESE_SHARE * counts.total():
        return "JAPANESE"
    return counts.most_common(1)[0][0]


def language(text: str) -> str | None:
    """Return the language, in Latin script, whose small words are most frequent; None if unclear."""
    words = _words(text)
    hits = Counter({name: sum(word in marks for word in words) for name, marks in _ALL.items()})
    hits["English"] = sum(word in _ENGLISH for word in words)
    (best, hits_of_best), (_, second) = hits.most_common(2)
    return best if hits_of_best >= LEAST_MARKS and hits_of_best > second else None


def telling_words(text: str) -> str:
    """Return the words of a text in another language than English, without the language's small words."""
    small = _ALL.get(language(text) or "", frozenset()) | _NOT_ENGLISH
    return " ".join(word for word in _words(text) if word not in small)


def is_english(text: str) -> bool:
    """Whether `text` is in English, or differs from English only in names and terms.

    Evidence against: a small word of another language counts 1, or half if names and English have it too; an accented
    word, or a word that no English text has, counts half. Small words of English and words of English texts are
    evidence for it.
    """
    letters = _scripts(text)
    if not letters or letters["LATIN"] < _LATIN_SHARE * letters.total():
        return False
    spelled = _WORD.findall(_ET_AL.sub(" ", text[:_READ_CAP]))
    words = frozenset(map(str.lower, _without_names(spelled)))
    if not words.isdisjoint(_NOT_ENGLISH):  # then a capitalized word may not be a name: `die Wirkung von Stress auf …`
        words = frozenset(map(str.lower, spelled))
    marks = max(sum((word in _ALL[name]) + (word in _SURE[name]) for word in words) for name in _ALL) / 2
    accented = frozenset(word for word in words - _SMALL if not word.isascii())
    if not marks and len(accented.intersection(spelled)) < ACCENTED_WORDS:
        return True
    long_words = [word for word in words - _SMALL - accented if len(word) >= _LONG]
    count = sum(any(map(is_known, terms(word))) for word in long_words)
    evidence = marks + (len(accented) + len(long_words) - count) / 2
    if marks + len(accented) / 2 < ENOUGH and evidence < ENOUGH_UNKNOWN:
        return True
    return evidence <= len(words & _ENGLISH) + count / 2


def _without_names(words: Sequence[str]) -> Iterator[str]:
    """Return the words without small ones that are part of a name: `São Paulo`, `Rio de la Plata`. The capital of the
    first word does not count."""
    is_before_name = False  # whether the next word is part of a name
    ordinary_words = list[str]()
    for index, word in reversed(list(enumerate(words))):
        capital = index > 0 and word[0].isupper()
        part = is_before_name and (capital or word in PARTICLES)
        ordinary_words += [] if part and ((capital and word.lower() in _NOT_ENGLISH) or not capital) else [word]
        is_before_name = capital or part
    return reversed(ordinary_words)


def _scripts(text: str) -> Counter[str]:
    return Counter(
        unicodedata.name(letter, "?").split()[0].rstrip("-") for letter in text[:_READ_CAP] if letter.isalpha()
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_READ_CAP].lower())
