"""A tree that grows in place: folded branches stay folded, and the cursor stays on its branch."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from textual.content import Content
from textual.message import Message
from textual.strip import Strip

from spar_tui.tui.commands import bindings
from spar_tui.tui.models.search_trail import Branch, Tone
from spar_tui.tui.widgets.row_list import Look, RowList
from spar_tui.tui.widgets.text import QUIET, plain

_STYLES: dict[Tone, str] = {
    "query": "bold", "source": "", "paper": "", "links": "italic", "quiet": QUIET, "folded": QUIET,
    "trouble": "$error", "facet": "", "gone": f"{QUIET} strike",
}  # fmt: skip
_FOLDED: frozenset[Tone] = frozenset({"links", "folded"})
"""Branches that are folded until the person unfolds them."""
_NOTED_BEFORE: frozenset[Tone] = frozenset({"paper", "facet", "gone"})
_OPENED: frozenset[Tone] = frozenset({"paper", "facet", "gone", "quiet"})
"""Branches that Enter opens; it folds or unfolds the others."""


class TreeRow(NamedTuple):
    """A branch as a row, after the lines (`guides`) that lead to it."""

    branch: Branch
    guides: str
    is_folded: bool


class TrailTree(RowList[TreeRow], inherit_bindings=False):
    """Shows branches."""

    BINDINGS = bindings("the trail")

    class Marked(Message):
        """The person marks the paper under the cursor."""

    def __init__(self, id: str) -> None:
        super().__init__(lambda row: row.branch.key, id)
        self._branches: tuple[Branch, ...] = ()
        self._turned: set[str] = set()
        """The keys of the branches that the person has folded, or unfolded if they are folded at first."""

    @property
    def branch(self) -> Branch | None:
        """The branch under the cursor."""
        return self.row.branch if self.row else None

    def grow(self, branches: tuple[Branch, ...]) -> None:
        """Show `branches`."""
        if branches != self._branches:
            self._branches = branches
            self._show_rows()

    def _show_rows(self) -> None:
        self.show([row for branch in self._branches for row in self._rows_of(branch, "", "")])

    def _rows_of(self, branch: Branch, before: str, below: str) -> Iterator[TreeRow]:
        """Yield the rows of a branch with these guides `before` it, and before all that is `below` it."""
        folded = bool(branch.children) and (branch.tone in _FOLDED) is not (branch.key in self._turned)
        yield TreeRow(branch, before, folded)
        for child in () if folded else branch.children:
            last = child is branch.children[-1]
            yield from self._rows_of(child, below + ("└ " if last else "├ "), below + ("  " if last else "│ "))

    def action_mark_or_fold(self) -> None:
        """Mark the paper under the cursor; fold or unfold anything else."""
        if self.branch is not None and self.branch.work is not None:
            self.post_message(self.Marked())
        elif self.branch is not None:
            self._turned ^= {self.branch.key}
            self._show_rows()

    def action_select(self) -> None:
        """Open the branch under the cursor; fold or unfold it if there is nothing to open."""
        if self.branch is not None and self.branch.tone not in _OPENED:
            self.action_mark_or_fold()
        else:
            super().action_select()

    def draw(self, row: TreeRow, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        sign = "" if not row.branch.children else "▶ " if row.is_folded else "▼ "
        text = Content.assemble(" ", (row.guides, QUIET), sign, branch_text(row.branch))
        return self.lines_of(text, look, width)


def branch_text(branch: Branch) -> Content:
    """Return the label of a branch with its note."""
    # The score precedes a title and the count follows a source, so that cutting a title loses neither.
    label = plain(branch.label, _STYLES[branch.tone])
    note = plain(branch.note, "$error" if branch.tone == "trouble" else QUIET)
    texts = [note, label] if branch.tone in _NOTED_BEFORE else [label, note]
    return Content(" ").join(text for text in texts if text.plain)
