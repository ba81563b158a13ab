"""Score how well papers fit a person's taste, and name the papers of their history that explain it, with what they have
in common: words and links that a person can check in both."""

import re
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category

from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.text.terms import terms
from agents.run.events import Link
from agents.taste.comparison import TasteComparison
from agents.taste.context import ReaderContext, history_papers
from agents.taste.records import Ground, HistoryPaper
from agents.taste.scoring import Scored, scored
from cache import papers
from cache.store import PaperId
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.query.terms import is_filler

GROUNDS = 2
"""Number of papers of the history that explain a paper's score, the heaviest."""
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


@dataclass(frozen=True, slots=True)
class Fit:
    """A paper's score from 0 to 1 (`agents.taste.scoring`) and the papers of the history that explain it; the
    person's own lines are not among them. `against` is the closest paper that the person does not want, possibly
    this one."""

    score: float = 0.0
    grounds: tuple[Ground, ...] = ()
    against: Ground | None = None


def fits(reader: ReaderContext, some: Sequence[Paper], among: Sequence[Paper] = ()) -> list[Fit]:
    """Score how well each of `some` fits the person; an unwanted paper scores 0. Rarity is measured over the library
    and `among`, which may include `some`. Reads the whole library: do it off the event loop. Raises `CacheError`."""
    if reader.context.empty:
        return [Fit() for _ in some]
    everyone = list(dict.fromkeys((*some, *among)))
    numbers = {paper: number for paper in everyone if (number := papers.number_of(reader.store, paper)) is not None}
    strangers = [paper for paper in everyone if paper not in numbers]
    comparison = TasteComparison(reader.store, reader.context, strangers)
    positions = {paper: comparison.place_of_other(index) for index, paper in enumerate(strangers)}
    positions |= {paper: comparison.index[number] for paper, number in numbers.items() if number in comparison.index}
    known_papers = [paper for paper in dict.fromkeys(some) if paper in positions]
    scores = scored(comparison, [positions[paper] for paper in known_papers], GROUNDS)
    by_paper = {paper: _fit(comparison, paper, score) for paper, score in zip(known_papers, scores, strict=True)}
    unwanted = {paper: number for paper, number in numbers.items() if number in reader.context.unwanted}
    by_paper |= {paper: Fit(against=Ground(number, 0.0)) for paper, number in unwanted.items()}
    return [by_paper.get(paper, Fit()) for paper in some]


def _fit(comparison: TasteComparison, paper: Paper, of: Scored) -> Fit:
    grounds = (_ground_at(comparison, index, share, paper) for index, share in of.shares)
    against = None if of.against is None else _ground_at(comparison, of.against, 0.0, paper)
    return Fit(of.score, tuple(filter(None, grounds)), against)


def _ground_at(comparison: TasteComparison, index: int, share: float, candidate: Paper) -> Ground | None:
    """Return what `candidate` shares with the paper of the history at `index`; None for the person's own lines."""
    number = comparison.number(index)
    return None if number is None else ground_of(comparison, number, share, candidate)


def ground_of(
    comparison: TasteComparison, number: int, share: float, candidate: Paper, mine: int | None = None
) -> Ground | None:
    """Return what `candidate` (number `mine`, if in the library) shares with the paper `number` of the history; None
    if that has left the library. Raises `CacheError`."""
    if number not in comparison.index:
        return None
    paper = comparison.paper(comparison.index[number])
    cited = papers.cited_names(comparison.store, mine) if mine is not None else ()
    return ground(number, share, candidate, paper, cited, papers.cited_names(comparison.store, number))


def named_in(reader: ReaderContext, some: Iterable[Fit]) -> tuple[HistoryPaper, ...]:
    """Return the papers of the history that explain these scores, each once. Raises `CacheError`."""
    context = reader.context
    grounds = [ground for fit in some for ground in (*fit.grounds, *filter(None, [fit.against]))]
    numbers = [PaperId(number) for number in dict.fromkeys(ground.number for ground in grounds)]
    return tuple(history_papers(reader.store, numbers, {**context.wanted, **context.unwanted}, context.acts))


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
    theirs, phrases = _word_index(f"{history_paper.title} . {history_paper.abstract}")
    title_words = _word_index(f"{candidate.title} . {history_paper.title}")[1]
    by_phrase: dict[str, tuple[float, str]] = {}
    for text, worth in ((candidate.title, 2.0), (candidate.abstract, 1.0)):
        for phrase in _phrases_in(text, theirs, phrases):
            folded = phrase.casefold()
            is_term = folded in title_words or len(_words(phrase)) > 1
            if is_term and folded not in by_phrase and (is_distinctive := _telling(phrase)):
                by_phrase[folded] = (worth * is_distinctive, phrase)
    best: list[str] = []
    for _, phrase in sorted(by_phrase.values(), key=lambda pair: (-pair[0], pair[1])):
        mine = {*terms(phrase)}
        if not any(mine & {*terms(other)} for other in best):
            best.append(phrase)
        if len(best) == MOST_PHRASES:
            break
    return tuple(best)


def _phrases_in(text: str, theirs: str, phrases_there: Set[str]) -> list[str]:
    """Return the longest runs of words of `text` that occur in `theirs` and begin and end with a meaningful word."""
    spans = _spans(text)
    phrases, at = [], 0
    while at < len(spans):
        if spans[at][2] not in phrases_there:
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
    """Return the lowercase words of `text`, with a bar wherever punctuation separates two of them."""
    words: list[str] = []
    last = 0
    for match in _WORD.finditer(text):
        if words and text[last : match.start()].strip():
            words.append("|")
        words.append(match[0].casefold())
        last = match.end()
    return tuple(words)
