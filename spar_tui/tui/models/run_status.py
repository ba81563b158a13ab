"""How a run stands, told wherever runs are listed."""

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
class Standing:
    """A glyph, its tone, and words."""

    glyph: str
    tone: Tone
    told: str


def standing_of(run: Run, live: "AnyRun | None") -> Standing:
    """How `run` stands; `live` is what carries it on, if it was opened in this sitting.

    A run that nobody carries on any more and that was not ended was cut off: by a quit, a crash, or a stop at once.
    """
    if live and live.under_way:
        return Standing("●", "accent", f"{live.status}, {papers_text(len(live.state.findings.found))}")
    if run.state == "finished":
        return Standing("✔", "good", papers_text(run.counts.get("shown", 0)))
    return Standing("■", "trouble", "failed, goes on" if run.state == "failed" else "cut off, goes on")


def ended_sentence(live: "AnyRun") -> str:
    """What a run came to that has just ended."""
    state = live.state
    if live.kind.name == "summary":
        facets, papers = counted(len(state.nodes) - 1, "facet"), papers_text(len(state.cited))
        return f"{facets}, {papers} cited in the summary of: {live.question}"
    return f"{state.counts.included} relevant papers for: {live.question}"
