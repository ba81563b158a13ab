"""Summaries as a kind of run."""

from agents.run.events import EventCodec, stored_events
from agents.run.kinds import Result, RunKind, later
from agents.run.runner import Runner
from agents.summary.events import ROOT, SummaryEvent, SummaryFinished
from agents.summary.input_papers import settled, with_input_papers
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from cache import runs

EVENTS: EventCodec[SummaryEvent] = EventCodec("summary", stored_events(SummaryEvent))
"""The events of a summary, and of an answer, by stored name."""


def _result(state: SummaryState) -> Result:
    """Return the papers that a summary cites, with their numbers; for an outline, all of its papers."""
    papers = state.findings.papers
    works = state.cited or state.works_below(ROOT)
    rows = [runs.StoredRank(papers[work], {"number": number}) for number, work in enumerate(works, start=1)]
    return Result({"facets": len(state.nodes) - 1, "screened": len(papers), "shown": len(rows)}, rows)


SummaryRun = Runner[SummaryState, SummaryEvent, SummaryOptions]
SUMMARY: RunKind[SummaryState, SummaryEvent, SummaryOptions] = RunKind(
    name="summary",
    verb="summarize",
    codec=EVENTS,
    blank=SummaryState,
    options=SummaryOptions,
    finishing=SummaryFinished,
    carry_on=later("agents.summary.loop:summarize"),
    result=_result,
    passed_on=lambda state: [state.findings.papers[work] for work in state.works_below(ROOT)],
    asks_sources=lambda options: options.corpus == "sources",
    settled=settled,
    prepared=with_input_papers,
)
