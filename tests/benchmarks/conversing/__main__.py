"""Measure `spar chat` with a simulated person and with single requests:
`python -m tests.benchmarks.conversing COLLECTION…`. A collection has people's libraries, or else questions."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agents.llm.model import Model
from spar_tui.errors import UsageError
from spar_tui.workspace import model_to_measure, read_settings
from tests.benchmarks.conversing import report
from tests.benchmarks.conversing.measuring import SYSTEMS, WITHOUT, ConversingRow, PeopleTasks, Questions
from tests.benchmarks.conversing.plain_ways import PlainWays
from tests.benchmarks.conversing.report import ConversingTerms
from tests.benchmarks.conversing.world import NOBODY, Desk, Mind
from tests.benchmarks.measuring.closed_world import answerable
from tests.benchmarks.measuring.collections import is_collection, read_collection
from tests.benchmarks.measuring.measuring_cases import Measuring
from tests.benchmarks.people import NOBODY_KNOWN, measure, parser_of
from tests.benchmarks.recommending.world import has_users, read_libraries


class MeasuringConversations(Measuring):
    """Measures conversations with the people of collections, or else about their questions."""

    cases = "people and questions"
    case_of, lines_of = attrgetter("case"), staticmethod(report.lines_of)

    def __init__(self, terms: ConversingTerms, most: int | None, arms: Sequence[str], by_model: bool) -> None:
        super().__init__(terms, most, plain=False)
        self._arms, self._by_model = list(dict.fromkeys(["spar", *arms])), by_model
        self._of = dict[str, str]()

    def _measure(self, path: Path) -> None:
        with TemporaryDirectory() as folder, self._thinking() as mind:
            (self._people if has_users(path) else self._questions)(path, Path(folder), mind)

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return report.report(name, self._of[name], rows, self._terms)

    @contextmanager
    def _thinking(self) -> Iterator[Mind]:
        """Yield the planner: the person's model, in its own event loop, if it is to be measured; else rules."""
        if not self._by_model:
            yield NOBODY
            return

        access = model_to_measure(read_settings())
        model = Model(access)  # a stored answer would cost nothing, unlike a real turn
        with asyncio.Runner() as runner:
            try:
                yield Mind(model, runner.run)
            finally:  # the model may have learned its name by asking the endpoint
                self._terms = replace(self._terms, model=model.name or "unknown")
                runner.run(model.close())

    def _people(self, path: Path, folder: Path, mind: Mind) -> None:
        libraries = read_libraries(path)
        self.none_known = NOBODY_KNOWN
        users = self._chosen(libraries.users, path)
        self._line.tell(f"{libraries.name}: making a library of {len(libraries.documents):,} documents")
        people = PeopleTasks(Desk(libraries.documents, folder, mind), PlainWays(libraries.documents), self._terms.seed)
        self._follow(libraries.name, "people", users, lambda user: people.rows(user, self._arms))

    def _questions(self, path: Path, folder: Path, mind: Mind) -> None:
        if not is_collection(path):
            raise UsageError(f"{path} is not a collection: it needs a folder with docs.jsonl.")
        collection = read_collection(path)
        chosen = self._chosen(answerable(collection), path)
        self._line.tell(f"{collection.name}: making a library of {len(collection.documents):,} documents")
        documents = collection.documents
        questions = Questions(Desk(documents, folder, mind), PlainWays(documents), collection, self._terms.seed)
        self._follow(collection.name, "questions", chosen, lambda question: questions.rows(question, self._arms))

    def _follow(self, name: str, of: str, cases: list[Any], rows_of: Callable[[Any], Iterator[ConversingRow]]) -> None:
        self._of[name] = of
        with self._counting(name, len(cases)) as more:
            for case in cases:
                more(list(rows_of(case)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of("conversing", __doc__, SYSTEMS)
    parser.add_argument("--model", action="store_true", help="converse with your model")
    wanted = parser.parse_args(arguments)
    arms = wanted.arms or [system for system in SYSTEMS if wanted.model or system not in WITHOUT]
    if not wanted.model and (of_models := [arm for arm in arms if arm in WITHOUT]):
        parser.error(f"--arms {of_models[0]} needs --model")
    measuring = MeasuringConversations(ConversingTerms(wanted.half, wanted.seed), wanted.queries, arms, wanted.model)
    measure(parser, measuring, wanted)


if __name__ == "__main__":
    main()
