"""Measure the assistant and plain systems: conversations with a simulated person, and single requests."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any, Literal

from agents.bench.collections import Collection, Document, Question
from agents.bench.conversing.simulated_person import SHOWN, TURNS, Fact, FactChooser, SimulatedPerson, drawn
from agents.bench.conversing.world import AssistantReply, Desk, Talk
from agents.bench.judges import chance
from agents.bench.measures import ndcg, relevant
from agents.bench.recommending.world import User, World
from agents.builtin import lazy_numpy as np
from agents.builtin.ranking.bm25 import Bm25Index

RANDOM, POPULARITY, SIMILARITY, BM25, FACTS = "random", "popularity", "similarity", "bm25", "similarity+bm25"
OF_PEOPLE = (RANDOM, POPULARITY, SIMILARITY)
OF_DIALOGS = (POPULARITY, SIMILARITY, FACTS)
OF_QUESTIONS = (RANDOM, POPULARITY, BM25)


class PlainSystems:
    """The documents of a collection, ordered by plain methods."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents
        self._world = World(documents)

    def order(
        self, method: str, among: Iterable[str] | None = None, history: Sequence[str] = (), words: str = "", *,
        draw: Sequence[object] = (),
    ) -> list[str]:  # fmt: skip
        """Order the documents `among` (None: all), best first: randomly, by number of links to each, by cosine with
        the `history`, by BM25 for `words`, or by the last two together."""
        scores = self._scores(method, history, words, draw)
        index = self._world.index_of
        some = range(len(self.documents)) if among is None else sorted(index[document] for document in among)
        numbers = np.array(some, dtype=int)
        return [self.documents[index].id for index in numbers[np.argsort(-scores[numbers], kind="stable")].tolist()]

    def _scores(self, method: str, history: Sequence[str], words: str, draw: Sequence[object]) -> "np.Floats":
        if method == RANDOM:
            return np.random.default_rng(int(chance("random", *draw) * 2**32)).random(len(self.documents))
        if method == POPULARITY:
            return self._world.popularity
        near = self._world.vanilla([self._world.index_of[document] for document in history]) if history else 0.0
        if method == SIMILARITY:
            return np.zeros(len(self.documents)) + near
        scores = self._index.scores(words)
        return scores if method == BM25 else _scaled(scores) + _scaled(np.zeros(len(scores)) + near)

    @cached_property
    def _index(self) -> Bm25Index:
        return Bm25Index(
            " ".join((document.text, *document.authors, str(document.year or ""))) for document in self.documents
        )


def _scaled(scores: "np.Floats") -> "np.Floats":
    """Scale scores to at most 1, so that two kinds weigh the same."""
    return scores / (float(scores.max(initial=0.0)) or 1.0)


def as_words(facts: Sequence[Fact]) -> str:
    """Return facts as a plain query."""
    return " ".join(fact.text for fact in facts)


Task = Literal["dialog", "retrieval", "ranking"]
MEASURES: Mapping[Task, tuple[str, ...]] = {
    "dialog": ("hit@5", "at@5"),
    "retrieval": ("recall@5",),
    "ranking": ("ndcg@20",),
}
PROGRAM = "spar"
WITHOUT: Mapping[str, Mapping[str, Any]] = {
    "spar-plan": {"plan_first": False},
    "spar-demonstrations": {"demonstrations": False},
    "spar-reflection": {"reflection": False},
}
"""The options of an assistant without one part of its planning: plans of more than one step, examples, or the
critic. Each needs a model, because rules do none of these."""
ASSISTANT: Mapping[str, Mapping[str, Any]] = {PROGRAM: {}, **WITHOUT}
"""The options of each assistant that differ from the defaults."""
SYSTEMS = tuple(dict.fromkeys((*ASSISTANT, *OF_DIALOGS, *OF_PEOPLE, *OF_QUESTIONS)))
CANDIDATES = 20
"""Number of papers to rank."""
SUITING = ("Which of these suit me best?", "Sort these by my taste.", "Rank these by how well they suit me.")


@dataclass(frozen=True, slots=True)
class ConversingRow:
    """A system's measures for one task with one person or question. Rows of the assistant also have the share of
    turns `understood`, the share planned by a model (`by_model`), and `calls` and `tokens` per turn."""

    task: Task
    case: str
    system: str
    measures: Mapping[str, float]


class PeopleTasks:
    """Conversations with, and single requests of, people with known libraries."""

    def __init__(self, desk: Desk, plain: PlainSystems, seed: int) -> None:
        self._desk, self._plain, self._seed = desk, plain, seed
        self._documents = {document.id: document for document in plain.documents}
        self._telling = FactChooser(plain.documents)

    def rows(self, user: User, systems: Sequence[str]) -> Iterator[ConversingRow]:
        """Yield all measures of one person."""
        yield from self._dialogs(user, systems)
        yield from self._retrieved(user, systems)
        if user.negatives:
            yield from self._ranked(user, systems)

    def simulated(self, user: User) -> tuple[str, SimulatedPerson]:
        """Return the document that this person looks for, and the person who simulates the conversation."""
        draw = (self._seed, user.user)
        target = min(user.held_out, key=lambda document: chance("target", document, *draw))
        saved = [self._documents[document] for document in user.items]
        return target, SimulatedPerson(saved, self._telling.facts(self._documents[target], saved, *draw), *draw)

    def _dialogs(self, user: User, systems: Sequence[str]) -> Iterator[ConversingRow]:
        target, person = self.simulated(user)
        for system in systems:
            if system in ASSISTANT:
                with self._desk.person(user.items) as own:
                    turn, replies = _looked_for(target, person, self._desk.talk(own, **ASSISTANT[system]))
                yield ConversingRow("dialog", user.user, system, _success(turn) | _turns(replies))
            elif system in OF_DIALOGS:
                turn = self._found_plainly(target, person, user, system)
                yield ConversingRow("dialog", user.user, system, _success(turn))

    def _found_plainly(self, target: str, person: SimulatedPerson, user: User, method: str) -> int | None:
        """Return the turn in which a plain system shows the target; each turn shows the next five, without those
        refused before."""
        candidates = {document.id for document in self._plain.documents}.difference(user.items)
        for turn in range(1, TURNS + 1):
            answer = self._plain.order(method, candidates, user.items, as_words(person.facts_until(turn)))[:SHOWN]
            if target in answer:
                return turn
            candidates.difference_update(answer)
        return None

    def _retrieved(self, user: User, systems: Sequence[str]) -> Iterator[ConversingRow]:
        _, person = self.simulated(user)
        candidates = {document.id for document in self._plain.documents}.difference(user.items)
        for system in systems:
            if system in ASSISTANT:
                with self._desk.person(user.items) as own:
                    reply = self._desk.talk(own, **ASSISTANT[system]).say(person.message(1))
                measures = _recall(reply.shown, user.held_out) | _turns([reply])
            elif system in OF_PEOPLE:
                order = self._plain.order(system, candidates, user.items, draw=(self._seed, "retrieval", user.user))
                measures = _recall(order, user.held_out)
            else:
                continue
            yield ConversingRow("retrieval", user.user, system, measures)

    def _ranked(self, user: User, systems: Sequence[str]) -> Iterator[ConversingRow]:
        draw = (self._seed, "ranking", user.user)
        candidates = shuffled([*user.held_out, *user.negatives][:CANDIDATES], *draw)
        request = drawn(SUITING, *draw)
        for system in systems:
            if system in ASSISTANT:
                with self._desk.person(user.items) as own:
                    reply = self._desk.talk(own, candidates, **ASSISTANT[system]).say(request)
                measures = _ndcg(reply.held, candidates, user.held_out) | _turns([reply])
            elif system in OF_PEOPLE:
                measures = _ndcg(
                    self._plain.order(system, candidates, user.items, draw=draw), candidates, user.held_out
                )
            else:
                continue
            yield ConversingRow("ranking", user.user, system, measures)


class Questions:
    """Single requests with known relevant documents, put to a library of all documents. Documents that a question
    excludes, or that are newer, are visible to all systems alike."""

    def __init__(self, desk: Desk, plain: PlainSystems, collection: Collection, seed: int) -> None:
        self._desk, self._plain, self._collection, self._seed = desk, plain, collection, seed

    def rows(self, question: Question, systems: Sequence[str]) -> Iterator[ConversingRow]:
        """Yield all measures of one question."""
        targets = relevant(self._collection.grades[question.id])
        draw = (self._seed, "ranking", question.id)
        by_words = self._plain.order("bm25", words=question.text)
        others = [document for document in by_words if document not in targets]
        candidates = shuffled([*sorted(targets), *others][:CANDIDATES], *draw)
        for system in systems:
            if system in ASSISTANT:
                with self._desk.person() as own:
                    reply = self._desk.talk(own, **ASSISTANT[system]).say(question.text)
                    ranked = self._desk.talk(own, candidates, **ASSISTANT[system]).say(
                        f"Rank these by relevance to “{question.text}”"
                    )
                yield ConversingRow("retrieval", question.id, system, _recall(reply.shown, targets) | _turns([reply]))
                measures = _ndcg(ranked.held, candidates, targets) | _turns([ranked])
                yield ConversingRow("ranking", question.id, system, measures)
            elif system in OF_QUESTIONS:
                order = self._plain.order(system, words=question.text, draw=draw)
                among = set(candidates)
                yield ConversingRow("retrieval", question.id, system, _recall(order, targets))
                ranking = [document for document in order if document in among]
                yield ConversingRow("ranking", question.id, system, _ndcg(ranking, candidates, targets))


def _looked_for(target: str, person: SimulatedPerson, talk: Talk) -> tuple[int | None, list[AssistantReply]]:
    """Return the turn in which the assistant shows the target, and its replies so far."""
    replies: list[AssistantReply] = []
    for turn in range(1, TURNS + 1):
        replies.append(talk.say(person.message(turn)))
        if target in replies[-1].shown[:SHOWN]:
            return turn, replies
    return None, replies


def shuffled(documents: Sequence[str], *draw: object) -> list[str]:
    """Shuffle the documents by `draw`."""
    return sorted(documents, key=lambda document: chance("shuffled", document, *draw))


def _success(turn: int | None) -> dict[str, float]:
    return {"hit@5": float(turn is not None), "at@5": float(turn if turn is not None else TURNS + 1)}


def _recall(ranking: Sequence[str], targets: Sequence[str] | set[str]) -> dict[str, float]:
    return {"recall@5": len(set(targets).intersection(ranking[:SHOWN])) / len(set(targets))}


def _ndcg(ranking: Sequence[str], candidates: Sequence[str], targets: Sequence[str] | set[str]) -> dict[str, float]:
    """Return the nDCG over the given documents only; dropped ones are not in the ranking."""
    among = set(candidates)
    ranked = [document for document in ranking if document in among]
    return {"ndcg@20": ndcg(ranked, among.intersection(targets), CANDIDATES)}


def _turns(replies: Sequence[AssistantReply]) -> dict[str, float]:
    return {
        "understood": fmean(reply.understood for reply in replies),
        "by_model": fmean(reply.by_model for reply in replies),
        "calls": fmean(reply.calls for reply in replies),
        "tokens": fmean(reply.tokens for reply in replies),
    }
