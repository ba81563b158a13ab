"""The status of a run in lists, and what differs between kinds of runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cache.runs import Run
from spar_tui.phrases import came_to_text, counted, papers_text

if TYPE_CHECKING:
    from agents.run.runner import AnyRun

Tone = Literal["accent", "good", "warned"]
_UNDER_WAY = "●"


def _search_ended(live: "AnyRun") -> str:
    from agents.run.findings import outcome_of  # imported late, so that the app opens sooner

    failed = sum(outcome_of(tally) == "failed" for tally in live.state.sources.values())
    though = f"{counted(failed, 'source')} failed; " if failed else ""
    return f"{though}{counted(live.state.counts.included, 'relevant paper')} for: {live.question}"


def _summary_ended(live: "AnyRun") -> str:
    state = live.state
    facets, papers = counted(len(state.nodes) - 1, "facet"), papers_text(len(state.cited))
    return f"{facets}, {papers} cited in the summary of: {live.question}"


def _conversation_ended(live: "AnyRun") -> str:
    state = live.state
    answered = "Answered" if state.turn is None else "Not answered"
    return f"{answered}: {state.turns[-1].message if state.turns else live.question}"


@dataclass(frozen=True, slots=True)
class ShownKind:
    """A kind of run that has a screen, at the import path `screen`. `many` is its plural, `ended` describes the result
    of a run that has just ended, and `untitled` is the title of a run without a question."""

    screen: str
    many: str
    ended: "Callable[[AnyRun], str]"
    untitled: str = ""


SHOWN_KINDS: Mapping[str, ShownKind] = {
    "search": ShownKind("spar_tui.tui.screens.search:SearchScreen", "searches", _search_ended),
    "summary": ShownKind("spar_tui.tui.screens.summary:SummaryScreen", "summaries", _summary_ended),
    "answer": ShownKind(
        "spar_tui.tui.screens.summary:AnswerScreen", "answers",
        lambda live: f"{papers_text(len(live.state.cited))} cited in the answer to: {live.question}",
    ),
    "recommendation": ShownKind(
        "spar_tui.tui.screens.recommendation:RecommendationScreen", "recommendations",
        lambda live: f"{papers_text(len(live.state.shown))} to read next", "What to read next",
    ),
    "conversation": ShownKind(
        "spar_tui.tui.screens.conversation:ConversationScreen", "conversations", _conversation_ended
    ),
}  # fmt: skip
"""The kinds of runs that have a screen, by stored name."""


def is_shown(run: Run) -> bool:
    """Whether lists show `run`: its kind has a screen, and it is no summary that found no papers."""
    is_empty = run.kind == "summary" and run.state == "finished" and not (run.papers or run.counts.get("failed"))
    return run.kind in SHOWN_KINDS and not is_empty


def kind_of(run: Run) -> str:
    """Return the kind of a run for lists: the searches that watches run are theirs."""
    return "watch" if run.parameters.get("watch") else run.kind


def title_of(kind: str, question: str) -> str:
    """Return the title of a run for lists and sentences."""
    return question or SHOWN_KINDS[kind].untitled


@dataclass(frozen=True, slots=True)
class RunStatus:
    """The glyph, tone and text of a status."""

    glyph: str
    tone: Tone
    words: str

    @property
    def under_way(self) -> bool:
        """Whether the run is in progress, here or elsewhere."""
        return self.glyph == _UNDER_WAY


def status_of(run: Run, live: "AnyRun | None", elsewhere: bool, key: str) -> RunStatus:
    """Return the status of `run`; `live` carries it on if it was opened in this session, and `elsewhere` says whether
    another process or a conversation does. `key` opens it.

    A run that nothing carries on and that has not ended was interrupted by quitting, a crash, or an immediate stop.
    """
    if live and live.under_way:
        return RunStatus(_UNDER_WAY, "accent", f"{live.status}, {papers_text(len(live.state.findings.found))}")
    if elsewhere:
        return RunStatus(_UNDER_WAY, "accent", "running elsewhere")
    if run.state == "finished" and (live.state.findings.troubled if live else run.counts.get("failed")):
        return RunStatus("▲", "warned", came_to_text(run))
    if run.state == "finished":
        return RunStatus("✔", "good", came_to_text(run))
    return RunStatus("■", "warned", f"{'failed' if run.state == 'failed' else 'interrupted'} · {key} resumes")


def ended_sentence(live: "AnyRun") -> str:
    """Return a sentence on the result of a run that has just ended."""
    return SHOWN_KINDS[live.kind.name].ended(live)
