"""Answers as a kind of run, with the events of a summary of one section."""

from dataclasses import replace

from agents.run.kinds import Result, RunKind, later
from agents.summary.events import ROOT, SummaryEvent, SummaryFinished
from agents.summary.input_papers import settled, with_input_papers
from agents.summary.kind import EVENTS
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from cache import runs
from cache.store import Store

WORDS = 150
PAPERS = 50
"""Number of papers in which evidence is looked for."""


def _settled(store: Store, options: SummaryOptions) -> SummaryOptions:
    """Settle the options as for a summary, with the size of an answer."""
    return replace(settled(store, options), depth=0, branch=1, words=WORDS, papers=PAPERS, table=())


def _result(state: SummaryState) -> Result:
    """Return the cited papers with their numbers in the text."""
    papers = state.findings.papers
    rows = [runs.StoredRank(papers[work], {"number": number}) for number, work in enumerate(state.cited, start=1)]
    return Result({"screened": len(papers), "shown": len(rows)}, rows)


ANSWER: RunKind[SummaryState, SummaryEvent, SummaryOptions] = RunKind(
    name="answer",
    verb="ask",
    codec=EVENTS,
    blank=SummaryState,
    options=SummaryOptions,
    finishing=SummaryFinished,
    carry_on=later("agents.summary.answering.loop:answer"),
    result=_result,
    passed_on=lambda state: [state.findings.papers[work] for work in (state.cited or state.works(ROOT))],
    asks_sources=lambda options: False,
    settled=_settled,
    prepared=lambda resources, store, options: with_input_papers(resources, store, options, every=True),
)
