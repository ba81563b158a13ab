"""`spar bench`: how good searches are, by questions whose papers are known."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag, need_extra
from spar_tui.cli.lists.filter_words import FilterGroup
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.cli.verbs.demonstrations import demonstrations
from spar_tui.errors import Interrupted, UsageError
from spar_tui.phrases import counted
from spar_tui.settings import Settings
from spar_tui.terminal import ProgressLine, say, say_json
from spar_tui.workspace import model_to_measure, open_workspace, read_settings

if TYPE_CHECKING:
    from agents.bench.measures import Measures
    from agents.bench.questions import GoldQuestion
    from agents.search.options import SearchOptions

MOST_PAPERS = 1_000


app = Verbs(cls=FilterGroup, invoke_without_command=True, rich_markup_mode=None)
app.command()(demonstrations)


@app.callback()
def bench(
    context: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE…",
            help="JSON lines with question and answer (titles), or folders with queries.jsonl and gold.jsonl.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[bool, typer.Option("--model", help="Let your model judge the papers.")] = False,
    queries: Annotated[int | None, typer.Option(metavar="N", help="Only N questions, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of all random choices.")] = 0,
    limit: Annotated[int, typer.Option(metavar="N", help="How many papers an answer has (1 to 1000).")] = 100,
    deep: Annotated[bool, typer.Option("--deep", help="Search as in deep mode.")] = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Measure searches by questions whose papers you know.

    Asks your sources each question, with --model also your model, and counts how many of the known papers are found
    and judged relevant. Needs the extra `bench`; `spar doctor` shows how to add it."""
    if context.invoked_subcommand is not None:
        return 0
    if not files:
        raise UsageError("Name a file of questions with known papers.")
    for flag, number, most in (("--limit", limit, MOST_PAPERS), ("--queries", 1 if queries is None else queries, None)):
        if number < 1 or (most and number > most):
            raise UsageError(f"{flag} {number} is out of range; use {f'1 to {most:,}' if most else '1 or more'}.")
    need_extra("bench")
    from agents.search.options import SearchOptions

    settings = read_settings()
    if model:
        model_to_measure(settings)
    options = SearchOptions(
        limit=limit, mode="deep" if deep else "fast", seed=seed, source_seconds=settings.preferences.source_seconds
    )
    questions = {Path(file): _questions(Path(file), queries, seed) for file in files}
    rows: dict[Path, list[Measures]] = {path: [] for path in questions}
    try:
        asyncio.run(_measure(settings, questions, options, model, rows, ProgressLine(plain)))
    except KeyboardInterrupt:
        _print(rows, options, as_json)
        done, planned = (sum(map(len, lists.values())) for lists in (rows, questions))
        raise Interrupted(f"interrupted; {done} of {counted(planned, 'question')} are in the figures.") from None
    _print(rows, options, as_json)
    return 0


def _questions(path: Path, most: int | None, seed: int) -> "list[GoldQuestion]":
    """Return the questions of a file, or `most` of them drawn by `seed`. Raises `UsageError`."""
    from agents.bench.questions import CollectionError, read_gold

    try:
        questions = read_gold(path)
    except CollectionError as error:
        raise UsageError(str(error)) from None
    if not questions:
        raise UsageError(f"{path}: no question has a known paper, so there is nothing to measure.")
    return Random(seed).sample(questions, min(most or len(questions), len(questions)))


async def _measure(
    settings: Settings, questions: "Mapping[Path, Sequence[GoldQuestion]]", options: "SearchOptions", model: bool,
    rows: "Mapping[Path, list[Measures]]", line: ProgressLine,
) -> None:  # fmt: skip
    """Add the measures of every question to `rows`."""
    from agents.bench.run import measured_search

    sources, offline = settings.preferences.sources, settings.preferences.offline
    async with open_workspace(settings, sources, offline, model) as workspace:
        try:
            for path, of_path in questions.items():
                for number, question in enumerate(of_path):
                    line.tell(f"{path.stem} {number}/{len(of_path)}")
                    rows[path].append(await measured_search(question, workspace.resources, options))
        finally:
            line.tell("")


def _print(rows: "Mapping[Path, Sequence[Measures]]", options: "SearchOptions", as_json: bool) -> None:
    """Print the averages of each file: one object for one file, `{"collections": […]}` for several; or lines."""
    from agents.bench.measures import averages

    results: list[dict[str, Any]] = [
        {"collection": path.resolve().stem, "queries": len(of_path), "seed": options.seed, "limit": options.limit,
         "mode": options.mode, **averages(of_path, of_path[0])}
        for path, of_path in rows.items() if of_path
    ]  # fmt: skip
    if as_json:
        say_json(results[0] if len(results) == 1 else {"collections": results})
        return
    for result in results:
        heading = [result.pop("collection"), counted(result.pop("queries"), "question"), result.pop("mode")]
        say(" · ".join(heading), *(f"  {name:<16}{value:>9,.3f}" for name, value in result.items() if name != "seed"))
