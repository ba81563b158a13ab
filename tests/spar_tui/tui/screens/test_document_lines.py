"""The look of the turns of a conversation."""

from spar_tui.tui.screens.conversation import document_line
from spar_tui.tui.widgets.text import QUIET
from tests.rows import each


@each(("line", "style"), [("## TL;DR", "bold"), ("> Quotes only.", QUIET), ("- One.", "")])
def test_the_lines_of_a_document_stay_as_they_are_and_headings_stand_out(line: str, style: str) -> None:
    shown = document_line(line)
    assert shown.plain == line
    assert [str(span.style) for span in shown.spans] == ([style] if style else [])
