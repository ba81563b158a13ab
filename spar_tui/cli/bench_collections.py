"""Measure collections for `spar bench`, so that finished parts can be printed at any time."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agents.bench.closed_world import Case, answerable, chosen, closed_cases, live_cases
from agents.bench.collections import CollectionError, is_collection, questions_among, read_collection, read_gold
from agents.bench.conversing import report as conversing
from agents.bench.conversing.measuring import ConversingRow, PeopleTasks, PlainSystems, Questions
from agents.bench.conversing.report import ConversingTerms
from agents.bench.conversing.world import NOBODY, Desk, Mind
from agents.bench.recommending import report as recommending
from agents.bench.recommending.report import RecommendTerms
from agents.bench.recommending.systems import BASELINE, PROGRAM, WITH_VECTORS
from agents.bench.recommending.world import Libraries, World, has_users, read_libraries
from agents.bench.run import SEMANTIC, Terms, run, summary
from agents.bench.summary import measuring as summaries
from agents.bench.summary.judges import ModelJudge, TextJudge
from agents.bench.summary.rubrics import read_rubrics
from agents.bench.table import table
from agents.llm.budget import Budget
from agents.llm.errors import ModelError
from agents.llm.model import Model
from agents.search.options import SearchOptions
from agents.summary.options import SummaryOptions
from spar_tui.cli.bench_vectors import measured_vectors, vectors_of
from spar_tui.errors import Failure, UsageError
from spar_tui.terminal import ProgressLine, say, say_json
from spar_tui.workspace import model_to_measure, open_workspace, read_settings


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
        number = sum(len(set(map(self.case_of, rows))) for _, rows in self._rows)
        return f"{number} of {self._planned} {self.cases}"

    def tell(self, as_json: bool) -> None:
        """Print the finished results: one object for one collection, `{"collections": […]}` for several; or their
        lines."""
        results = [self._report(name, rows) for name, rows in self._rows if rows]
        if as_json:
            say_json(results[0] if len(results) == 1 else {"collections": results})
            return
        for index, result in enumerate(results):
            say(*([""] if index else []), *self.lines_of(result))

    @abstractmethod
    def _measure(self, path: Path) -> None:
        """Measure one collection."""

    @abstractmethod
    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        """Return the figures of a collection as an object."""

    def _chosen(self, cases: Sequence[Any], path: Path) -> list[Any]:
        if selection := chosen(cases, self._terms.half, self._most, self._terms.seed):
            return selection
        raise UsageError(f"{path}: {self.none_known}, so there is nothing to measure.")

    @contextmanager
    def _counting(self, name: str, count: int) -> Iterator[Callable[[Sequence[Any]], None]]:
        """Count the cases of one collection; yield a function that takes all rows of one case, so that comparisons
        use the same cases."""
        rows: list[Any] = []
        self._rows.append((name, rows))
        self._planned += count
        number = 0

        def more(of_case: Sequence[Any]) -> None:
            nonlocal number
            rows.extend(of_case)
            number += 1
            self._line.tell(f"{name} {number}/{count}")

        self._line.tell(f"{name} 0/{count}")
        try:
            yield more
        finally:
            self._line.tell("")


NOBODY_KNOWN = "no person of this half has held-out papers"


class MeasuringRecommendations(Measuring):
    """Measures recommendations to the people of collections."""

    cases, none_known = "people", NOBODY_KNOWN
    case_of, lines_of = attrgetter("user"), staticmethod(recommending.lines_of)

    def __init__(self, terms: RecommendTerms, most: int | None, arms: list[str], plain: bool) -> None:
        super().__init__(terms, most, plain)
        self._arms = arms

    def _measure(self, path: Path) -> None:
        if not has_users(path):
            raise UsageError(f"{path} has no libraries of people: it needs a folder with users.jsonl.")
        libraries = read_libraries(path)
        users = self._chosen(libraries.users, path)
        world = World(libraries.documents, self._terms.tag_free, self._vectors(libraries))
        baselines = [*([PROGRAM] if WITH_VECTORS in self._arms else []), BASELINE]
        systems = list(dict.fromkeys([*self._arms, *baselines]))
        with self._counting(libraries.name, len(users)) as more:
            for rows in recommending.measure(world, users, systems, self._terms.histories, self._terms.seed):
                more(rows)

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return recommending.report(name, rows, self._terms)

    def _vectors(self, libraries: Libraries) -> Mapping[int, bytes]:
        """Return the vectors of the documents by index; none if no system uses them."""
        if WITH_VECTORS not in self._arms:
            return {}
        try:
            by, vectors = asyncio.run(vectors_of(libraries, self._line))
        finally:
            self._line.tell("")
        self._terms = replace(self._terms, embedding_model=by)
        return vectors


class MeasuringConversations(Measuring):
    """Measures conversations with the people of collections, or else about their questions."""

    cases = "people and questions"
    case_of, lines_of = attrgetter("case"), staticmethod(conversing.lines_of)

    def __init__(
        self, terms: ConversingTerms, most: int | None, arms: list[str], plain: bool, by_model: bool = False
    ) -> None:
        super().__init__(terms, most, plain)
        self._arms, self._by_model = list(dict.fromkeys(["spar", *arms])), by_model
        self._of = dict[str, str]()

    def _measure(self, path: Path) -> None:
        with TemporaryDirectory() as folder, self._thinking() as mind:
            (self._people if has_users(path) else self._questions)(path, Path(folder), mind)

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return conversing.report(name, self._of[name], rows, self._terms)

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
        people = PeopleTasks(
            Desk(libraries.documents, folder, mind), PlainSystems(libraries.documents), self._terms.seed
        )
        self._follow(libraries.name, "people", users, lambda user: people.rows(user, self._arms))

    def _questions(self, path: Path, folder: Path, mind: Mind) -> None:
        if not is_collection(path):
            raise UsageError(f"{path} is not a collection: it needs a folder with docs.jsonl.")
        collection = read_collection(path)
        selection = self._chosen(answerable(collection), path)
        self._line.tell(f"{collection.name}: making a library of {len(collection.documents):,} documents")
        documents = collection.documents
        questions = Questions(Desk(documents, folder, mind), PlainSystems(documents), collection, self._terms.seed)
        self._follow(collection.name, "questions", selection, lambda question: questions.rows(question, self._arms))

    def _follow(self, name: str, of: str, cases: list[Any], rows_of: Callable[[Any], Iterator[ConversingRow]]) -> None:
        self._of[name] = of
        with self._counting(name, len(cases)) as more:
            for case in cases:
                more(list(rows_of(case)))


class MeasuringSearches(Measuring):
    """Measures searches for the questions of collections."""

    lines_of = staticmethod(table)

    def __init__(
        self, terms: Terms, most: int | None, error: float | None, arms: list[str], live: bool, plain: bool
    ) -> None:
        super().__init__(terms, most, plain)
        self._error, self._arms, self._live = error, arms, live

    def _measure(self, path: Path) -> None:
        asyncio.run(self._measure_live(path) if self._live else self._measure_closed(path))

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return summary(name, rows, self._terms)

    async def _measure_closed(self, path: Path) -> None:
        if not is_collection(path):
            hint = " --live asks your sources its questions." if (path / "gold.jsonl").exists() else ""
            raise UsageError(f"{path} is not a collection: it needs a folder with docs.jsonl.{hint}")
        collection = read_collection(path)
        questions = self._chosen(answerable(collection), path)
        async with measured_vectors() if SEMANTIC in self._arms else nullcontext() as embeddings:
            cases = closed_cases(collection, questions, embeddings)
            await self._run(collection.name, cases, len(questions), self._options())

    async def _measure_live(self, path: Path) -> None:
        questions = self._chosen(read_gold(path), path)
        settings = read_settings()
        preferences = settings.preferences
        options = self._options(source_seconds=preferences.source_seconds)
        async with open_workspace(settings, preferences.sources, preferences.offline) as workspace:
            await self._run(path.resolve().stem, live_cases(questions, workspace.resources), len(questions), options)

    def _options(self, **more: Any) -> SearchOptions:
        return SearchOptions(limit=self._terms.limit, mode=self._terms.mode, seed=self._terms.seed, **more)

    async def _run(self, name: str, cases: Iterator[Case], count: int, options: SearchOptions) -> None:
        with self._counting(name, count) as more:
            async for rows in run(cases, self._arms, options, self._error, self._terms.seed):
                more(rows)


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
        asyncio.run(self._measure_texts(path))

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        judge = "a model" if self._judged_by_model else "words"
        return summaries.report(name, rows, self._terms.half, self._tree, judge)

    async def _measure_texts(self, path: Path) -> None:
        """Measure the summaries of a collection; one without documents gets those of `--documents`."""
        if not is_collection(self._documents or path):
            name, hint = (f"--documents {self._documents}", "") if self._documents else (path, ", or --documents")
            raise UsageError(f"{name} is not a collection: it needs a folder with docs.jsonl{hint}.")
        collection = questions_among(path, self._documents) if self._documents else read_collection(path)
        questions = self._chosen(list(collection.questions) if self._documents else answerable(collection), path)
        cases = closed_cases(collection, questions)
        with self._counting(collection.name, len(questions)) as more:
            async with self._mind() as (judge, model):
                async for row in summaries.measure(cases, read_rubrics(path), self._tree, judge, model):
                    more([row])

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
