"""An answer to a question, with the quotes that support it: the text of a summary without facets."""

from agents.summary.kind import SummaryRun
from agents.summary.state import SummaryState
from spar_tui.tui.models.answer_rows import answer_rows
from spar_tui.tui.models.summary_rows import Row
from spar_tui.tui.screens.summary import SummaryScreen
from spar_tui.tui.widgets.summary_lines import answer_line


class AnswerScreen(SummaryScreen):
    """Shows the run of an answer, which goes on when the person leaves the screen."""

    DEFAULT_CSS = "AnswerScreen #facets { display: none; }"
    NAME = "Answer"
    STAGE = staticmethod(answer_line)
    PANES = ("text",)

    def __init__(self, live: SummaryRun) -> None:
        super().__init__(live)
        self.set_pane("text")

    def _rows(self, state: SummaryState) -> list[Row]:
        return answer_rows(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the facets and the file, which only a summary has."""
        if action in ("tree_or_text", "write_file"):
            return False
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        """Remove the marks; without marks, go home."""
        if not self.drop_marks():
            self.app.go_home()
