"""Measure collections, so that finished parts can be printed at any time."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from operator import attrgetter
from pathlib import Path
from typing import Any

from agents.bench.questions import CollectionError
from agents.llm.budget import Budget
from agents.llm.errors import ModelError
from agents.llm.model import Model
from agents.meaning.kept import KeptVectors
from agents.search.options import SearchOptions
from agents.summary.options import SummaryOptions
from cache.store import Store
from spar_tui.cli.verbs.corpus import encoder_of
from spar_tui.errors import Failure, UsageError
from spar_tui.terminal import ProgressLine, say, say_json
from spar_tui.workspace import model_to_measure, open_workspace, read_settings
from tests.benchmarks.measuring.closed_world import answerable, chosen, closed_cases
from tests.benchmarks.measuring.collections import Collection, Question, is_collection, questions_among, read_collection
from tests.benchmarks.measuring.run import SEMANTIC, Terms, run, summary
from tests.benchmarks.measuring.summary import measuring as summaries
from tests.benchmarks.measuring.summary.judges import ModelJudge, TextJudge
from tests.benchmarks.measuring.summary.rubrics import read_rubrics
from tests.benchmarks.measuring.table import table

FOLDER = "bench-vectors"
"""Name of the folder, beside the library."""


@asynccontextmanager
async def measured_vectors() -> AsyncIterator[KeptVectors]:
    """Yield the encoder for a measurement, with its vectors stored beside the library. Raises `UsageError` if there
    is no encoder."""
    settings = read_settings()
    async with open_workspace(settings, [], settings.preferences.offline, model=True) as workspace:
        encoder = encoder_of(workspace, settings)
        with Store.open(settings.places.database.parent / FOLDER / "texts.db") as store:
            yield KeptVectors(encoder, store)


class Measuring(ABC):
    """Measures one collection after another."""

    cases = "questions"
    """The unit of progress."""
    none_known = "no question of this half has a known answer"
    case_of: Callable[[Any], object] = attrgetter("question")
    """Return the question or person of a row."""
    lines_of: Callable[[Mapping[str, Any]], list[str]]
    """Return the figures of a collection as lines."""

    def __init__(self, terms: Any, most: int | None, plain: bool) -> None:
        self._terms, self._most = terms, most
        self._line = ProgressLine(plain)
        self._rows: list[tuple[str, list[Any]]] = []
        self._planned = 0

    def measure(self, path: Path) -> None:
        """Measure the collection at `path`. Raises `UsageError` if it cannot be read."""
        try:
            self._measure(path)
        except CollectionError as error:
            raise UsageError(str(error)) from None

    @property
    def finished(self) -> str:
        """Return the progress, as in `12 of 55 questions`."""
        done = sum(len(set(map(self.case_of, rows))) for _, rows in self._rows)
        return f"{done} of {self._planned} {self.cases}"

    def tell(self, as_json: bool) -> None:
        """Print the finished results: one object for one collection, `{"collections": […]}` for several; or their
        lines."""
        results = [self._report(name, rows) for name, rows in self._rows if rows]
        if as_json:
            say_json(results[0] if len(results) == 1 else {"collections": results})
        else:
            for index, result in enumerate(results):
                say(*([""] if index else []), *self.lines_of(result))

    @abstractmethod
    def _measure(self, path: Path) -> None:
        """Measure one collection."""

    @abstractmethod
    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        """Return the figures of a collection as an object."""

    def _chosen(self, cases: Sequence[Any], path: Path) -> list[Any]:
        some = chosen(cases, self._terms.half, self._most, self._terms.seed)
        if not some:
            raise UsageError(f"{path}: {self.none_known}, so there is nothing to measure.")
        return some

    @contextmanager
    def _counting(self, name: str, count: int) -> Iterator[Callable[[Sequence[Any]], None]]:
        """Count the cases of one collection; yield a function that takes all rows of one case, so that comparisons
        use the same cases."""
        rows: list[Any] = []
        self._rows.append((name, rows))
        self._planned += count
        done = 0

        def more(of_case: Sequence[Any]) -> None:
            nonlocal done
            rows.extend(of_case)
            done += 1
            self._line.tell(f"{name} {done}/{count}")

        self._line.tell(f"{name} 0/{count}")
        try:
            yield more
        finally:
            self._line.tell("")


class MeasuringSearches(Measuring):
    """Measures searches for the questions of collections."""

    lines_of = staticmethod(table)

    def __init__(self, terms: Terms, most: int | None, error: float | None, arms: list[str], plain: bool) -> None:
        super().__init__(terms, most, plain)
        self._error, self._arms = error, arms

    def _measure(self, path: Path) -> None:
        asyncio.run(self._measure_closed(path))

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return summary(name, rows, self._terms)

    async def _measure_closed(self, path: Path) -> None:
        if not is_collection(path):
            raise UsageError(f"{path} is not a collection: it needs a folder with docs.jsonl.")
        collection = read_collection(path)
        questions = self._chosen(answerable(collection), path)
        async with measured_vectors() if SEMANTIC in self._arms else nullcontext() as embeddings:
            cases = closed_cases(collection, questions, embeddings)
            options = SearchOptions(limit=self._terms.limit, mode=self._terms.mode, seed=self._terms.seed)
            with self._counting(collection.name, len(questions)) as more:
                async for of_question in run(cases, self._arms, options, self._error, self._terms.seed):
                    more(of_question)


class MeasuringSummaries(Measuring):
    """Measures summaries of the questions of collections."""

    lines_of = staticmethod(summaries.lines_of)

    def __init__(
        self,
        terms: Terms,
        most: int | None,
        plain: bool,
        options: SummaryOptions,
        judged_by_model: bool,
        by_model: bool,
        documents: str | None,
    ) -> None:
        super().__init__(terms, most, plain)
        self._tree, self._judged_by_model, self._by_model = options, judged_by_model, by_model
        self._documents = Path(documents) if documents else None

    def _measure(self, path: Path) -> None:
        asyncio.run(self._measure_closed(path))

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return summaries.report(
            name, rows, self._terms.half, self._tree, "a model" if self._judged_by_model else "words"
        )

    async def _measure_closed(self, path: Path) -> None:
        collection, questions = self._read(path)
        yardsticks = read_rubrics(path)
        with self._counting(collection.name, len(questions)) as more:
            async with self._mind() as (judge, model):
                async for row in summaries.measure(
                    closed_cases(collection, questions), yardsticks, self._tree, judge, model
                ):
                    more([row])

    def _read(self, path: Path) -> tuple[Collection, list[Question]]:
        """Return the collection with the chosen questions; if it has no documents, it gets others."""
        if self._documents is None and not is_collection(path):
            raise UsageError(f"{path} is not a collection: it needs a folder with docs.jsonl, or --documents.")
        if self._documents is None:
            collection = read_collection(path)
            return collection, self._chosen(answerable(collection), path)
        if not is_collection(self._documents):
            raise UsageError(f"--documents {self._documents} is not a collection: it needs a folder with docs.jsonl.")
        collection = questions_among(path, self._documents)
        return collection, self._chosen(list(collection.questions), path)

    @asynccontextmanager
    async def _mind(self) -> AsyncIterator[tuple[TextJudge | None, Model | None]]:
        """Yield the judge and the writer, each None unless it is the person's model. Raises `Failure` if the model
        fails."""
        if not (self._judged_by_model or self._by_model):
            yield None, None
            return

        settings = read_settings()
        model_to_measure(settings)
        async with open_workspace(settings, [], settings.preferences.offline, model=True) as workspace:
            model = workspace.resources.model
            assert model is not None
            try:
                yield ModelJudge(model, Budget()) if self._judged_by_model else None, model if self._by_model else None
            except ModelError as error:
                raise Failure(f"{error.sentence} Its answers are stored; run the command again.") from None
