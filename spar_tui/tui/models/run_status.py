"""The status of a run, shown wherever runs are listed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from cache.runs import Run
from spar_tui.phrases import counted, papers_text

if TYPE_CHECKING:
    from agents.run.runner import AnyRun

SHOWN_KINDS = ("search", "summary")
"""The kinds of runs that have a screen."""
Tone = Literal["accent", "good", "trouble"]


@dataclass(frozen=True, slots=True)
class RunStatus:
    """A glyph, its tone, and words."""

    glyph: str
    tone: Tone
    words: str


def status_of(run: Run, live: "AnyRun | None") -> RunStatus:
    """the status of `run`; `live` is what carries it on, if it was opened in this session.

    A run that nobody carries on any more and that was not ended was cut off: by a quit, a crash, or a stop at once.
    """
    if live and live.under_way:
        return RunStatus("●", "accent", f"{live.status}, {papers_text(len(live.state.findings.found))}")
    if run.state == "finished":
        return RunStatus("✔", "good", papers_text(run.counts.get("shown", 0)))
    return RunStatus("■", "trouble", "failed, goes on" if run.state == "failed" else "cut off, goes on")


def ended_sentence(live: "AnyRun") -> str:
    """What a run came to that has just ended."""
    state = live.state
    if live.kind.name == "summary":
        facets, papers = counted(len(state.nodes) - 1, "facet"), papers_text(len(state.cited))
        return f"{facets}, {papers} cited in the summary of: {live.question}"
    return f"{counted(state.counts.included, 'relevant paper')} for: {live.question}"
