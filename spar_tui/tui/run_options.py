"""The options of runs that begin in the app, from the settings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from spar_tui.settings import Settings

if TYPE_CHECKING:
    from agents.assistant.options import ConversationOptions
    from agents.recommendation.options import RecommendOptions
    from agents.search.options import Mode, SearchOptions
    from agents.summary.options import SummaryOptions
    from spar_tui.reports.summary_size import Size


def options_of(settings: Settings) -> "SearchOptions":
    """Return the options of a search."""
    preferences = settings.preferences
    from agents.search.options import SearchOptions

    mode: Mode = "deep" if preferences.mode == "deep" else "fast"
    return SearchOptions(
        limit=preferences.limit,
        source_seconds=preferences.source_seconds,
        mode=mode,
        strict_judge=preferences.judge_prompt == "complex",
    )


def summary_options_of(settings: Settings, run: str | None, size: "Size | None" = None) -> "SummaryOptions":
    """Return the options of a summary, of the papers of `run` if given."""
    from agents.summary.options import USUAL_COLUMNS, SummaryOptions

    options = SummaryOptions(table=USUAL_COLUMNS, source_seconds=settings.preferences.source_seconds)
    if size is not None:
        options = replace(options, depth=size.depth, branch=size.branch, words=size.words)
    return options if run is None else replace(options, corpus="run", corpus_name=run)


def recommend_options_of(settings: Settings) -> "RecommendOptions":
    """Return the options of a recommendation that the person asks for."""
    from agents.recommendation.options import RecommendOptions

    return RecommendOptions(source_seconds=settings.preferences.source_seconds)


def conversation_options_of(settings: Settings, papers: Sequence[int] = ()) -> "ConversationOptions":
    """Return the options of a conversation, which begins with library `papers`, if any."""
    from agents.assistant.options import ConversationOptions

    return ConversationOptions(papers=tuple(papers), source_seconds=settings.preferences.source_seconds)
