"""What every measurement of `spar bench` shares: what is finished can be told at any moment."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.bench.recommending.report import RecommendTerms
    from agents.bench.recommending.world import Libraries


class Measuring:
    """Collections measured one after the other."""

    cases = "questions"
    """What is counted."""
    none_known = "no question of this half has a known answer"

    def __init__(self, terms: Any, most: int | None, plain: bool) -> None:
        from spar_tui.terminal import ProgressLine

        self._terms, self._most = terms, most
        self._line = ProgressLine(plain)
        self._rows: list[tuple[str, list[Any]]] = []
        self._planned = 0

    def measure(self, path: Path) -> None:
        """Measure the collection at `path`. Raises `UsageError` if it cannot be read."""
        from agents.bench.jsonl import CollectionError

        try:
            self._measure(path)
        except CollectionError as error:
            raise UsageError(str(error)) from None

    @property
    def finished(self) -> str:
        """`12 of 55 questions`."""
        done = sum(len(set(map(self._case, rows))) for _, rows in self._rows)
        return f"{done} of {self._planned} {self.cases}"

    def tell(self, as_json: bool) -> None:
        """Print what is finished: one object for one collection, `{"collections": […]}` for several; or their lines."""
        from spar_tui.reports.json_objects import dump
        from spar_tui.terminal import say

        results = [self._report(name, rows) for name, rows in self._rows if rows]
        if as_json:
            say(dump(results[0] if len(results) == 1 else {"collections": results}))
        else:
            for place, result in enumerate(results):
                say(*([""] if place else []), *self._lines(result))

    def _measure(self, path: Path) -> None:
        raise NotImplementedError

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _lines(self, result: Mapping[str, Any]) -> list[str]:
        raise NotImplementedError

    def _case(self, row: Any) -> object:
        """The question or person of a row."""
        return row.question

    def _chosen(self, cases: Sequence[Any], path: Path) -> list[Any]:
        from agents.bench.closed_world import chosen

        some = chosen(cases, self._terms.half, self._most, self._terms.seed)
        if not some:
            raise UsageError(f"{path}: {self.none_known}, so there is nothing to measure.")
        return some

    @contextmanager
    def _counting(self, name: str, count: int) -> Iterator[Callable[[Sequence[Any]], None]]:
        """Count the cases of one collection; what it yields takes the rows of one case, whole: else what is compared
        would not be of the same cases."""
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


NOBODY_KNOWN = "nobody of this half has papers held out"


class MeasuringRecommendations(Measuring):
    """Collections measured by recommendations to their people."""

    cases, none_known = "people", NOBODY_KNOWN

    def __init__(self, terms: "RecommendTerms", most: int | None, arms: list[str], plain: bool) -> None:
        super().__init__(terms, most, plain)
        self._arms = arms

    def _measure(self, path: Path) -> None:
        from agents.bench.recommending.report import measure
        from agents.bench.recommending.world import World, has_users, read_libraries

        if not has_users(path):
            raise UsageError(f"{path} holds no libraries of people: a folder with users.jsonl is expected.")
        libraries = read_libraries(path)
        users = self._chosen(libraries.users, path)
        vectors = self._vectors(libraries)
        with self._counting(libraries.name, len(users)) as more:
            world = World(libraries.documents, self._terms.tag_free, vectors)
            for found in measure(world, users, self._systems, self._terms.histories, self._terms.seed):
                more(found)

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        from agents.bench.recommending.report import report

        return report(name, rows, self._terms)

    def _lines(self, result: Mapping[str, Any]) -> list[str]:
        from agents.bench.recommending.report import lines_of

        return lines_of(result)

    def _case(self, row: Any) -> object:
        return row.user

    @property
    def _systems(self) -> list[str]:
        """The arms, and what they are compared with."""
        from agents.bench.recommending.systems import BASELINE, PROGRAM, WITH_VECTORS

        return list(dict.fromkeys([*self._arms, *([PROGRAM] if WITH_VECTORS in self._arms else []), BASELINE]))

    def _vectors(self, libraries: "Libraries") -> "Mapping[int, bytes]":
        """The vectors of the documents by place; none where no arm compares them."""
        import asyncio

        from agents.bench.recommending.systems import WITH_VECTORS
        from spar_tui.cli.bench_vectors import vectors_of

        if WITH_VECTORS not in self._arms:
            return {}
        try:
            by, vectors = asyncio.run(vectors_of(libraries, self._line))
        finally:
            self._line.tell("")
        self._terms = replace(self._terms, embedding_model=by)
        return vectors
