"""Summaries as a kind of run."""

from collections.abc import AsyncGenerator

from agents.run.board import Board
from agents.run.codec import EventCodec
from agents.run.control import Control
from agents.run.kinds import Result, RunKind
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.summary.events import (
    ROOT,
    EvidenceChosen,
    FacetDropped,
    FacetsMerged,
    FacetsPlanned,
    FacetVerified,
    NodeRetrieved,
    NodeWritten,
    QuestionAnswered,
    SummaryEvent,
    SummaryFinished,
    SummaryStarted,
    TableFilled,
)
from agents.summary.input_papers import settled, with_input_papers
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from cache import runs

EVENTS: EventCodec[SummaryEvent] = EventCodec(
    "summary",
    {
        "SummaryStarted": SummaryStarted,
        "NodeRetrieved": NodeRetrieved,
        "FacetsPlanned": FacetsPlanned,
        "FacetVerified": FacetVerified,
        "FacetDropped": FacetDropped,
        "FacetsMerged": FacetsMerged,
        "NodeWritten": NodeWritten,
        "TableFilled": TableFilled,
        "EvidenceChosen": EvidenceChosen,
        "QuestionAnswered": QuestionAnswered,
        "SummaryFinished": SummaryFinished,
    },
)
"""The events of a summary, and of an answer, by the names under which they are stored."""


def _carry_on(
    topic: str,
    resources: Resources,
    options: SummaryOptions,
    board: Board[SummaryState, SummaryEvent],
    control: Control,
) -> AsyncGenerator[SummaryEvent, None]:
    from agents.summary.loop import summarize  # a quarter of a second that who only looks at runs need not wait for

    return summarize(topic, resources, options, board, control)


def _result(state: SummaryState) -> Result:
    """The papers that a summary cites, by their numbers; of an outline all."""
    papers = state.findings.papers
    works = state.cited or state.works_below(ROOT)
    shown = [runs.Ranked(papers[work], {"number": number}) for number, work in enumerate(works, start=1)]
    return Result({"facets": len(state.nodes) - 1, "screened": len(papers)}, shown)


SummaryRun = Runner[SummaryState, SummaryEvent, SummaryOptions]
SUMMARY: RunKind[SummaryState, SummaryEvent, SummaryOptions] = RunKind(
    name="summary",
    verb="summarize",
    codec=EVENTS,
    blank=SummaryState,
    options=SummaryOptions,
    finishing=SummaryFinished,
    carry_on=_carry_on,
    result=_result,
    passed_on=lambda state: [state.findings.papers[work] for work in state.works_below(ROOT)],
    asks_sources=lambda options: options.corpus == "sources",
    settled=settled,
    prepared=with_input_papers,
)
