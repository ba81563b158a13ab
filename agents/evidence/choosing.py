"""The sentences of papers that bear on a question, from abstracts and pages of PDFs.

A sentence is scored by the terms of the question in it, weighted by their rarity in science; then by what its title and
neighbors add, by the whole paper, and by whether it reports a finding: abstracts do so briefly and near the end. Of 278
held-out SciFact claims, each put to its paper and nine similar ones, 69 % have a sentence chosen by experts among the
first three quotes; with BM25 of sentences it is 51 % (`tests/benchmarks/evidence.py`).
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from agents.builtin.ranking.topic_coverage import TopicTerms
from agents.builtin.text.excerpts import TELLS
from agents.builtin.text.pages import Pages, no_pages, prose
from agents.builtin.text.sentences import LONGEST_QUOTE, sentences
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from agents.evidence.amounts import Amount, amount
from agents.evidence.empty_sentences import says_nothing
from cache.passages import Passage
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS
from connectors.query.terms import cut_at_word

BEARS = 0.5
"""Least share of a question, by the rarity of its words, that a sentence of a paper on it has, with its neighbors and
the paper's record."""
A_PAPER, ONLY = 2, 3
"""Maximum number of sentences from each of several papers, and from an only paper."""
MOST_PASSAGES, ROOM = 4, 700
"""Maximum number of sentences from a paper's pages that are read beside its abstract, and of their letters in total."""
_SHARED = 2
"""Number of the question's terms that such a sentence must have, or all if there are fewer."""
_AROUND, _PLACE, _FINDING, _ANSWERS = 0.3, 0.2, 0.1, 2
ON_PAGE = 0.5
"""Position assumed for sentences on a page, as if in the middle of an abstract."""
_LONGEST = 600
_NO_SENTENCE = re.compile(r"©|\bcopyright\b|all rights reserved|https?:|…$", re.IGNORECASE)

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Evidence(Generic[Key]):
    """A sentence, verbatim, from the abstract of a paper or the `page` of its PDF; `worth` is its score."""

    paper: Key
    text: str
    page: int | None
    worth: float


class SentenceTerms(NamedTuple):
    """A sentence with its terms, those of its neighbors, and its position in the text from 0 to 1."""

    text: str
    page: int | None
    own: frozenset[str]
    around: frozenset[str]
    place: float


def evidence(
    question: str,
    papers: Mapping[Key, Paper],
    pages: Callable[[Paper], Pages] = no_pages,
    a_paper: int = A_PAPER,
    bears: float = BEARS,
) -> list[Evidence[Key]]:
    """Return the sentences of `papers` that bear on `question`, best first, at most `a_paper` of each.

    A sentence shared by several papers appears once. Papers of which no sentence, with its neighbors and the paper's
    record, has `bears` of the question are skipped. If it asks for a number, sentences with such a number count twice.
    """
    number = amount(question)
    question_terms = TopicTerms(number.subject if number else question)
    pieces: list[Evidence[Key]] = []
    for key, paper in papers.items():
        title, record = frozenset(terms(paper.title)), record_terms(paper)
        paper_terms = record.union(terms(paper.abstract))
        all_lines = (*lines(paper.abstract), *_page_lines(pages(paper)))
        rows = [_with_number(line, number) for line in all_lines] if number else [(line, 0.0) for line in all_lines]
        sharing = [(line, answers) for line, answers in rows if question_terms.share(line.own)]
        if any(question_terms.coverage(line.own | line.around | record) >= bears for line, _ in sharing):
            for line, answers in sharing:
                if may_be_quoted(line.text):
                    value = _ANSWERS**answers * worth(question_terms, line, title, paper_terms)
                    pieces.append(Evidence(key, line.text, line.page, value))
    pieces.sort(key=lambda piece: -piece.worth)
    return list(_first(pieces, a_paper))


def has_all_words(question: str, paper: Paper, text: str) -> bool:
    """Whether the record of `paper` and `text` have all words of `question` on its subject, in any form. A number
    stands for the words that ask for it, and its noun for a near synonym in the question."""
    number = amount(question)
    held = {*record_terms(paper), *terms(text), *terms(" ".join(QUESTION_WORDS))}
    if number and number.counted and number.answers(text) == 1:
        held.add(number.counted)
    return held.issuperset(terms(number.subject if number else question))


def record_terms(paper: Paper) -> frozenset[str]:
    """Return the terms by which a question may name a paper: those of its title, authors, year and venue."""
    names = " ".join(author.name for author in paper.authors)
    return frozenset(terms(f"{paper.title} {names} {paper.year or ''} {paper.venue or ''}"))


def _with_number(line: SentenceTerms, number: Amount) -> tuple[SentenceTerms, float]:
    """Return a sentence, with the term of what is counted if it counts that, and how well it has the number."""
    answers = number.answers(line.text)
    return (line._replace(own=line.own | {number.counted}) if answers == 1 and number.counted else line), answers


def _first(pieces: Sequence[Evidence[Key]], a_paper: int) -> Iterator[Evidence[Key]]:
    counts, texts = Counter[Key](), set[str]()
    for evidence in pieces:
        if counts[evidence.paper] < a_paper and (letters := letters_of(evidence.text)) not in texts:
            counts[evidence.paper] += 1
            texts.add(letters)
            yield evidence


def near_passages(question: str, pages: Pages, paper: Paper) -> list[Passage]:
    """Return a few sentences of `pages` that say most about `question` and are not in the title or abstract of `paper`,
    in page order."""
    question_terms, title = TopicTerms(question), frozenset(terms(paper.title))
    abstract_letters = letters_of(f"{paper.title} {paper.abstract}")
    question_stems = frozenset(terms(question))
    page_lines = [
        line for line in _page_lines(pages) if len(question_stems & line.own) >= min(_SHARED, len(question_stems))
    ]
    passages: list[Passage] = []
    for line in sorted(page_lines, key=lambda line: -worth(question_terms, line, title, title)):
        letters = letters_of(line.text)
        fits = sum(len(passage.text) for passage in passages) + len(line.text) <= ROOM
        if fits and line.page and letters not in abstract_letters and len(passages) < MOST_PASSAGES:
            abstract_letters += letters
            passages.append(Passage(line.page, line.text))
    return sorted(passages, key=lambda passage: (passage.page, pages[passage.page].find(passage.text)))


@lru_cache(maxsize=4_096)  # a search looks at its papers repeatedly
def best_quote(question: str, title: str, text: str) -> str:
    """Return the sentence of `text` that says most about `question`, cut between words if it is long; "" if none shares
    a term with it."""
    question_terms, title_terms = TopicTerms(question), frozenset(terms(title))
    bearing = [line for line in lines(text) if question_terms.share(line.own)]
    best = max(bearing, key=lambda line: worth(question_terms, line, title_terms, title_terms), default=None)
    return cut_at_word(best.text, LONGEST_QUOTE) if best else ""


def worth(
    question_terms: TopicTerms, line: SentenceTerms, title: frozenset[str], paper_terms: Collection[str]
) -> float:
    """Return the score of a sentence for the question; `title` and `paper_terms` are the terms of its paper."""
    line_share = question_terms.share(line.own)
    context_share = question_terms.share(line.own | line.around | title) - line_share
    finding = _FINDING if TELLS.search(line.text) else 0.0
    return (line_share + _AROUND * context_share + question_terms.share(paper_terms)) * (
        1 + _PLACE * line.place + finding
    )


def may_be_quoted(text: str) -> bool:
    """Whether a sentence is not too long, free of links and the like, and says something of its subject."""
    return len(text) <= _LONGEST and not _NO_SENTENCE.search(text) and not says_nothing(text)


def lines(text: str) -> list[SentenceTerms]:
    """Return the sentences of an abstract."""
    all_sentences = sentences(text)
    return [SentenceTerms(sentence, None, stems, near, index / max(len(all_sentences) - 1, 1))
            for index, (sentence, (stems, near))
            in enumerate(zip(all_sentences, _with_near(all_sentences), strict=True))]  # fmt: skip


def _page_lines(pages: Pages) -> Iterator[SentenceTerms]:
    """Yield the sentences in the running text of pages."""
    for page, stretch in prose(pages):
        all_sentences = sentences(stretch)
        for sentence, (stems, near) in zip(all_sentences, _with_near(all_sentences), strict=True):
            yield SentenceTerms(sentence, page, stems, near, ON_PAGE)


def _with_near(all_sentences: Sequence[str]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Return the terms of each sentence, and those of its neighbors."""
    all_stems = [frozenset(terms(sentence)) for sentence in all_sentences]
    empty = frozenset[str]()
    rows = zip(all_stems, (empty, *all_stems), (*all_stems[1:], empty), strict=False)
    return [(stems, before | after) for stems, before, after in rows]
