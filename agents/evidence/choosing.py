"""The sentences of papers that bear on a question, from abstracts and pages of PDFs.

What counts is how much of the question a sentence says, each term by its rarity in science, and then what its title
and its neighbours add, what its paper says as a whole, and whether it tells a finding: abstracts tell theirs towards
the end, in few words. Of 278 held-back SciFact claims put to their paper and nine near ones, one of the first three
quotes is a sentence that experts chose for 69 %, by BM25 of sentences for 51 % (`tests/benchmarks/evidence.py`).
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from agents.builtin.ranking.topic_coverage import Asked
from agents.builtin.text.excerpts import TELLS
from agents.builtin.text.pages import Pages, no_pages, prose
from agents.builtin.text.sentences import LONGEST_QUOTE, sentences
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from agents.evidence.empty_sentences import says_nothing
from cache.passages import Passage
from connectors.paper import Paper

BEARS = 0.5
"""A paper speaks of a question if one of its sentences says half of it, the title and the neighbours included."""
A_PAPER = 2
"""Sentences that one paper gives at most."""
MOST_PASSAGES, ROOM = 4, 700
"""Sentences of a paper's pages that are read beside its abstract, and how many letters they may have together."""
_SHARED = 2
"""Terms of a question that such a sentence must have, if it has so many."""
_AROUND, _PLACE, _FINDING = 0.3, 0.2, 0.1
ON_PAGE = 0.5
"""A page has no place in an abstract: it counts as the middle of one."""
_LONGEST = 600
_NO_SENTENCE = re.compile(r"©|\bcopyright\b|all rights reserved|https?:|…$", re.IGNORECASE)

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Evidence(Generic[Key]):
    """A sentence exactly as it stands in the abstract of a paper or on the `page` of its PDF; `worth` orders them."""

    paper: Key
    text: str
    page: int | None
    worth: float


class Line(NamedTuple):
    """A sentence with the terms of its own and of its neighbours, and its place in the text from 0 to 1."""

    text: str
    page: int | None
    own: frozenset[str]
    around: frozenset[str]
    place: float


def evidence(
    question: str, papers: Mapping[Key, Paper], pages: Callable[[Paper], Pages] = no_pages, a_paper: int = A_PAPER
) -> list[Evidence[Key]]:
    """Return the sentences of `papers` that bear on `question`, the most telling first, `a_paper` of each at most.

    A sentence that several papers have is told once. Nothing is returned of papers that do not speak of the question.
    """
    question_terms = Asked(question)
    pieces: list[Evidence[Key]] = []
    for key, paper in papers.items():
        title, whole = frozenset(terms(paper.title)), frozenset(terms(f"{paper.title} {paper.abstract}"))
        sharing = [
            line for line in (*lines(paper.abstract), *_page_lines(pages(paper))) if question_terms.share(line.own)
        ]
        if any(question_terms.coverage(line.own | line.around | title) >= BEARS for line in sharing):
            pieces += [Evidence(key, line.text, line.page, worth(question_terms, line, title, whole))
                      for line in sharing if may_be_quoted(line.text)]  # fmt: skip
    pieces.sort(key=lambda one: -one.worth)
    return list(_first(pieces, a_paper))


def _first(pieces: Sequence[Evidence[Key]], a_paper: int) -> Iterator[Evidence[Key]]:
    given, there = Counter[Key](), set[str]()
    for evidence in pieces:
        if given[evidence.paper] < a_paper and (letters := letters_of(evidence.text)) not in there:
            given[evidence.paper] += 1
            there.add(letters)
            yield evidence


def near_passages(question: str, pages: Pages, paper: Paper) -> list[Passage]:
    """Return the few sentences of `pages` that say most of `question` and add to the title and abstract of `paper`, in
    page order."""
    question_terms, title = Asked(question), frozenset(terms(paper.title))
    abstract_letters = letters_of(f"{paper.title} {paper.abstract}")
    wanted = frozenset(terms(question))
    page_lines = [line for line in _page_lines(pages) if len(wanted & line.own) >= min(_SHARED, len(wanted))]
    chosen: list[Passage] = []
    for line in sorted(page_lines, key=lambda one: -worth(question_terms, one, title, title)):
        letters = letters_of(line.text)
        fits = sum(len(passage.text) for passage in chosen) + len(line.text) <= ROOM
        if fits and line.page and letters not in abstract_letters and len(chosen) < MOST_PASSAGES:
            abstract_letters += letters
            chosen.append(Passage(line.page, line.text))
    return sorted(chosen, key=lambda passage: (passage.page, pages[passage.page].find(passage.text)))


@lru_cache(maxsize=4_096)  # a search looks at its papers again and again
def best_quote(question: str, title: str, text: str) -> str:
    """Return the sentence of `text` that says most of `question`, cut between words if it is long; "" if none says
    anything of it."""
    question_terms, named = Asked(question), frozenset(terms(title))
    bearing = [line for line in lines(text) if question_terms.share(line.own)]
    best = max(bearing, key=lambda line: worth(question_terms, line, named, named), default=None)
    quote = best.text if best else ""
    return quote if len(quote) <= LONGEST_QUOTE else quote[:LONGEST_QUOTE].rpartition(" ")[0]


def worth(question_terms: Asked, line: Line, title: frozenset[str], whole: Collection[str]) -> float:
    """How much a sentence of a paper tells of the question; `title` and `whole` are the terms of the paper."""
    own = question_terms.share(line.own)
    added = question_terms.share(line.own | line.around | title) - own
    finding = _FINDING if TELLS.search(line.text) else 0.0
    return (own + _AROUND * added + question_terms.share(whole)) * (1 + _PLACE * line.place + finding)


def may_be_quoted(text: str) -> bool:
    """Whether a sentence is whole, not too long, and says something of its subject."""
    return len(text) <= _LONGEST and not _NO_SENTENCE.search(text) and not says_nothing(text)


def lines(text: str) -> list[Line]:
    """The sentences of an abstract."""
    all_sentences = sentences(text)
    return [Line(sentence, None, own, near, index / max(len(all_sentences) - 1, 1))
            for index, (sentence, (own, near))
            in enumerate(zip(all_sentences, _with_near(all_sentences), strict=True))]  # fmt: skip


def _page_lines(pages: Pages) -> Iterator[Line]:
    """The sentences of the running text of pages."""
    for page, stretch in prose(pages):
        all_sentences = sentences(stretch)
        for sentence, (own, near) in zip(all_sentences, _with_near(all_sentences), strict=True):
            yield Line(sentence, page, own, near, ON_PAGE)


def _with_near(all_sentences: Sequence[str]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The terms of each sentence, and those of the one before and the one behind it."""
    own = [frozenset(terms(sentence)) for sentence in all_sentences]
    empty = frozenset[str]()
    return [(mine, before | behind)
            for mine, before, behind in zip(own, (empty, *own), (*own[1:], empty), strict=False)]  # fmt: skip
