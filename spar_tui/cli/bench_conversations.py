"""The assistant measured for `spar bench --converse`."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.bench.conversing.measuring import ConversingRow
    from agents.bench.conversing.report import ConversingTerms
    from agents.bench.conversing.world import Mind


class MeasuringConversations:
    """Collections measured one after the other; what is finished can be told at any moment."""

    def __init__(
        self, terms: "ConversingTerms", most: int | None, arms: list[str], plain: bool, by_model: bool = False
    ) -> None:
        from spar_tui.terminal import ProgressLine

        self._terms, self._most, self._arms = terms, most, list(dict.fromkeys(["spar", *arms]))
        self._by_model = by_model
        self._line = ProgressLine(plain)
        self._rows: list[tuple[str, str, list[ConversingRow]]] = []
        self._planned = 0

    @property
    def finished(self) -> str:
        """`12 of 55 people and questions`."""
        return (
            f"{sum(len({row.case for row in rows}) for *_, rows in self._rows)} of {self._planned} people and questions"
        )

    def measure(self, path: Path) -> None:
        """Measure the assistant with the people, or else the questions, of `path`. Raises `UsageError` if they cannot
        be read."""
        from tempfile import TemporaryDirectory

        from agents.bench.jsonl import CollectionError
        from agents.bench.recommending.users import has_users

        try:
            with TemporaryDirectory() as folder, self._thinking() as mind:
                (self._people if has_users(path) else self._questions)(path, Path(folder), mind)
        except CollectionError as error:
            raise UsageError(str(error)) from None

    def tell(self, as_json: bool) -> None:
        """Print what is finished: one object for one collection, `{"collections": […]}` for several."""
        from agents.bench.conversing.report import lines_of, report
        from spar_tui.cli.bench_collections import tell_results

        tell_results([report(name, of, rows, self._terms) for name, of, rows in self._rows if rows], lines_of, as_json)

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
        users = self._chosen(libraries.users, path, "nobody of this half has papers held out")
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
            raise UsageError(f"{path} is no collection: a folder with docs.jsonl is expected.")
        collection = read_collection(path)
        chosen = self._chosen(answerable(collection), path, "no question of this half has a known answer")
        self._line.tell(f"{collection.name}: making a library of {len(collection.documents):,} documents")
        documents = collection.documents
        questions = Questions(Desk(documents, folder, mind), PlainWays(documents), collection, self._terms.seed)
        self._follow(collection.name, "questions", chosen, lambda question: questions.rows(question, self._arms))

    def _follow(
        self, name: str, of: str, cases: list[Any], rows_of: "Callable[[Any], Iterator[ConversingRow]]"
    ) -> None:
        rows: list[ConversingRow] = []
        self._rows.append((name, of, rows))
        self._planned += len(cases)
        try:
            for done, case in enumerate(cases):
                self._line.tell(f"{name} {done}/{len(cases)}")
                rows += list(rows_of(case))  # whole, or what is compared would not be of the same cases
        finally:
            self._line.tell("")

    def _chosen(self, cases: Any, path: Path, why_not: str) -> list[Any]:
        from agents.bench.cases import chosen

        some = chosen(cases, self._terms.half, self._most, self._terms.seed)
        if not some:
            raise UsageError(f"{path}: {why_not}, so there is nothing to measure.")
        return some
