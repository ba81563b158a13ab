"""Find what a candidate and a paper of the history have in common: words and links that a person can check in both."""

import re
from collections.abc import Collection, Sequence, Set
from functools import lru_cache
from unicodedata import category

from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.text.terms import terms
from agents.run.events import Link
from agents.taste.records import Ground
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.query.terms import is_filler

MOST_PHRASES = 3
LONGEST = 8
"""Maximum number of words of a phrase."""
_OF_A_FIELD = rarity("") / 2
"""Rarity from which a word belongs to a particular field: half of the maximum."""
_MARKED = (0x300, 0x2000), (0x20D0, 0x2100), (0x3000, 0x3100), (0xA600, 0xAC00), (0xFE20, 0xFE30)
"""Unicode ranges of combining marks in living scripts."""
_MARKS = "".join(
    chr(code) for first, end in _MARKED for code in range(first, end) if category(chr(code)).startswith("M")
)
_LETTERS = rf"(?:[^\W_][{_MARKS}\u200c\u200d]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:[-'’]{_LETTERS})*")


def ground(
    number: int,
    support: float,
    candidate: Paper,
    history_paper: Paper,
    cited: Collection[Identifier] = (),
    known_cited: Collection[Identifier] = (),
) -> Ground:
    """Return what `candidate` shares with `history_paper`, number `number` in the library. `cited` and `known_cited`
    are further works that the two cite."""
    link: Link | None = None
    if set(history_paper.identifiers) & {*candidate.references, *cited}:
        link = "references"
    elif set(candidate.identifiers) & {*history_paper.references, *known_cited}:
        link = "citations"
    shared = len(set(candidate.references) & set(history_paper.references))
    theirs = {keyword.casefold() for keyword in history_paper.keywords}
    keywords = tuple(keyword for keyword in candidate.keywords if keyword.casefold() in theirs)
    return Ground(
        number, round(support, 4), shared_words(candidate, history_paper), link, shared, keywords[:MOST_PHRASES]
    )


def shared_words(candidate: Paper, history_paper: Paper) -> tuple[str, ...]:
    """Return the most distinctive phrases that occur in both papers, ignoring case, as the candidate spells them.

    They come from titles and abstracts, single words from titles only: those in abstracts are seldom terms. Text that
    spar wrote about a paper is never quoted.
    """
    theirs, there = _word_index(f"{history_paper.title} . {history_paper.abstract}")
    named = _word_index(f"{candidate.title} . {history_paper.title}")[1]
    by_phrase: dict[str, tuple[float, str]] = {}
    for text, worth in ((candidate.title, 2.0), (candidate.abstract, 1.0)):
        for phrase in _phrases_in(text, theirs, there):
            folded = phrase.casefold()
            is_term = folded in named or len(_words(phrase)) > 1
            if is_term and folded not in by_phrase and (telling := _telling(phrase)):
                by_phrase[folded] = (worth * telling, phrase)
    best: list[str] = []
    for _, phrase in sorted(by_phrase.values(), key=lambda pair: (-pair[0], pair[1])):
        mine = {*terms(phrase)}
        if not any(mine & {*terms(other)} for other in best):
            best.append(phrase)
        if len(best) == MOST_PHRASES:
            break
    return tuple(best)


def _phrases_in(text: str, theirs: str, there: Set[str]) -> list[str]:
    """Return the longest runs of words of `text` that occur in `theirs` and begin and end with a meaningful word."""
    spans = _spans(text)
    phrases, at = [], 0
    while at < len(spans):
        if spans[at][2] not in there:
            at += 1
            continue
        end = at
        while (
            end < len(spans)
            and end - at < LONGEST
            and (end == at or not text[spans[end - 1][1] : spans[end][0]].strip())
            and f" {' '.join(word for *_, word in spans[at : end + 1])} " in theirs
        ):
            end += 1
        run = spans[at:end]
        while run and is_filler(run[0][2]):
            run = run[1:]
        while run and is_filler(run[-1][2]):
            run = run[:-1]
        if run and len(run[0][2]) + len(run) > 3:
            phrases.append(text[run[0][0] : run[-1][1]])
        at = max(end, at + 1)
    return phrases


@lru_cache(maxsize=2_000)
def _word_index(text: str) -> tuple[str, Set[str]]:
    """Return the words of `text`, separated and surrounded by blanks, and the set of them."""
    words = _words(text)
    return f" {' '.join(words)} ", frozenset(words)


@lru_cache(maxsize=2_000)
def _spans(text: str) -> Sequence[tuple[int, int, str]]:
    """Return the lowercase words of `text` with their start and end."""
    return [(match.start(), match.end(), match[0].casefold()) for match in _WORD.finditer(text)]


def _telling(phrase: str) -> float:
    """Return the sum of the rarities of a phrase's words in science; 0 if all fields use its words, as in
    "experimental results"."""
    rarities = [rarity(term) for term in terms(phrase)]
    return sum(rarities) if max(rarities, default=0.0) >= _OF_A_FIELD else 0.0


@lru_cache(maxsize=2_000)
def _words(text: str) -> Sequence[str]:
    return tuple(_separated(text))


def _separated(text: str) -> list[str]:
    """Return the lowercase words of `text`, with a bar wherever punctuation separates two of them."""
    words: list[str] = []
    last = 0
    for match in _WORD.finditer(text):
        if words and text[last : match.start()].strip():
            words.append("|")
        words.append(match[0].casefold())
        last = match.end()
    return words
