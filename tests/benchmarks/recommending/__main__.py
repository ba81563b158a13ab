"""Measure `spar recommend` on what people saved: `python -m tests.benchmarks.recommending COLLECTION…`."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from agents.llm.errors import ModelError
from agents.meaning.kept import AT_ONCE, text_for
from spar_tui.cli.verbs.corpus import sent_text
from spar_tui.errors import Failure, UsageError
from spar_tui.terminal import ProgressLine, note
from tests.benchmarks.measuring.measuring_cases import FOLDER, Measuring, measured_vectors
from tests.benchmarks.people import NOBODY_KNOWN, measure, parser_of
from tests.benchmarks.recommending import report
from tests.benchmarks.recommending.report import RecommendTerms
from tests.benchmarks.recommending.systems import BASELINE, PROGRAM, SYSTEMS, WITH_VECTORS
from tests.benchmarks.recommending.world import Libraries, World, has_users, papers_of, read_libraries


class MeasuringRecommendations(Measuring):
    """Measures recommendations to the people of collections."""

    cases, none_known = "people", NOBODY_KNOWN
    case_of, lines_of = attrgetter("user"), staticmethod(report.lines_of)

    def __init__(self, terms: RecommendTerms, most: int | None, arms: Sequence[str]) -> None:
        super().__init__(terms, most, plain=False)
        self._arms = arms

    def _measure(self, path: Path) -> None:
        if not has_users(path):
            raise UsageError(f"{path} has no libraries of people: it needs a folder with users.jsonl.")
        libraries = read_libraries(path)
        users = self._chosen(libraries.users, path)
        vectors = self._vectors(libraries)
        with self._counting(libraries.name, len(users)) as more:
            world = World(libraries.documents, self._terms.tag_free, vectors)
            for rows in report.measure(world, users, self._systems, self._terms.histories, self._terms.seed):
                more(rows)

    def _report(self, name: str, rows: list[Any]) -> dict[str, Any]:
        return report.report(name, rows, self._terms)

    @property
    def _systems(self) -> list[str]:
        """Return the systems to measure, and those they are compared with."""
        return list(dict.fromkeys([*self._arms, *([PROGRAM] if WITH_VECTORS in self._arms else []), BASELINE]))

    def _vectors(self, libraries: Libraries) -> Mapping[int, bytes]:
        """Return the vectors of the documents by index; none if no system uses them."""
        if WITH_VECTORS not in self._arms:
            return {}
        try:
            encoder, vectors = asyncio.run(vectors_of(libraries, self._line))
        finally:
            self._line.tell("")
        self._terms = replace(self._terms, embedding_model=encoder)
        return vectors


async def vectors_of(libraries: Libraries, line: ProgressLine) -> tuple[str, dict[int, bytes]]:
    """Return the encoder's name, and the vector of each document by index; first report what is sent where. Raises
    `UsageError` without an encoder, `Failure` if it fails."""
    texts = [text_for(paper) for paper in papers_of(libraries.documents)]
    async with measured_vectors() as vectors:
        encoder, made = vectors.encoder, 0
        try:
            by_text = await vectors.kept(texts)
            missing = [text for text in dict.fromkeys(texts) if text not in by_text]
            note(f"{libraries.name}: {sent_text(len(missing), encoder)}; {len(by_text):,} vectors are already stored.")
            for start in range(0, len(missing), AT_ONCE):
                fresh, _ = await vectors.of(missing[start : start + AT_ONCE])
                by_text |= fresh
                made += len(fresh)
                line.tell(f"vectors {made:,}/{len(missing):,}")
        except ModelError as error:
            kept = f" {made:,} of {len(missing):,} vectors are stored; run the command again for the others."
            raise Failure(f"{error.sentence}{kept if made else ''}") from None
    if len({len(vector) for vector in by_text.values()}) > 1:
        raise Failure(
            f"the vectors by {encoder.label} have different lengths; delete {FOLDER} and run the command again."
        )
    return encoder.label, {index: by_text[text] for index, text in enumerate(texts)}


def _history(raw: str) -> int | None:
    return None if raw == "all" else int(raw)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = parser_of("recommending", __doc__, (*SYSTEMS, WITH_VECTORS))
    parser.add_argument("--history", nargs="+", type=_history, default=[None], help="papers known of each, or all")
    parser.add_argument("--tag-free", action="store_true", help="without keywords")
    parser.add_argument("--embeddings", action="store_true", help="also with vectors by your embedding_model")
    wanted = parser.parse_args(arguments)
    arms = [*(wanted.arms or SYSTEMS), *([WITH_VECTORS] if wanted.embeddings else [])]
    terms = RecommendTerms(wanted.half, wanted.seed, tuple(dict.fromkeys(wanted.history)), wanted.tag_free)
    measure(parser, MeasuringRecommendations(terms, wanted.queries, arms), wanted)


if __name__ == "__main__":
    main()
