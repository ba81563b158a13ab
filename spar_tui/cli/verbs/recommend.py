"""`spar recommend`: what to read next, from the person's own reading history."""

from typing import Annotated

import typer

from spar_tui.cli.arguments import OfflineFlag, PlainFlag


def recommend(
    limit: Annotated[int, typer.Option(metavar="N", help="How many papers are recommended (1 to 100).")] = 10,
    field: Annotated[
        str | None, typer.Option(metavar="FIELD", help="Without a history: begin with the landmarks of a field.")
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Reason without a language model.")] = False,
    offline: OfflineFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Recommend what to read next.

    It is chosen from all papers that were ever found, by what you saved, liked, noted, cited and read; each with the
    papers of your history that it rests on. Exits with 3 if there is nothing to recommend."""
    from agents.recommendation.kind import RECOMMENDATION
    from agents.recommendation.options import RecommendOptions
    from spar_tui.cli.listing import paper_entry
    from spar_tui.cli.recommendation_progress import RecommendationProgress
    from spar_tui.cli.running import Output, ended, new_run
    from spar_tui.recommendation_phrases import reasons
    from spar_tui.terminal import answer_style, progress_style, say
    from spar_tui.workspace import read_settings

    settings = read_settings()
    options = RecommendOptions(limit=limit, field=field)
    output = Output(RECOMMENDATION, RecommendationProgress(progress_style(plain)))
    quiet = offline or settings.preferences.offline
    sources = settings.preferences.sources
    state = ended(output, new_run(settings, "", options, sources, quiet, not no_model, output))
    style = answer_style(plain)
    for place, placed in enumerate(state.shown, start=1):
        say(*paper_entry(place, state.findings.papers[placed.work], style))
        for reason in reasons(state, placed):
            say(*style.wrapped(reason, "     "))
    return 0 if state.shown else 3
