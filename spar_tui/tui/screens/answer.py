"""An answer to a question, with the quotes that support it: the text of a summary without facets."""

from collections.abc import Iterator

from agents.evidence.designs import design_of
from agents.summary.events import ROOT
from agents.summary.kind import SummaryRun
from agents.summary.state import SummaryState
from spar_tui.math_text import title_text
from spar_tui.phrases import quotation
from spar_tui.reports.answer import beginning, sides_of
from spar_tui.tui.models.summary_rows import CitationMark, TextRow, byline, sentence_parts
from spar_tui.tui.screens.summary import SummaryScreen, answer_line


def answer_rows(state: SummaryState) -> list[TextRow]:
    """Return the rows of an answer as far as it is written."""
    if state.answered is None:
        return [TextRow("wait", "quiet", ("No answer yet.",))] if state.started else []
    return [*_answer(state), *_evidence(state)]


def _answer(state: SummaryState) -> Iterator[TextRow]:
    written = state.written.get(ROOT)
    numbers = {work: number for number, work in enumerate(state.cited, start=1)}
    sentences = written.sentences if written else ()
    first = beginning(state, [sentence.text for sentence in sentences])
    paragraphs = [sentence_parts(state, written, sentence, numbers) for sentence in sentences] if written else []
    if paragraphs and first.endswith(sentences[0].text):
        verdict = first.removesuffix(sentences[0].text)
        paragraphs[0] = (verdict, *paragraphs[0])
    else:
        yield TextRow("verdict", "heading", (first,))
    for index, parts in enumerate(paragraphs):
        yield TextRow(f"s:{index}", "text", parts)
    if written and written.gap:
        yield TextRow("gap", "quiet", (written.gap,))


def _evidence(state: SummaryState) -> Iterator[TextRow]:
    """Yield each cited or quoted paper with its quotes."""
    for index, (side, papers) in enumerate(sides_of(state)):
        yield TextRow(f"h:evidence{index or ''}", "heading", (side or "Evidence",))
        for number, work, quoted in papers:
            paper = state.findings.found[work].paper
            about = " · ".join(filter(None, (byline(paper), design_of(paper))))
            yield TextRow(f"p:{work}", "paper", (CitationMark(number, work), title_text(paper)), about)
            for at, citation in enumerate(quoted):
                yield TextRow(f"q:{work}:{at}", "text", (quotation(citation.quote, citation.page),))


class AnswerScreen(SummaryScreen):
    """Shows the run of an answer, which goes on when the person leaves the screen."""

    DEFAULT_CSS = "AnswerScreen #facets { display: none; }"
    NAME = "Answer"
    STAGE = staticmethod(answer_line)
    PANES = ("text",)

    def __init__(self, live: SummaryRun) -> None:
        super().__init__(live)
        self.set_pane("text")

    def _rows(self, state: SummaryState) -> list[TextRow]:
        return answer_rows(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the facets and the file, which only a summary has."""
        if action in ("tree_or_text", "write_file"):
            return False
        return super().check_action(action, parameters)
