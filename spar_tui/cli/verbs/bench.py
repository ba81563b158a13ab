"""`spar bench`: how good the search is, on collections whose answers are known."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag, need_extra, only_one
from spar_tui.cli.lists.filter_words import FilterGroup
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.cli.verbs.demonstrations import demonstrations, export_training
from spar_tui.errors import Interrupted, UsageError

if TYPE_CHECKING:
    from agents.search.options import Mode
    from spar_tui.cli.bench_collections import Measuring


app = Verbs(cls=FilterGroup, invoke_without_command=True, rich_markup_mode=None)
app.command()(demonstrations)
app.command("export-training")(export_training)


@app.callback()
def bench(
    context: typer.Context,
    collection: Annotated[list[str] | None, "<COLLECTION…>", "Folders; with --live also files of questions."] = None,
    arms: Annotated[str | None, "A,B", "Systems to measure: bm25, rm3+links, spar, spar-X (spar without X)."] = None,
    judge: Annotated[
        str | None,
        "perfect|noisy:P|model",
        "Judge by the labels, wrongly with probability P; with --summary: have your model judge the texts.",
    ] = None,
    half: Annotated[
        Literal["tune", "report", "all"], "Tune on one half of the questions, report on the other."
    ] = "all",
    queries: Annotated[int | None, "N", "Only N questions (1 or more), drawn by the seed."] = None,
    seed: Annotated[int, "N", "Seed of all random choices."] = 0,
    limit: Annotated[int, "N", "How many papers an answer has (1 to 1000)."] = 100,
    fast: Annotated[bool, "Search as in fast mode, the default."] = False,
    deep: Annotated[bool, "Search as in deep mode."] = False,
    live: Annotated[bool, "Ask your sources; needs questions with known titles."] = False,
    summaries: Annotated[bool, "--summary", "Measure `spar summarize` instead of the search."] = False,
    depth: Annotated[int, "D", "With --summary: levels of facets (0 to 3)."] = 2,
    branch: Annotated[int, "B", "With --summary: facets of each node (1 to 8)."] = 4,
    model: Annotated[bool, "With --summary or --converse: use your model."] = False,
    documents: Annotated[str | None, "FOLDER", "With --summary: documents for questions that have none."] = None,
    recommendations: Annotated[
        bool, "--recommend", "Measure `spar recommend` on what people saved (users.jsonl)."
    ] = False,
    history: Annotated[str, "N,N", "With --recommend: how many papers of each person are known, or all."] = "all",
    tag_free: Annotated[bool, "With --recommend: without keywords."] = False,
    conversations: Annotated[
        bool, "--converse", "Measure `spar chat` with a simulated person and with single requests."
    ] = False,
    embeddings: Annotated[
        bool, "With --recommend: also with vectors; sends the collection's texts to your embedding_model."
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
        raise UsageError("name the folder of a collection: spar bench FOLDER.")
    need_extra("bench")
    kind = only_one({"--summary": summaries, "--recommend": recommendations, "--converse": conversations}) or ""
    only_one({kind: kind, "--live": live})
    only_one({"--summary": summaries, "--arms": arms})
    only_one({kind: kind and not summaries, "--judge": judge is not None})
    from spar_tui.cli import bench_collections as measures

    measuring: Measuring
    if kind == "--converse":
        from agents.bench.conversing.measuring import SYSTEMS, WITHOUT
        from agents.bench.conversing.report import ConversingTerms

        arms_measured = _among(arms, [system for system in SYSTEMS if model or system not in WITHOUT])
        terms = ConversingTerms(half, seed)
        measuring = measures.MeasuringConversations(terms, queries, arms_measured, plain, model)
    elif kind == "--recommend":
        from agents.bench.recommending.report import RecommendTerms
        from agents.bench.recommending.systems import SYSTEMS as RECOMMENDERS
        from agents.bench.recommending.systems import WITH_VECTORS

        arms_measured = _among(arms, [*RECOMMENDERS, WITH_VECTORS]) if arms else list(RECOMMENDERS)
        arms_measured += [WITH_VECTORS] if embeddings and WITH_VECTORS not in arms_measured else []
        recommend_terms = RecommendTerms(half, seed, _histories(history), tag_free)
        measuring = measures.MeasuringRecommendations(recommend_terms, queries, arms_measured, plain)
    else:
        from agents.bench.run import PLAIN, SEMANTIC, SYSTEMS, Terms

        by_model = bool(kind) and (judge or "").strip().lower() == "model"
        error = None if by_model else _error_of(judge)
        if kind and error is not None:
            raise UsageError("--summary has only one --judge: model.")
        mode: Mode = "deep" if only_one({"--fast": fast, "--deep": deep}) == "--deep" else "fast"
        terms_of_search = Terms(half, seed, limit, mode, judge)
        if kind:
            from agents.summary.options import SummaryOptions

            tree = SummaryOptions(depth=depth, branch=branch, seed=seed)
            measuring = measures.MeasuringSummaries(terms_of_search, queries, plain, tree, by_model, model, documents)
        else:
            usual = [system for system in SYSTEMS if not (live and system in PLAIN)]
            arms_measured = _among(arms, [*usual, SEMANTIC]) if arms else usual
            measuring = measures.MeasuringSearches(terms_of_search, queries, error, arms_measured, live, plain)
    try:
        for folder in collection:
            measuring.measure(Path(folder))
    except KeyboardInterrupt:
        measuring.tell(as_json)
        raise Interrupted(f"interrupted; {measuring.finished} are in the figures.") from None
    measuring.tell(as_json)
    return 0


def _histories(raw: str) -> "tuple[int | None, ...]":
    """Parse `all`, a number of papers, or a list of these."""
    ranks: list[int | None] = []
    for part in filter(None, (part.strip().lower() for part in raw.split(","))):
        if part != "all" and not (part.isdecimal() and int(part)):
            raise UsageError(f"--history {part!r} is not a number of papers; write all, or numbers like 1,5,20.")
        ranks.append(None if part == "all" else int(part))
    return tuple(dict.fromkeys(ranks)) or (None,)


def _among(raw: str | None, allowed: list[str]) -> list[str]:
    names = list(dict.fromkeys(part.strip().lower() for part in (raw or "").split(",") if part.strip()))
    if unknown := [arm for arm in names if arm not in allowed]:
        raise UsageError(f"--arms {unknown[0]!r} cannot be measured here; choose from {', '.join(allowed)}.")
    return names or allowed


def _error_of(raw: str | None) -> float | None:
    """Parse `--judge`: the share of wrong judgements, None without a judge by labels."""
    if raw is None:
        return None
    kind, _, share = raw.strip().lower().partition(":")
    with suppress(ValueError):
        error = float(share) if kind == "noisy" else 0.0
        if (kind == "perfect" and not share) or (kind == "noisy" and 0 <= error <= 1):
            return error
    raise UsageError(f"--judge {raw!r} is unknown; write perfect, noisy:P with P from 0 to 1, or with --summary model.")
