"""The events of a summary or an answer, in words that a person can check."""

from typing import Any

from agents.run.events import PaperFound
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
    SummaryFinished,
    SummaryStarted,
    TableFilled,
)
from agents.summary.state import SummaryState
from connectors.records.visible import shortened
from spar_tui.phrases import counted, papers_text
from spar_tui.reports.answer import VERDICTS
from spar_tui.reports.board_log import BY, run_event_text


def message_text(event: Any, state: SummaryState) -> str:
    """Format an event on one line; `state` is the summary with all its events."""
    match event:
        case SummaryStarted():
            model = f"with the model {event.model}" if event.model else "without a model"
            return f"“{event.topic}” in about {event.words:,} words, {model}, seed {event.seed}"
        case NodeRetrieved(node, works):
            return f"{_named(state, node)}: {papers_text(len(works))} chosen"
        case FacetsPlanned(node, facets, by):
            text = "; ".join(f"“{facet.title}”, asked as {facet.query}" for facet in facets)
            return f"{_named(state, node)}: {text or 'no facets'} (by {BY[by]})"
        case FacetVerified(node, check, _, works, by):
            number = f", {papers_text(len(works))} kept" if check == "relevant" else ""
            return f"{_named(state, node)} is {check}{number} (by {BY[by]})"
        case FacetDropped(node, check, reason, by):
            return f"{_named(state, node)} is not {check}: {reason} (by {BY[by]})"
        case FacetsMerged(target, node, reason):
            return f"{_named(state, node)} joins {_named(state, target)}: {reason}"
        case NodeWritten(node, sentences, by=by, cut=cut, lost=lost, omitted=omitted):
            losses = f", {cut:,} cut, {counted(lost, 'citation')} without support" if cut or lost else ""
            losses += f", {omitted:,} left out" if omitted else ""
            return f"{_named(state, node)}: {counted(len(sentences), 'sentence')}{losses} (by {BY[by]})"
        case TableFilled(node, rows, by):
            return f"{_named(state, node)}: a table of {papers_text(len(rows))} (by {BY[by]})"
        case EvidenceChosen(quotes, read):
            return f"{counted(len(quotes), 'quote')} chosen from {papers_text(read)}"
        case QuestionAnswered(verdict, by):
            return f"{VERDICTS[verdict] or 'answered' if verdict else 'nothing concluded'} (by {BY[by]})"
        case SummaryFinished(seconds, ending):
            return f"finished after {seconds:.1f} s ({ending})"
        case PaperFound(_, paper):
            return f"found “{shortened(paper.title)}” ({paper.id})"
    return run_event_text(event)


def _named(state: SummaryState, node: str) -> str:
    return f"{node} “{shortened(state.title(node))}”" if node != ROOT else "topic"
