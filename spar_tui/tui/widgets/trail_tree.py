"""A tree that grows in place: folded branches stay folded, and the cursor stays on its branch."""

from collections.abc import Sequence
from typing import ClassVar, Self

from rich.style import Style
from rich.text import Text
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from connectors.records.visible import visible
from spar_tui.tui.commands import bindings
from spar_tui.tui.models.search_trail import Branch, Tone

_STYLES: dict[Tone, str] = {
    "query": "bold", "source": "", "paper": "", "links": "italic", "quiet": "dim", "folded": "dim",
    "trouble": "", "facet": "", "gone": "dim strike",
}  # fmt: skip
_FOLDED: frozenset[Tone] = frozenset({"links", "folded"})
"""Branches that are folded until the person unfolds them."""
_NOTED_BEFORE: frozenset[Tone] = frozenset({"paper", "facet", "gone"})
_LABEL_CAP = 200


class TrailTree(Tree[Branch], inherit_bindings=False):
    """Shows branches; the data of each node is its branch."""

    BINDINGS = bindings("tree")
    COMPONENT_CLASSES: ClassVar[set[str]] = {"trail-tree--trouble"}
    DEFAULT_CSS = """
    TrailTree { height: 1fr; min-width: 20; padding: 0 0 0 1; overflow-x: hidden; background: $background;
                scrollbar-size-vertical: 1; border: round $border-blurred; border-title-color: $foreground;
                border-subtitle-color: $foreground 70%; }
    TrailTree:focus { border: round $border; background-tint: transparent; }
    .trail-tree--trouble { color: $error; }
    /* Without colours the library reverses the row in a tree without focus, too, as if two rows had the keys. */
    TrailTree:ansi:nocolor > .tree--cursor { text-style: $block-cursor-blurred-text-style; }
    TrailTree:ansi:nocolor:focus > .tree--cursor { text-style: $block-cursor-text-style; }
    """

    virtual_size = Reactive(Size(0, 0), layout=False)  # Textual would lay out the whole screen at each new branch

    class Marked(Message):
        """The person marks the paper under the cursor."""

    _growing = False

    def __init__(self, id: str) -> None:
        super().__init__("", id=id)
        self.show_root = False
        self.guide_depth = 2
        self.auto_expand = True
        self._shown: tuple[Branch, ...] = ()

    def show(self, branches: tuple[Branch, ...]) -> None:
        """Show `branches`."""
        if branches == self._shown:
            return
        self._shown = branches
        at = self.cursor_node.data.key if self.cursor_node and self.cursor_node.data else None
        self._growing = True
        _grow(self.root, branches)
        self._growing = False
        if at is not None and (node := _find(self.root, at)):
            self.call_after_refresh(self._back_to, node)

    def render_label(self, node: TreeNode[Branch], base_style: Style, style: Style) -> Text:
        """Return the label, cut with an ellipsis at the edge of the pane."""
        label = super().render_label(node, base_style, style)
        if node.data and node.data.tone == "trouble":
            label.stylize(self.get_component_rich_style("trail-tree--trouble", partial=True))
        depth, above = 0, node.parent
        while above is not None:
            depth, above = depth + 1, above.parent
        label.truncate(max(self.scrollable_content_region.width - depth * self.guide_depth - 1, 1), overflow="ellipsis")
        return label

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Redraw without a new layout while the tree grows, since nothing around it changes."""
        return super().refresh(*regions, repaint=repaint, layout=layout and not self._growing, recompose=recompose)

    def watch_virtual_size(self, size: Size) -> None:
        """Update only the scrolling: nothing else depends on the number of branches."""
        self._scroll_update(size)

    def get_label_width(self, node: TreeNode[Branch]) -> int:
        """Return any width: the tree does not scroll sideways, and measuring would draw every label."""
        return 1

    def action_mark_or_fold(self) -> None:
        """Mark the paper under the cursor; fold or unfold anything else."""
        node = self.cursor_node
        if node is not None and node.data is not None and node.data.work is not None:
            self.post_message(self.Marked())
        else:
            self.action_toggle_node()

    def _back_to(self, node: TreeNode[Branch]) -> None:
        # New rows above the node have moved it away from the cursor.
        if self.cursor_node is not node and node.line >= 0:
            self.cursor_line = node.line


def _grow(node: TreeNode[Branch], branches: Sequence[Branch]) -> None:
    there = {child.data.key: child for child in node.children if child.data}
    wanted = {branch.key for branch in branches}
    for key, child in there.items():
        if key not in wanted:
            child.remove()
    for index, branch in enumerate(branches):
        if branch.key not in there:
            before = index if index < len(node.children) else None
            there[branch.key] = node.add(_label(branch), branch, before=before, expand=branch.tone not in _FOLDED)
        child = there[branch.key]
        if child.data is not None and (child.data.label, child.data.note) != (branch.label, branch.note):
            child.set_label(_label(branch))
        child.data = branch
        child.allow_expand = bool(branch.children)
        _grow(child, branch.children)


def _find(node: TreeNode[Branch], key: str) -> TreeNode[Branch] | None:
    for child in node.children:
        if child.data and child.data.key == key:
            return child
        if descendant := _find(child, key):
            return descendant
    return None


def _label(branch: Branch) -> Text:
    # The score precedes a title and the count follows a source, so that cutting a title loses neither.
    label = Text(visible(branch.label)[:_LABEL_CAP], _STYLES[branch.tone], no_wrap=True)
    if not branch.note:
        return label
    note = Text(branch.note, "" if branch.tone == "trouble" else "dim")
    return Text(" ").join([note, label] if branch.tone in _NOTED_BEFORE else [label, note])
