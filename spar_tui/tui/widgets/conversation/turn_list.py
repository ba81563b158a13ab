"""The turns of a conversation as a list: text that wraps, papers on two lines."""

from collections.abc import Sequence, Set

from textual.content import Content
from textual.strip import Strip

from spar_tui.math_text import unmarked
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.conversation_rows import Kind, TurnRow, at_answer
from spar_tui.tui.models.search_rows import PaperRow
from spar_tui.tui.widgets.paper_list import FACTS_HEAD, facts_text
from spar_tui.tui.widgets.row_list import Look
from spar_tui.tui.widgets.text import QUIET, cut, plain
from spar_tui.tui.widgets.text_list import TextList

DOCUMENT_LINES = 8
"""Most lines of a document to show among the turns."""
_STYLES: dict[Kind, tuple[str, str, str]] = {
    "head": ("  ", "  ", "bold"),
    "said": ("› ", "  ", "bold $primary"),
    "steps": ("  ", "    ", QUIET),
    "step": ("    ", "      ", QUIET),
    "draft": ("  ", "  ", QUIET),
    "text": ("  ", "  ", ""),
    "proposal": ("  ", "  ", "bold $warning"),
    "offer": ("  ", "     ", ""),
    "state": ("  ", "  ", "$accent"),
}
"""For each kind: the indent of the first line, that of the other lines, and the style."""


class TurnList(TextList[TurnRow], inherit_bindings=False):
    """The rows of all turns. While `following`, the list stays at the newest answer; a move ends that."""

    BINDINGS = bindings("turns", "lists")

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.key, id)
        self.following = True
        self._saved: Set[int] = frozenset()
        self._marked_works: Set[int] = frozenset()

    def wrapped(self, row: TurnRow, width: int) -> Content:
        return words(row, width)

    def height_of(self, row: TurnRow) -> int:
        return 2 + _has_head(row) if row.paper else super().height_of(row)

    def on_resize(self) -> None:
        super().on_resize()
        self._to_answer()

    def put(self, rows: Sequence[TurnRow], index: int) -> None:
        changed = rows != self._rows
        super().put(rows, index)
        if changed:
            self.mark_papers(self._marked_works)
            self.refresh()

    def show_turns(self, rows: Sequence[TurnRow]) -> None:
        """Show `rows`; move to the answer if the person waits for it, else keep the position."""
        answer = at_answer(rows) if self.following and rows else None
        self.show(rows, answer.key if answer else None)
        self._to_answer()

    def _to_answer(self) -> None:
        """Scroll so that as much as possible of the last turn is visible, from its message on."""
        if not self.following or not self._rows:
            return
        first = next(index for index, row in enumerate(self._rows) if row.turn == self._rows[-1].turn)
        top = min(self.top_of(first), max(self.top_of(len(self._rows)) - self._room, 0))
        if self.top_of(self.place + 1) <= top + self._room:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)

    def mark_papers(self, works: Set[int]) -> None:
        """Mark the papers `works` in all turns, and no others."""
        self._marked_works = frozenset(works)
        self.mark({row.key for row in self._rows if row.paper and row.paper.key in works})

    def show_saved(self, works: Set[int]) -> None:
        """Show the papers `works` as saved to the shelf, and no others."""
        changed, self._saved = self._saved ^ works, frozenset(works)
        if changed:
            self._drawn.clear()
            self.draw_anew(lambda row: row.paper is not None and row.paper.key in changed)

    def go_to(self, index: int) -> None:
        self.following = False
        super().go_to(index)

    def scroll_lines(self, lines: int) -> None:
        self.following = False
        super().scroll_lines(lines)

    def on_mouse_scroll_down(self) -> None:
        self.following = False

    def on_mouse_scroll_up(self) -> None:
        self.following = False

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "select":
            return self.row is not None and self.row.opens
        return super().check_action(action, parameters)

    def to_steps(self, turn: int) -> None:
        """Move the cursor to the row for the steps of `turn`."""
        index = self.place_of((turn, "steps", 0), self._rows)
        if index is not None:
            self.go_to(index)

    def draw(self, row: TurnRow, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        if row.paper is None:
            return super().draw(row, marked, look, width)
        text = paper_text(row.paper, row.rank, marked, row.paper.key in self._saved, width)
        head = [plain(f"{FACTS_HEAD:>{max(width - 1, 0)}}", QUIET)] if _has_head(row) else []
        above = [strip for line in head for strip in self.lines_of(line, "row", width)]
        return [*above, *self.lines_of(text, look, width)]


def _has_head(row: TurnRow) -> bool:
    """Whether the names of the columns are above the row."""
    return row.kind == "paper" and row.number == 1 and row.paper is not None and not row.paper.reason


def words(row: TurnRow, width: int) -> Content:
    """Return the text of a row without a paper, in lines of at most `width` cells."""
    if row.kind == "document":
        return _document(row.text, width)
    first, rest, style = _STYLES[row.kind]
    lines = plain(row.text, style).wrap(max(width - len(rest), 1)) or [Content("")]
    before = [Content("")] if row.kind == "said" and row.turn else []
    contents = [Content.assemble(first if not index else rest, line) for index, line in enumerate(lines)]
    after = [Content.assemble(rest, ("y", "$key"), (" yes  ", QUIET), ("n", "$key"), (" no", QUIET))]
    return Content("\n").join([*before, *contents, *(after if row.waits and row.kind == "proposal" else ())])


def document_line(line: str) -> Content:
    """Return a line of a document: a Markdown heading is bold, a quotation dim."""
    return plain(line, "bold" if line.startswith("#") else QUIET if line.startswith(">") else "")


def _document(text: str, width: int) -> Content:
    lines = text.rstrip("\n").split("\n")
    shown = [
        Content.assemble(("  │ ", "$accent"), document_line(cut(line, width - 4))) for line in lines[:DOCUMENT_LINES]
    ]
    left = len(lines) - len(shown)
    if left > 0:
        remark = f"and {left:,} more line{'' if left == 1 else 's'}"
        shown.append(Content.assemble(("  │ ", "$accent"), plain(cut(remark, width - 4), QUIET)))
    return Content("\n").join(shown)


def paper_text(paper: PaperRow, rank: int, marked: bool, saved: bool, width: int) -> Content:
    """Return a paper on two lines, with its place in the list, if any."""
    mark, number = ("◆", "$accent") if marked else " ", (f"{rank:>3} " if rank else "    ", QUIET)
    star = ("★ ", "$accent") if saved else ""
    warning = ("RETRACTED ", "$error") if paper.retracted else ""
    return Content.assemble(
        mark,
        number,
        star,
        warning,
        plain(unmarked(paper.title, paper.retracted)),
        "\n",
        " " * 5,
        plain(facts_text(paper, max(width - 6, 1)), QUIET),
    )
