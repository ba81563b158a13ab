"""What a system is tried on: one question, the sources to ask, and the labels to measure the answer by."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from agents.bench.closed_world import NAME, ClosedWorld
from agents.bench.collections import Collection, Question
from agents.bench.gold import Gold, GoldQuestion
from agents.bench.judges import SimulatedJudge, chance
from agents.bench.measures import relevant
from agents.run.resources import Resources
from connectors.paper import Paper

if TYPE_CHECKING:
    from agents.meaning.kept import KeptVectors

Half = Literal["tune", "report", "all"]


class Named(Protocol):
    """Whatever is measured one by one: a question, a person."""

    @property
    def id(self) -> str:
        """What decides which half it is in."""


Asked = TypeVar("Asked", bound=Named)


@dataclass(frozen=True, slots=True)
class Case:
    """A question with its resources and labels. `world` is the collection as the question sees it; None in live search.

    `today` is the day the question is asked; None is the day of the measurement.
    """

    question: Question
    resources: Resources
    grades: Mapping[str, int]
    document_of: Callable[[Paper], str | None]
    world: ClosedWorld | None = None
    today: date | None = None

    def judge(self, error: float, seed: int) -> SimulatedJudge:
        """A judge that knows this question's labels and errs with probability `error`."""
        return SimulatedJudge(self.question.id, self.grades, self.document_of, error, seed)


def answerable(collection: Collection) -> list[Question]:
    """The questions that have a relevant document: only these can be measured."""
    return [question for question in collection.questions if relevant(collection.grades.get(question.id, {}))]


def closed_cases(
    collection: Collection, questions: Iterable[Question], embeddings: "KeptVectors | None" = None
) -> Iterator[Case]:
    """Each question in the closed world of `collection`, which is indexed once; `embeddings` compare meanings in it."""
    world = ClosedWorld(collection)
    newest = _last_day(collection)
    for question in questions:
        view = world.for_question(question)
        grades = collection.grades.get(question.id, {})
        resources = Resources(live={NAME: view}, embeddings=embeddings)
        yield Case(question, resources, grades, view.document_id, view, question.asked or question.before or newest)


def _last_day(collection: Collection) -> date | None:
    """The end of the newest year in the collection: "recent" must not mean something else next year."""
    years = [
        document.year
        for document in collection.documents
        if document.year and date.min.year <= document.year <= date.max.year
    ]
    return date(max(years), 12, 31) if years else None


def live_cases(questions: Iterable[GoldQuestion], resources: Resources) -> Iterator[Case]:
    """Each question with a person's own resources."""
    for gold_question in questions:
        gold = Gold(gold_question.papers)
        yield Case(gold_question.question, resources, gold.grades, gold.document_of)


def chosen(questions: Sequence[Asked], half: Half = "all", most: int | None = None, seed: int = 0) -> list[Asked]:
    """The questions of one half, at most `most` of them, in the order of a shuffle that `seed` decides.

    Which half a question is in depends on its id alone: what was tuned on one half is reported on the other.
    """
    within = [
        question for question in questions if half in ("all", "tune" if chance("half", question.id) < 0.5 else "report")
    ]
    return sorted(within, key=lambda question: chance(seed, "order", question.id))[:most]
