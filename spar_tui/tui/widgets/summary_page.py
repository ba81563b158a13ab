"""The text of a summary as rows, updated in place; the highlight stays on its row."""

from collections.abc import Sequence, Set

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from spar_tui.tui.commands import bindings
from spar_tui.tui.models.summary_rows import Cited, Row
from spar_tui.tui.theme import Reversing
from spar_tui.tui.widgets.text import QUIET, plain


class SummaryPage(Reversing, OptionList, inherit_bindings=False):
    """Shows rows that wrap; another node (`about`) is shown from its top."""

    BINDINGS = bindings("lists")
    DEFAULT_CSS = """
    /* Rows are measured but once: a scrollbar that came later would take columns away from under their words. */
    SummaryPage { height: 1fr; min-width: 20; padding: 0 0 0 1; overflow-x: hidden; overflow-y: auto;
                  scrollbar-gutter: stable; scrollbar-size-vertical: 1; background: $background;
                  border: round $border-blurred; border-title-color: $foreground; }
    SummaryPage:focus { border: round $border; background-tint: transparent; }
    SummaryPage > .option-list--option { padding: 0 1 0 0; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._about: str | None = None
        self._rows: list[Row] = []
        self._marked: Set[int] = frozenset()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        at = self.highlighted
        return self._rows[at] if at is not None and at < len(self._rows) else None

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def show(self, about: str, rows: Sequence[Row]) -> None:
        """Show `rows`. Rows that keep their place are rewritten only if they differ; new rows are appended."""
        old, at = self._rows, self.row
        same, self._about, self._rows = about == self._about, about, list(rows)
        if not same or [row.key for row in old] != [row.key for row in rows[: len(old)]]:
            # Without a move, the person reads from the top, whatever arrives there.
            self._show_all(at.key if at and same and self.highlighted else None)
            return
        for index, (before, now) in enumerate(zip(old, rows, strict=False)):
            if before != now:
                self._write(index)
        self.add_options(self._option(row) for row in rows[len(old) :])
        if self.highlighted is None and rows:
            self.highlighted = 0

    def _show_all(self, key: str | None) -> None:
        """Show all rows again, with the highlight on the row `key` where it was, if given."""
        offset = self.scroll_y
        self.set_options(self._option(row) for row in self._rows)
        index = next((index for index, row in enumerate(self._rows) if row.key == key), 0)
        self.highlighted = index if self._rows else None
        if key is not None:
            self.scroll_to(y=offset, animate=False, force=True)
            self.call_after_refresh(self.scroll_to_highlight)

    def show_marked(self, works: Set[int]) -> None:
        """Mark the papers `works`, and no others."""
        changed, self._marked = self._marked ^ works, frozenset(works)
        for index, row in enumerate(self._rows):
            if row.kind == "paper" and any(citation.work in changed for citation in row.cited):
                self._write(index)

    def _write(self, index: int) -> None:
        self.replace_option_prompt_at_index(index, self._text(self._rows[index]))

    def _option(self, row: Row) -> Option:
        return Option(self._text(row), id=row.key)

    def _text(self, row: Row) -> Content:
        first = bool(self._rows) and row is self._rows[0]
        return row_text(row, any(citation.work in self._marked for citation in row.cited), first)


_CLOSE = (".", "!", "?", ":", " ")
"""What stands behind a citation without a space of its own."""


def row_text(row: Row, marked: bool = False, first: bool = False) -> Content:
    """Return a row: a heading, text with citations, or a paper with its authors below. All headings except the first
    have a blank line above."""
    if row.kind == "heading":
        return Content.assemble("" if first else "\n", plain(_words(row), "bold $primary"))
    if row.kind == "quiet":
        return plain(_words(row), QUIET)
    ends = ("", *row.parts, ".")
    parts = [_mark(part, ends[at], ends[at + 2]) if isinstance(part, Cited) else plain(part)
             for at, part in enumerate(row.parts)]  # fmt: skip
    if row.kind == "text":
        return Content("").join(parts)
    mark = Content.styled("◆ ", "$accent") if marked else Content("")
    return Content.assemble(mark, *parts, "\n", plain(row.told, QUIET))


def cited_text(row: Row, index: int, title: str) -> Content:
    """Return the citation at `index` of a row: the paper's `title`, and its words that support the row."""
    citation = row.cited[index]
    several = plain(f"{index + 1} of {len(row.cited)} ← →  ", QUIET) if len(row.cited) > 1 else Content("")
    support = [Content.assemble("\n", plain(words, "italic")) for words in citation.support]
    return Content.assemble(several, _mark(citation, behind=title), plain(title, "bold"), *support)


def _words(row: Row) -> str:
    return "".join(part for part in row.parts if isinstance(part, str))


def _mark(citation: Cited, before: str | Cited = "", behind: str | Cited = ".") -> Content:
    """The number of a citation, apart from the words `before` and `behind` it; nothing if it has none."""
    lead = " " * (isinstance(before, Cited) or bool(before and not before.endswith(" ")))
    tail = " " * (isinstance(behind, str) and bool(behind) and not behind.startswith(_CLOSE))
    return Content.styled(f"{lead}[{citation.number}]{tail}", "$accent") if citation.number else Content("")
