"""Show a summary as it grows, on standard error: one line per event of a node."""

from agents.assistant.events import (
    AnswerDrafted,
    ConversationEvent,
    StepDone,
    TurnAnswered,
    TurnCriticized,
    TurnPlanned,
)
from agents.assistant.state import ConversationState
from agents.recommendation.events import (
    CandidatesRecalled,
    ContextRead,
    RecommendationEvent,
    RecommendationFinished,
    RecommendationState,
)
from agents.run.events import SourceAnswered
from agents.run.findings import outcome_of, tally_of
from agents.summary.events import (
    ROOT,
    FacetDropped,
    FacetsMerged,
    FacetsPlanned,
    NodeRetrieved,
    NodeWritten,
    SummaryEvent,
    SummaryFinished,
)
from agents.summary.state import SummaryState
from agents.summary.tree import child, level
from spar_tui.cli.running import COLOURS, MARKS, Progress
from spar_tui.conversation_phrases import DRAFT, draft_lines, outcome_text, taken_back, with_drafted
from spar_tui.phrases import counted, papers_text
from spar_tui.recommendation_trace import recalled_text, who_reasoned
from spar_tui.source_phrases import source_text
from spar_tui.terminal import DraftBlock, Style, remark, report


class RecommendationProgress(Progress[RecommendationState, RecommendationEvent]):
    """Shows what the agents do."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._agents: set[str] = set()

    def take_up(self, state: RecommendationState) -> None:
        self._agents.update(who_reasoned(state))
        super().take_up(state)

    def _show_resumed(self, state: RecommendationState, style: Style) -> None:
        report(style.paint("resuming", "bold"))
        if state.recalled:
            report(style.paint(f"  {recalled_text(state.recalled)}", "dim"))

    def _show(self, event: RecommendationEvent, state: RecommendationState, style: Style) -> None:
        match event:
            case ContextRead(papers=papers, groups=groups, lines=lines):
                parts = [f"{papers_text(papers)} of your history"]
                parts += [counted(len(groups), "subject")] if groups else []
                parts += [f"{counted(len(lines), 'line')} of your own"] if lines else []
                report(style.paint(", ".join(parts), "bold"))
            case CandidatesRecalled():
                for name, tally in state.findings.sources.items():
                    outcome = outcome_of(tally)
                    report(style.paint(f"  {MARKS[outcome]} {name} {source_text(tally)}", COLOURS[outcome]))
                report(*style.wrapped(recalled_text(event), "  "))
            case RecommendationFinished(seconds, ending):
                landmarks = state.started and state.started.field  # the landmarks of a field need no reasoning
                for agent in () if landmarks else who_reasoned(state):
                    if agent not in self._agents:
                        report(style.paint(f"  {agent}", "dim"))
                self._show_end(seconds, ending, style)


class ConversationProgress(Progress[ConversationState, ConversationEvent]):
    """Shows what is done; without a terminal only warnings. The model's draft of the answer is shown as it grows and
    then erased, because the checked answer is printed."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._draft = DraftBlock(style)
        self._seen: frozenset[str] = frozenset()

    def take_up(self, state: ConversationState) -> None:
        """Show a conversation that continues from `state`."""
        if self._style and state.turns:
            last = state.turns[-1].message
            report(self._style.paint(f"resuming after {len(state.turns):,} turns; the last: {last[:80]}", "dim"))

    def show(self, event: ConversationEvent, state: ConversationState) -> None:
        """Show `event`; `state` is the conversation including it."""
        if isinstance(event, AnswerDrafted):
            if self._draft.tell(DRAFT, draft_lines(event.sentences)):
                self._seen = with_drafted(self._seen, event.sentences)
            return
        self.end()
        super().show(event, state)

    def _show(self, event: ConversationEvent, state: ConversationState, style: Style) -> None:
        if not state.turns:
            return
        turn = state.turns[-1]
        match event:
            case TurnPlanned(steps) if steps:
                report(style.paint("  " + " → ".join(step.tool for step in steps), "dim"))
            case TurnCriticized(faults) if faults:
                report(style.paint(f"  the critic finds {', '.join(faults)}", "dim"))
            case StepDone(tool=tool) if len(turn.plan.steps if turn.plan else ()) > 1:
                report(style.paint(f"  {tool}: {outcome_text(event, turn)}", "dim"))
            case TurnAnswered(text):
                if correction := taken_back(self._seen, text):
                    remark(correction)
                self._seen = frozenset()

    def end(self) -> None:
        """Erase the draft."""
        self._draft.take_away()


class SummaryProgress(Progress[SummaryState, SummaryEvent]):
    """Shows how the tree grows and how the text is written."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._named: set[str] = set()

    def _show_resumed(self, state: SummaryState, style: Style) -> None:
        report(style.paint("resuming", "bold") + " " + style.paint(state.topic, "cyan"))
        for node in state.nodes[1:]:
            report(self._node("•", node, state, style))

    def _show(self, event: SummaryEvent, state: SummaryState, style: Style) -> None:
        match event:
            case SourceAnswered(source) if event.state != "ok":
                tally = tally_of(event)
                line, outcome = f"{source} {source_text(tally)}", outcome_of(tally)
                if line not in self._named:  # the reason is usually the same for each query
                    report(style.paint(f"  {MARKS[outcome]} {line}", COLOURS[outcome]))
                self._named.add(line)
            case NodeRetrieved(node, works):
                report(self._node("↓", node, state, style, papers_text(len(works))))
            case FacetsPlanned(node, facets):
                for number, _ in enumerate(facets, start=1):
                    report(self._node("+", child(node, number), state, style))
            case FacetDropped(node, _, reason):
                report(self._node("✗", node, state, style, reason, dropped=True))
            case FacetsMerged(_, node, reason):
                report(self._node("=", node, state, style, reason, dropped=True))
            case NodeWritten(node, sentences):
                report(self._node("✓", node, state, style, counted(len(sentences), "sentence")))
            case SummaryFinished(seconds, ending):
                self._show_end(seconds, ending, style)

    def _node(
        self, mark: str, node: str, state: SummaryState, style: Style, detail: str = "", dropped: bool = False
    ) -> str:
        """Return a node on one line, indented by its level; a dropped node is struck through."""
        title = state.title(node)
        label = "".join(f"{letter}\u0336" for letter in title) if dropped and style.coloured else title
        before = f"{'  ' * level(node)}  {mark} {node or 'topic'}{'.' if node != ROOT else ''} "
        line = before + style.paint(label, "dim" if dropped else "cyan")
        return line + (style.paint(f"  {detail}", "yellow" if dropped else "dim") if detail else "")
