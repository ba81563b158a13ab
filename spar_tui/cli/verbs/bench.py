"""`spar bench`: how good the search is, on collections whose answers are known."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.cli.lists.filter_words import FilterGroup
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.cli.verbs.demonstrations import demonstrations, export_training
from spar_tui.errors import Failure, Interrupted, UsageError

if TYPE_CHECKING:
    from agents.bench.closed_world import Half
    from agents.search.options import Mode
    from agents.summary.options import SummaryOptions
    from spar_tui.cli.bench_collections import Measuring

HALVES: "tuple[Half, ...]" = ("tune", "report", "all")
MOST_PAPERS = 1_000


app = Verbs(cls=FilterGroup, invoke_without_command=True, rich_markup_mode=None)
app.command()(demonstrations)
app.command("export-training")(export_training)


@app.callback()
def bench(
    context: typer.Context,
    collection: Annotated[
        list[str] | None,
        typer.Argument(metavar="COLLECTION…", help="Folders; with --live also files of questions.", show_default=False),
    ] = None,
    arms: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Systems to measure: bm25, rm3+links, spar, spar-X (spar without X)."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="perfect|noisy:P|model",
            help="Judge by the labels, wrongly with probability P; with --summary: have your model judge the texts.",
        ),
    ] = None,
    half: Annotated[
        str, typer.Option(metavar="|".join(HALVES), help="Tune on one half of the questions, report on the other.")
    ] = "all",
    queries: Annotated[int | None, typer.Option(metavar="N", help="Only N questions, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of all random choices.")] = 0,
    limit: Annotated[int, typer.Option(metavar="N", help="How many papers an answer has (1 to 1000).")] = 100,
    fast: Annotated[bool, typer.Option("--fast", help="Search as in fast mode, the default.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Search as in deep mode.")] = False,
    live: Annotated[bool, typer.Option("--live", help="Ask your sources; needs questions with known titles.")] = False,
    summaries: Annotated[
        bool, typer.Option("--summary", help="Measure `spar summarize` instead of the search.")
    ] = False,
    depth: Annotated[int, typer.Option(metavar="D", help="With --summary: levels of facets, 0 to 3.")] = 2,
    branch: Annotated[int, typer.Option(metavar="B", help="With --summary: facets of each node, 1 to 8.")] = 4,
    model: Annotated[bool, typer.Option("--model", help="With --summary: use your model.")] = False,
    documents: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="With --summary: documents for questions that have none.")
    ] = None,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Measure the search on collections whose answers are known.

    Searches only the collection's own documents, without a network. Needs the extra `bench`; `spar doctor` shows how
    to add it."""
    if context.invoked_subcommand is not None:
        return 0
    if not collection:
        raise UsageError("Name the folder of a collection.")
    _need_libraries()
    from agents.bench.run import Terms
    from spar_tui.cli.bench_collections import MeasuringSearches, MeasuringSummaries

    by_model = summaries and (judge or "").strip().lower() == "model"
    error = None if by_model else _error_of(judge)
    if fast and deep:
        raise UsageError("--fast and --deep cannot be combined; choose one.")
    mode: Mode = "deep" if deep else "fast"
    terms = Terms(_half_of(half), seed, _within("--limit", limit, MOST_PAPERS), mode, judge)
    most = None if queries is None else _within("--queries", queries, None)
    measuring: Measuring = MeasuringSearches(terms, most, error, _arms_of(arms, live), live, plain)
    if summaries:
        if live or arms or error is not None:
            raise UsageError("--summary cannot be combined with --live or --arms; its only --judge is model.")
        options = _tree_wishes(depth, branch, seed)
        measuring = MeasuringSummaries(terms, most, plain, options, by_model, model, documents)
    elif model or documents:
        raise UsageError("--model and --documents need --summary.")
    return _measured(measuring, collection, as_json)


def _measured(measuring: "Measuring", collections: list[str], as_json: bool) -> int:
    try:
        for collection in collections:
            measuring.measure(Path(collection))
    except KeyboardInterrupt:
        measuring.tell(as_json)
        raise Interrupted(f"interrupted; {measuring.finished} are in the figures.") from None
    measuring.tell(as_json)
    return 0


def _tree_wishes(depth: int, branch: int, seed: int) -> "SummaryOptions":
    from agents.summary.options import MOST_BRANCH, MOST_DEPTH, SummaryOptions

    if not 0 <= depth <= MOST_DEPTH:
        raise UsageError(f"--depth {depth} is out of range; use 0 to {MOST_DEPTH}.")
    return SummaryOptions(depth=depth, branch=_within("--branch", branch, MOST_BRANCH), seed=seed)


def _need_libraries() -> None:
    from spar_tui.installation.commands import adding_extra

    if command := adding_extra("bench"):
        raise Failure(f"spar bench needs an extra package; install it with: {command}")


def _arms_of(raw: str | None, live: bool) -> list[str]:
    from agents.bench.run import PLAIN, SEMANTIC, SYSTEMS

    usual = [system for system in SYSTEMS if not (live and system in PLAIN)]
    return _among(raw, [*usual, SEMANTIC]) if raw else usual


def _among(raw: str | None, allowed: list[str]) -> list[str]:
    if raw is None:
        return allowed
    wanted = list(dict.fromkeys(part.strip().lower() for part in raw.split(",") if part.strip()))
    if unknown := [arm for arm in wanted if arm not in allowed]:
        raise UsageError(f"--arms {unknown[0]!r} cannot be measured here; choose from {', '.join(allowed)}.")
    return wanted or allowed


def _error_of(raw: str | None) -> float | None:
    if raw is None:
        return None
    kind, _, share = raw.strip().lower().partition(":")
    with suppress(ValueError):
        error = float(share) if kind == "noisy" else 0.0
        if (kind == "perfect" and not share) or (kind == "noisy" and 0 <= error <= 1):
            return error
    raise UsageError(f"--judge {raw!r} is unknown; write perfect, noisy:P with P from 0 to 1, or with --summary model.")


def _half_of(raw: str) -> "Half":
    for half in HALVES:
        if half == raw.strip().lower():
            return half
    raise UsageError(f"--half {raw!r} is unknown; write tune, report or all.")


def _within(flag: str, number: int, most: int | None) -> int:
    if number < 1 or (most and number > most):
        raise UsageError(f"{flag} {number} is out of range; use {f'1 to {most:,}' if most else '1 or more'}.")
    return number
