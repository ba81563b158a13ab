"""A search as it happens, on standard error."""

from agents.events import Event, PaperFound, SourceAnswered, Warned
from spar_tui.cli.terminal import Style, note, report

_MARKS = {"ok": "✓", "partial": "~", "failed": "✗", "skipped": "-"}
_COLOURS = {"ok": "green", "partial": "yellow", "failed": "red", "skipped": "dim"}
_FIRST_TITLES = 2


class Progress:
    """Tells of sources as they answer, with the first titles of each; silent but for warnings without a terminal."""

    def __init__(self, style: Style | None) -> None:
        self._style = style

    def show(self, event: Event) -> None:
        match event:
            case Warned(sentence):
                note(f"spar: {sentence}")
            case SourceAnswered() if self._style:
                report(_line(event, self._style))
            case PaperFound(_, paper, found_by) if self._style and found_by.rank <= _FIRST_TITLES:
                report(self._style.wrapped(paper.title, " " * 24, "dim")[0])


def _line(event: SourceAnswered, style: Style) -> str:
    told = event.error if event.state in ("failed", "skipped") else f"{event.found} papers"
    if event.state == "partial":
        told = f"{event.found} papers, cut short: {event.error}"
    mark = style.paint(_MARKS[event.state], _COLOURS[event.state])
    return f"  {mark} {event.source:<16} {event.seconds:>4.1f} s  {style.paint(told or '')}"
