"""A search as it happens, on standard error."""

from agents.events import (
    Event,
    Finished,
    PaperFound,
    PaperJudged,
    QueriesEvolved,
    QuestionUnderstood,
    ReferencesFollowed,
    SourceAnswered,
    Stage,
    StageChanged,
    Warned,
)
from agents.search.state import THRESHOLD, SearchState
from spar_tui.cli.terminal import Style, note, report

_MARKS = {"ok": "✓", "partial": "~", "failed": "✗", "skipped": "-"}
_COLOURS = {"ok": "green", "partial": "yellow", "failed": "red", "skipped": "dim"}
_STAGES: dict[Stage, str] = {
    "understanding": "reading the question",
    "retrieving": "asking the sources",
    "judging": "judging what they found",
    "references": "following references",
    "judging references": "judging the references",
    "evolving": "thinking of new queries",
    "reranking": "ranking",
}
_FIRST_TITLES = 2


class Progress:
    """Tells of each stage, with the first titles of each source; silent but for warnings without a terminal."""

    def __init__(self, style: Style | None) -> None:
        self._style = style
        self._followed: list[ReferencesFollowed] = []

    def show(self, event: Event, state: SearchState) -> None:
        """Tell of `event`; `state` is the search with it."""
        if isinstance(event, Warned):
            note(f"spar: {event.sentence}")
        if self._style:
            self._show(event, state, self._style)

    def _show(self, event: Event, state: SearchState, style: Style) -> None:
        if self._followed and not isinstance(event, ReferencesFollowed):
            report(_followed(self._followed, style))
            self._followed = []
        match event:
            case StageChanged(stage, round):
                self._stage(stage, round, state, style)
            case QuestionUnderstood():
                for line in _understood(event, style):
                    report(line)
            case SourceAnswered():
                report(_line(event, style))
            case PaperFound(_, paper, found_by) if 0 < found_by.rank <= _FIRST_TITLES:
                report(style.wrapped(paper.title, " " * 24, "dim")[0])
            case PaperJudged(work, score, _, quote, by) if by == "model" and score >= THRESHOLD:
                told = f" — “{quote}”" if quote else ""
                report(style.wrapped(f"{score:.2f} {state.found[work].paper.title}{told}", "      ")[0])
            case ReferencesFollowed():
                self._followed.append(event)
            case QueriesEvolved():
                for one in event.queries:
                    if one.chosen:
                        told = f"{style.paint(one.query)} {style.paint(one.direction, 'dim')}"
                        report(f"  {style.paint('+', 'green')} {told}")
            case Finished(_, seconds):
                report(style.paint(f"finished after {seconds:.1f} s", "dim"))

    def _stage(self, stage: Stage, round: int, state: SearchState, style: Style) -> None:
        told = _STAGES[stage] + (f", round {round}" if round > 1 and stage == "retrieving" else "")
        relevant = sum(state.relevance(work) >= THRESHOLD for work in state.assessed)
        so_far = f"  {len(state.found)} papers, {relevant} relevant so far" if state.assessed else ""
        report(style.paint(told, "bold") + style.paint(so_far, "dim"))


def _understood(event: QuestionUnderstood, style: Style) -> list[str]:
    """The question read back."""
    wanted = [event.intent or "", event.domain or ""]
    wanted += [f"since {event.since}"] if event.since else []
    wanted += [f"until {event.until}"] if event.until else []
    wanted += [f"by {' or '.join(event.authors)}"] if event.authors else []
    wanted += [f"in {event.venue}"] if event.venue else []
    wanted += [f"cited {event.min_citations:,} times"] if event.min_citations else []
    wanted += ["open access"] if event.open_access else []
    wanted += ["recent work first"] if event.recent else []
    who = {"model": "by the model", "built-in": "by built-in rules"}.get(event.by, "")
    lines = style.wrapped(" · ".join(filter(None, [*wanted, who])), "  ")
    lines += [line for query in event.queries for line in style.wrapped(f"? {query}", "  ", "cyan")]
    reasons = dict(event.source_reasons)
    asked = ", ".join(f"{name} ({reasons[name].rstrip('.')})" if name in reasons else name for name in event.sources)
    return [*lines, *style.wrapped(f"asks {asked}", "  ", "dim")] if asked else lines


def _followed(events: list[ReferencesFollowed], style: Style) -> str:
    listed, new = sum(one.listed for one in events), sum(one.new for one in events)
    return style.paint(f"  {listed} links of {len(events)} papers, {new} lead to papers not seen yet", "dim")


def _line(event: SourceAnswered, style: Style) -> str:
    told = event.error if event.state in ("failed", "skipped") else f"{event.found} papers"
    if event.state == "partial":
        told = f"{event.found} papers, cut short: {event.error}"
    mark = style.paint(_MARKS[event.state], _COLOURS[event.state])
    return f"  {mark} {event.source:<16} {event.seconds:>4.1f} s  {style.paint(told or '')}"
