"""`spar bench`: how good the search is, on collections whose answers are known."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.errors import Failure, Interrupted, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents.bench.cases import Case, Half
    from agents.bench.report import Terms
    from agents.bench.run import Row
    from agents.bench.summaries import SummaryRow
    from agents.search.wishes import Mode, Wishes
    from agents.summary.wishes import SummaryWishes

HALVES: "tuple[Half, ...]" = ("tune", "report", "all")
MOST_PAPERS = 1_000


def bench(
    collection: Annotated[
        list[str], typer.Argument(metavar="COLLECTION…", help="Folders; with --live also files of questions.")
    ],
    arms: Annotated[
        str | None, typer.Option(metavar="A,B", help="Which ways to measure, of bm25, spar, spar-X (spar without X).")
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="perfect|noisy:P", help="Judge by the labels, wrongly with probability P."),
    ] = None,
    half: Annotated[
        str, typer.Option(metavar="|".join(HALVES), help="Tune on one half of the questions, report on the other.")
    ] = "all",
    queries: Annotated[int | None, typer.Option(metavar="N", help="Only N questions, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Decides every random choice.")] = 0,
    limit: Annotated[int, typer.Option(metavar="N", help="How many papers an answer holds (1 to 1000).")] = 100,
    fast: Annotated[bool, typer.Option("--fast", help="Search as in fast mode, the default.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Search as in deep mode.")] = False,
    live: Annotated[bool, typer.Option("--live", help="Ask your sources; needs questions with known titles.")] = False,
    summaries: Annotated[
        bool, typer.Option("--summary", help="Measure `spar summarize --no-model` in place of the search.")
    ] = False,
    depth: Annotated[int, typer.Option(metavar="D", help="With --summary: levels of facets, 0 to 3.")] = 2,
    branch: Annotated[int, typer.Option(metavar="B", help="With --summary: facets of each node, 1 to 8.")] = 4,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Measure the search on collections whose answers are known.

    A collection is searched without a network: nothing is asked but its own documents. Needs pip install 'spar[bench]'.
    """
    _need_libraries()
    from agents.bench.report import Terms

    error = _error_of(judge)
    if fast and deep:
        raise UsageError("--fast and --deep exclude each other; choose one.")
    mode: Mode = "deep" if deep else "fast"
    terms = Terms(_half_of(half), seed, _within("--limit", limit, MOST_PAPERS), mode, judge)
    most = None if queries is None else _within("--queries", queries, None)
    measuring = _Measuring(terms, most, error, _arms_of(arms, live), live, plain)
    if summaries:
        if live or arms or judge:
            raise UsageError("--summary goes without --live, --arms and --judge.")
        measuring = _MeasuringSummaries(terms, most, plain, _tree_wishes(depth, branch, seed))
    try:
        for one in collection:
            measuring.measure(Path(one))
    except KeyboardInterrupt:
        measuring.tell(as_json)
        raise Interrupted(f"interrupted; {measuring.finished} are in the figures.") from None
    measuring.tell(as_json)
    return 0


class _Measuring:
    """Collections measured one after the other; what is finished can be told at any moment."""

    def __init__(
        self, terms: "Terms", most: int | None, error: float | None, arms: list[str], live: bool, plain: bool
    ) -> None:
        from spar_tui.terminal import progress_style

        self._terms, self._most, self._error, self._arms, self._live = terms, most, error, arms, live
        self._shows_progress = progress_style(plain) is not None
        self._rows: list[tuple[str, list[Row]]] = []
        self._planned = 0

    def measure(self, path: Path) -> None:
        """Measure the collection at `path`. Raises `UsageError` if it cannot be read."""
        import asyncio

        from agents.bench.lines import CollectionError

        try:
            asyncio.run(self._measure_live(path) if self._live else self._measure_closed(path))
        except CollectionError as error:
            raise UsageError(str(error)) from None

    @property
    def finished(self) -> str:
        """`12 of 55 questions`."""
        done = sum(len({row.question for row in rows}) for _, rows in self._rows)
        return f"{done} of {self._planned} questions"

    def tell(self, as_json: bool) -> None:
        """Print what is finished: one object for one collection, `{"collections": […]}` for several."""
        from agents.bench.report import summary
        from agents.bench.table import table
        from spar_tui.cli.objects import dump
        from spar_tui.terminal import say

        results = [summary(name, rows, self._terms) for name, rows in self._rows if rows]
        if as_json:
            say(dump(results[0] if len(results) == 1 else {"collections": results}))
        else:
            for place, result in enumerate(results):
                say(*([""] if place else []), *table(result))

    async def _measure_closed(self, path: Path) -> None:
        from agents.bench.cases import answerable, closed_cases
        from agents.bench.collections import is_collection, read_collection

        if not is_collection(path):
            hint = " Its questions can be put to your sources with --live." if (path / "gold.jsonl").exists() else ""
            raise UsageError(f"{path} is no collection: a folder with docs.jsonl is expected.{hint}")
        collection = read_collection(path)
        questions = self._chosen(answerable(collection), path)
        await self._run(collection.name, closed_cases(collection, questions), len(questions), self._wishes())

    async def _measure_live(self, path: Path) -> None:
        from agents.bench.cases import live_cases
        from agents.bench.gold import read_gold
        from spar_tui.desk import open_desk, read_settings

        questions = self._chosen(read_gold(path), path)
        settings = read_settings()
        preferences = settings.preferences
        wishes = self._wishes(source_seconds=preferences.source_seconds)
        async with open_desk(settings, preferences.sources, preferences.offline) as desk:
            await self._run(path.resolve().stem, live_cases(questions, desk.desk), len(questions), wishes)

    def _chosen(self, questions: list[Any], path: Path) -> list[Any]:
        from agents.bench.cases import chosen

        some = chosen(questions, self._terms.half, self._most, self._terms.seed)
        if not some:
            raise UsageError(f"{path}: no question of this half has a known answer, so there is nothing to measure.")
        return some

    def _wishes(self, **more: Any) -> "Wishes":
        from agents.search.wishes import Wishes

        return Wishes(limit=self._terms.limit, mode=self._terms.mode, seed=self._terms.seed, **more)

    async def _run(self, name: str, cases: "Iterator[Case]", count: int, wishes: "Wishes") -> None:
        from agents.bench.run import run

        rows: list[Row] = []
        self._rows.append((name, rows))
        self._planned += count
        done = 0
        self._progress(name, done, count)
        try:
            async for of_question in run(cases, self._arms, wishes, self._error, self._terms.seed):
                rows += of_question
                done += 1
                self._progress(name, done, count)
        finally:
            self._progress("", 0, 0)

    def _progress(self, name: str, done: int, of: int) -> None:
        """One line on standard error that is written over; with nothing to tell it is wiped."""
        import sys

        if self._shows_progress:
            sys.stderr.write(f"\r\x1b[K{f'{name} {done}/{of}' if of else ''}")
            sys.stderr.flush()


class _MeasuringSummaries(_Measuring):
    """Collections measured by the summaries of their questions."""

    def __init__(self, terms: "Terms", most: int | None, plain: bool, wishes: "SummaryWishes") -> None:
        super().__init__(terms, most, None, [], False, plain)
        self._summaries: list[tuple[str, list[SummaryRow]]] = []
        self._tree = wishes

    @property
    def finished(self) -> str:
        return f"{sum(len(rows) for _, rows in self._summaries)} of {self._planned} questions"

    def tell(self, as_json: bool) -> None:
        from agents.bench.summaries import lines_of, report
        from spar_tui.cli.objects import dump
        from spar_tui.terminal import say

        results = [report(name, rows, self._terms.half, self._tree) for name, rows in self._summaries if rows]
        if as_json:
            say(dump(results[0] if len(results) == 1 else {"collections": results}))
        else:
            for place, result in enumerate(results):
                say(*([""] if place else []), *lines_of(result))

    async def _measure_closed(self, path: Path) -> None:
        from agents.bench.cases import answerable, closed_cases
        from agents.bench.collections import is_collection, read_collection
        from agents.bench.summaries import measure, read_texts

        if not is_collection(path):
            raise UsageError(f"{path} is no collection: a folder with docs.jsonl is expected.")
        collection = read_collection(path)
        questions = self._chosen(answerable(collection), path)
        rows: list[SummaryRow] = []
        self._summaries.append((collection.name, rows))
        self._planned += len(questions)
        self._progress(collection.name, 0, len(questions))
        try:
            async for row in measure(closed_cases(collection, questions), read_texts(path), self._tree):
                rows.append(row)
                self._progress(collection.name, len(rows), len(questions))
        finally:
            self._progress("", 0, 0)


def _tree_wishes(depth: int, branch: int, seed: int) -> "SummaryWishes":
    from agents.summary.wishes import MOST_BRANCH, MOST_DEPTH, SummaryWishes

    if not 0 <= depth <= MOST_DEPTH:
        raise UsageError(f"--depth {depth} is out of range; 0 to {MOST_DEPTH} is taken.")
    return SummaryWishes(depth=depth, branch=_within("--branch", branch, MOST_BRANCH), seed=seed)


def _need_libraries() -> None:
    from importlib.util import find_spec

    if not (find_spec("ir_measures") and find_spec("numpy")):
        raise Failure("measuring needs two libraries more than searching: pip install 'spar[bench]'.")


def _arms_of(raw: str | None, live: bool) -> list[str]:
    from agents.bench.arms import ARMS, BASELINE

    known = [arm for arm in ARMS if not (live and arm == BASELINE)]
    if raw is None:
        return known
    wanted = list(dict.fromkeys(part.strip().lower() for part in raw.split(",") if part.strip()))
    if unknown := [arm for arm in wanted if arm not in known]:
        raise UsageError(f"--arms {unknown[0]!r} cannot be measured here; there are {', '.join(known)}.")
    return wanted or known


def _error_of(raw: str | None) -> float | None:
    if raw is None:
        return None
    kind, _, share = raw.strip().lower().partition(":")
    with suppress(ValueError):
        error = float(share) if kind == "noisy" else 0.0
        if (kind == "perfect" and not share) or (kind == "noisy" and 0 <= error <= 1):
            return error
    raise UsageError(f"--judge {raw!r} is unknown; write perfect, or noisy:P with P from 0 to 1.")


def _half_of(raw: str) -> "Half":
    for half in HALVES:
        if half == raw.strip().lower():
            return half
    raise UsageError(f"--half {raw!r} is unknown; write tune, report or all.")


def _within(flag: str, number: int, most: int | None) -> int:
    if number < 1 or (most and number > most):
        raise UsageError(f"{flag} {number} is out of range; {f'1 to {most:,}' if most else 'at least 1'} is taken.")
    return number
