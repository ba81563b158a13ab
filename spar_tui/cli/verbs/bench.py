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
    model: Annotated[bool, typer.Option("--model", help="With --summary or --converse: use your model.")] = False,
    documents: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="With --summary: documents for questions that have none.")
    ] = None,
    recommendations: Annotated[
        bool, typer.Option("--recommend", help="Measure `spar recommend` on what people saved (users.jsonl).")
    ] = False,
    history: Annotated[
        str, typer.Option(metavar="N,N", help="With --recommend: how many papers of each person are known, or all.")
    ] = "all",
    tag_free: Annotated[bool, typer.Option("--tag-free", help="With --recommend: without keywords.")] = False,
    conversations: Annotated[
        bool, typer.Option("--converse", help="Measure `spar chat` with a simulated person and with single requests.")
    ] = False,
    embeddings: Annotated[
        bool,
        typer.Option(
            "--embeddings",
            help="With --recommend: also with vectors; sends the collection's texts to your embedding_model.",
        ),
    ] = False,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Measure the search on collections whose answers are known.

    Searches only the collection's own documents, without a network. Needs the extra `bench`; `spar doctor` shows how
    to add it. With --recommend, a collection is what people saved, and --queries draws people; --converse takes
    either."""
    if context.invoked_subcommand is not None:
        return 0
    if not collection:
        raise UsageError("Name the folder of a collection.")
    _need_libraries()
    if conversations:
        if live or summaries or recommendations or tag_free or embeddings or history != "all" or judge is not None:
            raise UsageError(
                "--converse cannot be combined with --live, --summary, --judge, or --recommend and its options."
            )
        return _conversations(collection, arms, half, queries, seed, model, as_json, plain)
    if recommendations:
        if live or summaries or judge is not None:
            raise UsageError("--recommend cannot be combined with --live, --summary or --judge.")
        wanted = _recommending(arms, embeddings)
        return _recommendations(collection, wanted, half, queries, seed, history, tag_free, as_json, plain)
    if tag_free or embeddings or history != "all":
        raise UsageError("--history, --tag-free and --embeddings need --recommend.")
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
        raise UsageError("--model needs --summary or --converse; --documents needs --summary.")
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


def _recommending(arms: str | None, embeddings: bool) -> list[str]:
    """Return the recommendation systems to measure, with vectors only on request."""
    from agents.bench.recommending.systems import SYSTEMS, WITH_VECTORS

    wanted = _among(arms, [*SYSTEMS, WITH_VECTORS]) if arms else list(SYSTEMS)
    return list(dict.fromkeys([*wanted, *([WITH_VECTORS] if embeddings else [])]))


def _recommendations(
    collections: list[str], arms: list[str], half: str, users: int | None, seed: int, history: str, tag_free: bool,
    as_json: bool, plain: bool,
) -> int:  # fmt: skip
    from agents.bench.recommending.report import RecommendTerms
    from spar_tui.cli.bench_collections import MeasuringRecommendations

    terms = RecommendTerms(_half_of(half), seed, _histories(history), tag_free)
    most = None if users is None else _within("--queries", users, None)
    return _measured(MeasuringRecommendations(terms, most, arms, plain), collections, as_json)


def _conversations(
    collections: list[str], arms: str | None, half: str, cases: int | None, seed: int, model: bool, as_json: bool,
    plain: bool,
) -> int:  # fmt: skip
    from agents.bench.conversing.measuring import SYSTEMS, WITHOUT
    from agents.bench.conversing.report import ConversingTerms
    from spar_tui.cli.bench_collections import MeasuringConversations

    wanted = _among(arms, [system for system in SYSTEMS if model or system not in WITHOUT])
    most = None if cases is None else _within("--queries", cases, None)
    measuring = MeasuringConversations(ConversingTerms(_half_of(half), seed), most, wanted, plain, model)
    return _measured(measuring, collections, as_json)


def _histories(raw: str) -> "tuple[int | None, ...]":
    """Parse `all`, a number of papers, or a list of these."""
    ranks: list[int | None] = []
    for part in filter(None, (part.strip().lower() for part in raw.split(","))):
        if part != "all" and not (part.isdecimal() and int(part)):
            raise UsageError(f"--history {part!r} is not a number of papers; write all, or numbers like 1,5,20.")
        ranks.append(None if part == "all" else int(part))
    return tuple(dict.fromkeys(ranks)) or (None,)


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
