"""What every measurement of `spar bench` shares: what is finished can be told at any moment."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spar_tui.errors import UsageError


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
        from agents.bench.cases import chosen

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
