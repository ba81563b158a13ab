"""Collections of people's libraries measured for `spar bench --recommend`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spar_tui.cli.bench_measuring import Measuring
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.bench.recommending.report import RecommendTerms
    from agents.bench.recommending.users import Libraries


NOBODY_KNOWN = "nobody of this half has papers held out"


class MeasuringRecommendations(Measuring):
    """Collections measured by recommendations to their people."""

    cases, none_known = "people", NOBODY_KNOWN

    def __init__(self, terms: "RecommendTerms", most: int | None, arms: list[str], plain: bool) -> None:
        super().__init__(terms, most, plain)
        self._arms = arms

    def _measure(self, path: Path) -> None:
        from agents.bench.recommending.measuring import measure
        from agents.bench.recommending.users import has_users, read_libraries
        from agents.bench.recommending.world import World

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
