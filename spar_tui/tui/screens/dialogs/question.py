"""How a question was read: its meaning, the sources and why, and every query with its purpose."""

from collections.abc import Iterator

from textual.content import Content

from agents.search.state import SearchState
from spar_tui.phrases import evolved_aim, read_back
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.scroll_modal import ScrollModal
from spar_tui.tui.widgets.paper_page import heading
from spar_tui.tui.widgets.text import QUIET, plain


class QuestionScreen(ScrollModal):
    """Shows how the question of a search was read. `edits` is True if the person wants to edit it."""

    BINDINGS = bindings("question", "help", "dialog")
    heading = "The question"

    def __init__(self, question: str, state: SearchState) -> None:
        super().__init__()
        self.question, self.state = question, state
        self.edits = False

    def parts(self) -> Iterator[Content]:
        """Yield the question and, in paragraphs, its reading."""
        yield Content("\n\n").join([plain(self.question, "bold"), *_paragraphs(self.state)])

    def action_edit(self) -> None:
        """Edit the question and ask it again."""
        self.edits = True
        self.action_close()


def _paragraphs(state: SearchState) -> Iterator[Content]:
    if state.understood is None:
        yield plain("Not read yet.", QUIET)
        return
    read = read_back(state.understood)
    yield Content.assemble(heading("Read as"), Content("\n").join(map(plain, (read.reading, *read.meaning))))
    if read.sources:
        yield Content.assemble(heading("Sources"), Content("\n").join(map(plain, read.sources)))
    yield Content.assemble(heading("Queries"), Content("\n").join(_query_lines(*query) for query in read.queries))
    for evolved in state.evolved:
        chosen = [(query.query, evolved_aim(query, state)) for query in evolved.queries if query.chosen]
        if chosen:
            content = heading(f"Queries of round {evolved.round + 1}")
            yield Content.assemble(content, Content("\n").join(_query_lines(*pair) for pair in chosen))


def _query_lines(query: str, aim: str) -> Content:
    return Content.assemble(plain(query), "\n  ", plain(aim, QUIET))
