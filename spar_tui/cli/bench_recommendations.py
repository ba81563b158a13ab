"""Collections of people's libraries measured for `spar bench --recommend`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.bench.recommending.measuring import RecommendRow
    from agents.bench.recommending.report import RecommendTerms
    from agents.bench.recommending.users import Libraries, User


class MeasuringRecommendations:
    """Collections measured one after the other; what is finished can be told at any moment."""

    def __init__(self, terms: "RecommendTerms", most: int | None, arms: list[str], plain: bool) -> None:
        from spar_tui.terminal import ProgressLine

        self._terms, self._most, self._arms = terms, most, arms
        self._line = ProgressLine(plain)
        self._rows: list[tuple[str, list[RecommendRow]]] = []
        self._planned = 0

    @property
    def finished(self) -> str:
        """`12 of 55 people`."""
        return f"{sum(len({row.user for row in rows}) for _, rows in self._rows)} of {self._planned} people"

    def measure(self, path: Path) -> None:
        """Measure the libraries at `path`. Raises `UsageError` if they cannot be read."""
        from agents.bench.recommending.measuring import measure
        from agents.bench.recommending.world import World

        libraries = _read(path)
        users = self._chosen(libraries, path)
        vectors = self._vectors(libraries)
        rows: list[RecommendRow] = []
        self._rows.append((libraries.name, rows))
        self._planned += len(users)
        self._line.tell(f"{libraries.name} 0/{len(users)}")
        try:
            world = World(libraries.documents, self._terms.tag_free, vectors)
            for done, found in enumerate(
                measure(world, users, self._systems, self._terms.histories, self._terms.seed), start=1
            ):
                rows += found
                self._line.tell(f"{libraries.name} {done}/{len(users)}")
        finally:
            self._line.tell("")

    def tell(self, as_json: bool) -> None:
        """Print what is finished: one object for one collection, `{"collections": […]}` for several."""
        from agents.bench.recommending.report import lines_of, report
        from spar_tui.cli.bench_collections import tell_results

        tell_results([report(name, rows, self._terms) for name, rows in self._rows if rows], lines_of, as_json)

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

    def _chosen(self, libraries: "Libraries", path: Path) -> "list[User]":
        from agents.bench.cases import chosen

        some = chosen(libraries.users, self._terms.half, self._most, self._terms.seed)
        if not some:
            raise UsageError(f"{path}: nobody of this half has papers held out, so there is nothing to measure.")
        return some


def _read(path: Path) -> "Libraries":
    from agents.bench.jsonl import CollectionError
    from agents.bench.recommending.users import has_users, read_libraries

    if not has_users(path):
        raise UsageError(f"{path} holds no libraries of people: a folder with users.jsonl is expected.")
    try:
        return read_libraries(path)
    except CollectionError as error:
        raise UsageError(str(error)) from None
