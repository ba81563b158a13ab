"""Show a search as it happens, on standard error."""

import textwrap

from agents.run.events import PaperFound, SourceAnswered
from agents.run.findings import outcome_of, tally_of
from agents.search.events import (
    Event,
    Finished,
    PaperJudged,
    QueriesEvolved,
    QuestionUnderstood,
    ReferencesFollowed,
    Stage,
    StageChanged,
)
from agents.search.state import SearchState, is_relevant
from cache.corpus.place import CORPUS
from connectors.registry import SOURCES
from spar_tui.cli.running import COLOURS, MARKS, Progress
from spar_tui.math_text import title_text
from spar_tui.phrases import counted, evolved_aim, read_back
from spar_tui.source_phrases import source_text
from spar_tui.terminal import Style, report

_STAGES: dict[Stage, str] = {
    "understanding": "reading the question",
    "retrieving": "asking the sources",
    "judging": "judging papers",
    "references": "following references",
    "judging references": "judging references",
    "evolving": "writing new queries",
    "reranking": "ranking",
}
_HEAD = 29
"""Columns of a source and its seconds."""
_FIRST_TITLES = 2
_JUDGED_TITLES = 6
"""Maximum number of relevant papers named while a model judges, because the list comes soon."""


class SearchProgress(Progress[SearchState, Event]):
    """Shows each stage, with the first new titles of each source."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._followed: list[ReferencesFollowed] = []
        self._queries: dict[str, int] = {}
        self._arrived: list[str] = []
        self._named: set[str] = set()
        self._skipped: set[str] = set()
        self._judged = 0

    def take_up(self, state: SearchState) -> None:
        if state.understood:
            self._count(*state.understood.queries)
        self._count(*(query.query for evolved in state.evolved for query in evolved.queries if query.chosen))
        super().take_up(state)

    def _show_resumed(self, state: SearchState, style: Style) -> None:
        assert state.started is not None
        report(style.paint("resuming", "bold"))
        report(*style.wrapped(state.started.question, "  ", "cyan"))
        report(style.paint(f"  {counted(len(state.found), 'paper')} found so far", "dim"))
        if state.stage:
            _report_stage(state.stage.stage, state.stage.round, state, style)

    def _show(self, event: Event, state: SearchState, style: Style) -> None:
        if self._followed and not isinstance(event, ReferencesFollowed):
            report(*style.wrapped(_followed(self._followed), "  ", "dim"))
            self._followed = []
        match event:
            case StageChanged(stage, round):
                self._judged = 0
                _report_stage(stage, round, state, style)
            case QuestionUnderstood():
                self._count(*event.queries)
                self._understood(event, style)
            case PaperFound(_, paper, found_by) if 0 < found_by.rank <= _FIRST_TITLES:
                self._arrived.append(paper.title)
            case SourceAnswered():
                self._answered(event, style)
            case PaperJudged(work, score, by="model") if is_relevant(score):
                self._judged += 1
                if self._judged <= _JUDGED_TITLES:
                    report(_fitted(f"{score:.2f} {title_text(state.found[work].paper)}", "      ", style))
            case ReferencesFollowed():
                self._followed.append(event)
            case QueriesEvolved():
                queries = [query for query in event.queries if query.chosen]
                self._count(*(query.query for query in queries))
                for query in queries:
                    self._query(f"{query.query} ({evolved_aim(query, state)})", self._queries[query.query], style)
            case Finished(_, seconds, ending):
                self._show_end(seconds, ending, style)

    def _count(self, *queries: str) -> None:
        for query in queries:
            self._queries.setdefault(query, len(self._queries) + 1)

    def _understood(self, event: QuestionUnderstood, style: Style) -> None:
        reading = read_back(event)
        for text in (reading.reading, *reading.meaning):
            report(*style.wrapped(text, "  "))
        for query, aim in reading.queries:
            self._query(f"{query} ({aim})", self._queries[query], style)
        if reading.sources:
            report(*style.wrapped(f"sources: {', '.join(reading.sources)}", "  ", "dim"))

    def _query(self, query: str, number: int, style: Style) -> None:
        first, *more = style.wrapped(query, "     ", "cyan")
        report(*(f"{number:>3}  {first.lstrip()}", *more))

    def _answered(self, event: SourceAnswered, style: Style) -> None:
        """Show a source's answer to a query, with the first titles not shown before."""
        arrived = [title for title in dict.fromkeys(self._arrived) if title not in self._named]
        self._arrived.clear()
        if event.state == "ok" and not event.found and event.source not in (*SOURCES, CORPUS):
            return  # a library without papers on the subject is not worth reporting
        if event.state == "skipped":
            if event.source in self._skipped:
                return  # the reason is the same for each query
            self._skipped.add(event.source)
        head, description = self._told(event, style)
        report(*style.beside(head, description))
        for title in arrived:
            report(_fitted(title, " " * style.column(_HEAD), style))
        self._named.update(arrived)

    def _told(self, event: SourceAnswered, style: Style) -> tuple[str, str]:
        number = self._queries.get(event.query)
        query = f"query {number}: " if number and len(self._queries) > 1 and event.state != "skipped" else ""
        tally = tally_of(event)
        outcome, description = outcome_of(tally), f"{query}{source_text(tally)}"
        took = f"{event.seconds:>4.1f} s" if outcome != "not asked" else ""
        return f"  {style.paint(MARKS[outcome], COLOURS[outcome])} {event.source:<16} {took:<6}  ", description


def _report_stage(stage: Stage, round: int, state: SearchState, style: Style) -> None:
    label = _STAGES[stage] + (f", round {round}" if round > 1 and stage == "retrieving" else "")
    relevant = sum(is_relevant(state.relevance(work)) for work in state.assessed)
    so_far = f"{counted(len(state.found), 'paper')}, {relevant} relevant so far" if state.assessed else ""
    report(*style.beside(style.paint(label, "bold") + "  " * bool(so_far), so_far, "dim"))


def _followed(events: list[ReferencesFollowed]) -> str:
    """Describe the result of following references, or citing papers."""
    parts = []
    for link, name in (("references", "reference"), ("citations", "citing paper")):
        mine = [event for event in events if event.link == link]
        if mine:
            total, new = sum(expansion.listed for expansion in mine), sum(expansion.new for expansion in mine)
            parts.append(f"{counted(total, name)} of {counted(len(mine), 'paper')}, {new or 'none'} new")
    return "; ".join(parts)


def _fitted(text: str, indent: str, style: Style) -> str:
    """Return `text` on one line, truncated between words."""
    return indent + style.paint(textwrap.shorten(text, max(style.width - len(indent), 20), placeholder=" …"), "dim")
