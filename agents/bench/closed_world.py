"""A collection as a source: the whole world of a measured search.

Documents hidden from a question are never found, looked up, followed, counted or named in references. A hidden paper
used as a seed would reveal its own reference list and inflate the results.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import sqrt
from typing import Literal, Protocol, TypeVar

from agents.bench.collections import Collection, Document, Gold, GoldQuestion, Question
from agents.bench.judges import SimulatedJudge, chance
from agents.bench.measures import relevant
from agents.builtin import lazy_numpy as np
from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.builtin.text.terms import terms
from agents.meaning.kept import KeptVectors
from agents.run.resources import Resources
from connectors.capability import Capability
from connectors.errors import NotFound
from connectors.identifiers import Identifier, Scheme
from connectors.paper import Paper
from connectors.records.build import author_from_name, build_paper, partial_date
from connectors.source import Answer, Query, Source

NAME = "collection"
_PREFIX = "10.5555/"
"""Prefix of example DOIs: as two documents have different DOIs, they are never merged, even if they share title,
author and year."""


class ClosedWorld(Source):
    """A collection as a source that never fails or waits; `for_question` returns the view of one question."""

    name = NAME
    capabilities = frozenset(
        {Capability.SEARCH, Capability.LOOKUP, Capability.REFERENCES, Capability.CITATIONS, Capability.CITING_ANY}
    )
    schemes: tuple[Scheme, ...] = ("doi",)

    def __init__(self, collection: Collection, question: Question | None = None, shelf: "_Shelf | None" = None) -> None:
        self._shelf = shelf or _Shelf(collection)
        self._collection = collection
        self._hidden = self._shelf.hidden_from(question or Question("", ""))
        self._seen: dict[int, Paper] = {}
        self.requests = 0
        """Number of requests to this view."""

    def for_question(self, question: Question) -> "ClosedWorld":
        """Return the view of this question; it shares the index."""
        return ClosedWorld(self._collection, question, self._shelf)

    async def search(self, query: Query) -> Answer:
        self.requests += 1
        scores = self._scores(query)
        best_documents = best(scores, query.limit)
        return Answer(tuple(map(self._paper, best_documents)), total=int((scores > 0).sum()), sent=(query.text,))

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        self.requests += 1
        return Answer(tuple(self._paper(number) for number in dict.fromkeys(self._numbers(names))))

    async def references(self, paper: Paper, limit: int) -> Answer:
        self.requests += 1
        return self._listed(self._shelf.references[self._number(paper)], limit)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        self.requests += 1
        return self._listed(self._shelf.citations[self._number(paper)], limit)

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        self.requests += 1
        cited = [number for paper in papers for number in self._numbers(paper.identifiers)]
        if not cited:
            raise NotFound(self.name, "has none of these papers.")
        citing = self._visible({citing for number in cited for citing in self._shelf.citations[number]})
        fame = {number: len(self._visible(self._shelf.citations[number])) for number in citing}
        return self._listed(sorted(citing, key=lambda number: (-fame[number], number)), limit)

    def ranking(self, query: Query) -> list[tuple[str, float]]:
        """Return document ids with BM25 scores, best first, as `search` does but without building papers."""
        return self._named(self._scores(query), query.limit)

    def rival_ranking(self, question: str, limit: int) -> list[tuple[str, float]]:
        """Like `ranking`, by the strongest plain method, with feedback and links (`rival_scores`)."""
        shelf = self._shelf
        library = RivalLibrary(shelf.index, shelf.texts, shelf.references, shelf.citations, self._hidden)
        return self._named(rival_scores(library, question), limit)

    def document_id(self, paper: Paper) -> str | None:
        """Return the id in the collection of a paper from this source; None for other papers and hidden ones."""
        return next((self._shelf.documents[number].id for number in self._numbers(paper.identifiers)), None)

    def paper(self, document: str) -> Paper | None:
        """Return the paper of a document id as this view shows it; None if it does not exist or is hidden."""
        number = self._shelf.numbers.get(document)
        return None if number is None or self._hidden[number] else self._paper(number)

    def _named(self, scores: "np.Floats", limit: int) -> list[tuple[str, float]]:
        return [(self._shelf.documents[number].id, float(scores[number])) for number in best(scores, limit)]

    def _scores(self, query: Query) -> "np.Floats":
        scores = self._shelf.index.scores(query.text)
        scores[self._hidden] = 0
        years = self._shelf.years
        if query.since:
            scores[years < query.since.year] = 0
        if query.until:
            scores[(years > query.until.year) | (years == _NO_YEAR)] = 0
        return scores

    def _numbers(self, names: Iterable[Identifier]) -> list[int]:
        numbers = (self._shelf.number_of(name) for name in names)
        return [number for number in numbers if number is not None and not self._hidden[number]]

    def _number(self, paper: Paper) -> int:
        numbers = self._numbers(paper.identifiers)
        if not numbers:
            raise NotFound(self.name, "does not have this paper.")
        return numbers[0]

    def _listed(self, numbers: Sequence[int], limit: int) -> Answer:
        visible = self._visible(numbers)
        return Answer(tuple(map(self._paper, visible[: max(limit, 0)])), total=len(visible))

    def _visible(self, numbers: Iterable[int]) -> list[int]:
        return [number for number in numbers if not self._hidden[number]]

    def _paper(self, number: int) -> Paper:
        if number not in self._seen:
            paper = self._shelf.paper(number)
            cited, citing = self._shelf.references[number], self._shelf.citations[number]
            if self._hidden[cited + citing].any():
                visible = tuple(map(_name, self._visible(cited)))
                paper = replace(paper, references=visible, citation_count=len(self._visible(citing)))
            self._seen[number] = paper
        return self._seen[number]


_NO_YEAR = -1


class _Shelf:
    """The data shared by all views of a collection; documents are numbered."""

    def __init__(self, collection: Collection) -> None:
        self.documents = collection.documents
        self.numbers = {document.id: number for number, document in enumerate(self.documents)}
        years = (document.year for document in self.documents)
        self.years = np.array([year if year in range(10_000) else _NO_YEAR for year in years], dtype=int)
        self.references = [self._cited(document) for document in self.documents]
        self.citations: list[list[int]] = [[] for _ in self.documents]
        for number, cited in enumerate(self.references):
            for other in cited:
                self.citations[other].append(number)
        self._has_links = any(self.references)
        self.texts = [document.text for document in self.documents]
        self.index = Bm25Index(self.texts)
        self._papers: dict[int, Paper] = {}

    def hidden_from(self, question: Question) -> "np.Mask":
        """Return the documents hidden from `question`. Only years are known: documents of the year of `before` are
        visible."""
        hidden: np.Mask = np.zeros(len(self.documents), dtype=bool)
        if question.before:
            hidden |= self.years > question.before.year
        hidden[[self.numbers[hidden_id] for hidden_id in question.exclude if hidden_id in self.numbers]] = True
        return hidden

    def number_of(self, name: Identifier) -> int | None:
        digits = name.value.removeprefix(_PREFIX) if name.scheme == "doi" else ""
        number = int(digits) if digits.isdecimal() else None
        return number if number is not None and number < len(self.documents) else None

    def paper(self, number: int) -> Paper:
        """Return the document's record with all its links, built on first use."""
        if number not in self._papers:
            document = self.documents[number]
            self._papers[number] = build_paper(
                NAME,
                title=document.title,
                abstract=document.abstract,
                authors=[person for name in document.authors if (person := author_from_name(name))],
                date=partial_date(document.year),
                venue=document.venue,
                identifiers=[_name(number)],
                citation_count=len(self.citations[number]) if self._has_links else None,
                references=map(_name, self.references[number]),
                keywords=document.keywords,
            )
        return self._papers[number]

    def _cited(self, document: Document) -> list[int]:
        numbers = (self.numbers.get(cited) for cited in dict.fromkeys(document.references) if cited != document.id)
        return [number for number in numbers if number is not None]


def _name(number: int) -> Identifier:
    return Identifier("doi", f"{_PREFIX}{number}")


Half = Literal["tune", "report", "all"]


class HasId(Protocol):
    """Something measured one by one: a question or a person."""

    @property
    def id(self) -> str:
        """The id that decides the half."""


Item = TypeVar("Item", bound=HasId)


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its resources and labels. `world` is the collection as the question sees it; None in live
    search. `today` is the day of the question; None for the day of the measurement."""

    question: Question
    resources: Resources
    grades: Mapping[str, int]
    document_of: Callable[[Paper], str | None]
    world: ClosedWorld | None = None
    today: date | None = None

    def judge(self, error: float, seed: int) -> SimulatedJudge:
        """Return a judge that knows this question's labels and errs with probability `error`."""
        return SimulatedJudge(self.question.id, self.grades, self.document_of, error, seed)


def answerable(collection: Collection) -> list[Question]:
    """Return the questions with a relevant document: only these can be measured."""
    return [question for question in collection.questions if relevant(collection.grades.get(question.id, {}))]


def closed_cases(
    collection: Collection, questions: Iterable[Question], embeddings: KeptVectors | None = None
) -> Iterator[Case]:
    """Yield each question with the closed world of `collection`, indexed once; `embeddings` compare meanings in it."""
    world = ClosedWorld(collection)
    newest = _last_day(collection)
    for question in questions:
        view = world.for_question(question)
        grades = collection.grades.get(question.id, {})
        resources = Resources(live={NAME: view}, embeddings=embeddings)
        yield Case(question, resources, grades, view.document_id, view, question.asked or question.before or newest)


def _last_day(collection: Collection) -> date | None:
    """Return the end of the newest year in the collection, so that "recent" keeps its meaning over the years."""
    years = [
        document.year
        for document in collection.documents
        if document.year and date.min.year <= document.year <= date.max.year
    ]
    return date(max(years), 12, 31) if years else None


def live_cases(questions: Iterable[GoldQuestion], resources: Resources) -> Iterator[Case]:
    """Yield each question with a person's own resources."""
    for gold_question in questions:
        gold = Gold(gold_question.papers)
        yield Case(gold_question.question, resources, gold.grades, gold.document_of)


def chosen(questions: Sequence[Item], half: Half = "all", most: int | None = None, seed: int = 0) -> list[Item]:
    """Return at most `most` questions of one half, shuffled by `seed`. The half depends on the question's id only:
    constants tuned on one half are reported on the other."""
    within = [
        question for question in questions if half in ("all", "tune" if chance("half", question.id) < 0.5 else "report")
    ]
    return sorted(within, key=lambda question: chance(seed, "order", question.id))[:most]


FEEDBACK_PAPERS, FEEDBACK_TERMS = 10, 20
OWN_SHARE = 0.6
"""Weight of the question's own terms in the expanded query; the rest goes to terms of the top documents."""
LINKED = 50
"""Number of top documents whose links count."""
LINKS = 0.5
"""Maximum weight of links; words weigh at most 1."""
CITES, TOGETHER = 0.5, 0.5
"""Weight of a link to a top document, and of a reference or citing paper shared with one, relative to a link from
one."""


@dataclass(frozen=True, slots=True)
class RivalLibrary:
    """The data that the rival reads: an index, texts and links by number, without `hidden` documents."""

    index: Bm25Index
    texts: Sequence[str]
    references: Sequence[Sequence[int]]
    citations: Sequence[Sequence[int]]
    hidden: "np.Mask"


def rival_scores(library: RivalLibrary, question: str) -> "np.Floats":
    """Return the score of every document for `question`, by number; 0 for unrelated documents."""
    own = _shares(Counter(terms(question)))
    first = _visible(library, library.index.weighted(own))
    documents = [(float(first[number]), terms(library.texts[number])) for number in best(first, FEEDBACK_PAPERS)]
    words = _visible(library, library.index.weighted(expanded(own, documents)))
    highest = words.max(initial=0)
    if not highest:
        return words
    words = words / highest
    leading = {number: float(words[number]) for number in best(words, LINKED)}
    return _visible(library, words + LINKS * linked(library, leading))


def expanded(own: Mapping[str, float], documents: Iterable[tuple[float, Sequence[str]]]) -> dict[str, float]:
    """Return the terms of the query and of feedback `documents`, weighted (RM3, Abdul-Jaleel and others 2004)."""
    model: defaultdict[str, float] = defaultdict(float)
    for weight, document in documents:
        for term, share in _shares(Counter(document)).items():
            model[term] += weight * share
    likeliest = sorted(model, key=lambda term: (-model[term], term))[:FEEDBACK_TERMS]
    shares = _shares({term: model[term] for term in likeliest})
    if not shares:
        return dict(own)
    return {
        term: OWN_SHARE * own.get(term, 0.0) + (1 - OWN_SHARE) * shares.get(term, 0.0)
        for term in dict.fromkeys((*own, *shares))
    }


def linked(library: RivalLibrary, leading: Mapping[int, float]) -> "np.Floats":
    """Return how closely citations connect each document with the weighted documents `leading`, from 0 to 1.

    Four links count: the leading document cites it (less if many cite it); it cites the leading document (less if it
    cites many); both share references (Kessler 1963); both are cited together (Small 1973).
    """
    scores = np.zeros(library.index.size)
    for number, weight in leading.items():
        for cited in _seen(library, library.references[number]):
            citing = _seen(library, library.citations[cited])
            scores[cited] += weight / sqrt(1 + len(citing))
            _share_out(scores, citing, number, TOGETHER * weight / (1 + len(citing)))
        for citing_one in _seen(library, library.citations[number]):
            cited_too = _seen(library, library.references[citing_one])
            scores[citing_one] += CITES * weight / sqrt(1 + len(cited_too))
            _share_out(scores, cited_too, number, TOGETHER * weight / (1 + len(cited_too)))
    highest = scores.max(initial=0)
    return scores / highest if highest else scores


def _share_out(scores: "np.Floats", numbers: Sequence[int], but: int, worth: float) -> None:
    for number in numbers:
        if number != but:
            scores[number] += worth


def _seen(library: RivalLibrary, numbers: Sequence[int]) -> list[int]:
    return [number for number in numbers if not library.hidden[number]]


def _visible(library: RivalLibrary, scores: "np.Floats") -> "np.Floats":
    scores[library.hidden] = 0
    return scores


def _shares(counts: Mapping[str, float]) -> dict[str, float]:
    whole = sum(counts.values())
    return {term: count / whole for term, count in counts.items()} if whole else {}
