"""What a question or a topic given in the app wishes for, by the settings."""

from dataclasses import replace
from typing import TYPE_CHECKING

from spar_tui.settings import Settings

if TYPE_CHECKING:
    from agents.search.options import Mode, Wishes
    from agents.summary.options import SummaryWishes
    from spar_tui.reports.summary_size import Size


def wishes_of(settings: Settings) -> "Wishes":
    """What a question asked in the app wishes for."""
    preferences = settings.preferences
    from agents.search.options import Wishes

    mode: Mode = "deep" if preferences.mode == "deep" else "fast"
    return Wishes(
        limit=preferences.limit,
        source_seconds=preferences.source_seconds,
        mode=mode,
        strict_judge=preferences.judge_prompt == "complex",
    )


def summary_wishes_of(settings: Settings, run: str | None, size: "Size | None" = None) -> "SummaryWishes":
    """What a topic given in the app wishes for; the papers of `run` if it is named."""
    from agents.summary.options import SummaryWishes

    wishes = SummaryWishes(source_seconds=settings.preferences.source_seconds)
    if size is not None:
        wishes = replace(wishes, depth=size.depth, branch=size.branch, words=size.words)
    return wishes if run is None else replace(wishes, corpus="run", corpus_name=run)
