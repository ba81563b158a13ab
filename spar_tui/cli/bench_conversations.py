"""The assistant measured for `spar bench --converse`."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spar_tui.cli.bench_measuring import Measuring
from spar_tui.cli.bench_recommendations import NOBODY_KNOWN
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.bench.conversing.measuring import ConversingRow
    from agents.bench.conversing.report import ConversingTerms
    from agents.bench.conversing.world import Mind


class MeasuringConversations(Measuring):
    """Collections measured by conversations with their people, or else about their questions."""

    cases = "people and questions"

    def __init__(
        self, terms: "ConversingTerms", most: int | None, arms: list[str], plain: bool, by_model: bool = False
    ) -> None:
        super().__init__(terms, most, plain)
        self._arms, self._by_model = list(dict.fromkeys(["spar", *arms])), by_model
        self._of = dict[str, str]()

    def _measure(self, path: Path) -> None:
        from tempfile import TemporaryDirectory

        from agents.bench.recommending.users import has_users

        with TemporaryDirectory() as folder, self._thinking() as mind:
            (self._people if has_users(path) else self._questions)(path, Path(folder), mind)

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        from agents.bench.conversing.report import report

        return report(name, self._of[name], rows, self._terms)

    def _lines(self, result: "Mapping[str, Any]") -> list[str]:
        from agents.bench.conversing.report import lines_of

        return lines_of(result)

    def _case(self, row: Any) -> object:
        return row.case

    @contextmanager
    def _thinking(self) -> "Iterator[Mind]":
        """Who plans: the person's model, in an event loop of its own, if it is to be measured; else rules."""
        from agents.bench.conversing.world import NOBODY, Mind

        if not self._by_model:
            yield NOBODY
            return
        from agents.llm.model import open_model
        from spar_tui.workspace import model_to_measure, read_settings

        access = model_to_measure(read_settings())
        model = open_model(access, None)  # a remembered answer would cost nothing, which is not what a turn costs
        with asyncio.Runner() as runner:
            try:
                yield Mind(model, runner.run)
            finally:  # by then it has a name, though it may have been learned by asking
                self._terms = replace(self._terms, model=model.name or "unknown")
                runner.run(model.close())

    def _people(self, path: Path, folder: Path, mind: "Mind") -> None:
        from agents.bench.conversing.measuring import People
        from agents.bench.conversing.plain_ways import PlainWays
        from agents.bench.conversing.world import Desk
        from agents.bench.recommending.users import read_libraries

        libraries = read_libraries(path)
        self.none_known = NOBODY_KNOWN
        users = self._chosen(libraries.users, path)
        self._line.tell(f"{libraries.name}: making a library of {len(libraries.documents):,} documents")
        people = People(Desk(libraries.documents, folder, mind), PlainWays(libraries.documents), self._terms.seed)
        self._follow(libraries.name, "people", users, lambda user: people.rows(user, self._arms))

    def _questions(self, path: Path, folder: Path, mind: "Mind") -> None:
        from agents.bench.cases import answerable
        from agents.bench.collections import is_collection, read_collection
        from agents.bench.conversing.measuring import Questions
        from agents.bench.conversing.plain_ways import PlainWays
        from agents.bench.conversing.world import Desk

        if not is_collection(path):
            raise UsageError(f"{path} is not a collection: it needs a folder with docs.jsonl.")
        collection = read_collection(path)
        chosen = self._chosen(answerable(collection), path)
        self._line.tell(f"{collection.name}: making a library of {len(collection.documents):,} documents")
        documents = collection.documents
        questions = Questions(Desk(documents, folder, mind), PlainWays(documents), collection, self._terms.seed)
        self._follow(collection.name, "questions", chosen, lambda question: questions.rows(question, self._arms))

    def _follow(
        self, name: str, of: str, cases: list[Any], rows_of: "Callable[[Any], Iterator[ConversingRow]]"
    ) -> None:
        self._of[name] = of
        with self._counting(name, len(cases)) as more:
            for case in cases:
                more(list(rows_of(case)))
