"""The list beside the shelf, of filters to choose."""

from spar_tui.tui.commands import bindings
from spar_tui.tui.models.kept_filters import KeptFilter
from spar_tui.tui.widgets.table import Cell, Column, Table


def _name(one: KeptFilter) -> Cell:
    return Cell("  " * one.level + one.name, "accent" if one.name.startswith("#") and not one.kept else "plain")


_COLUMNS: tuple[Column[KeptFilter], ...] = (
    Column("", 0, _name),
    Column("", 6, lambda one: Cell("" if one.papers is None else f"{one.papers:,}"), right=True),
)


class SideList(Table[KeptFilter], inherit_bindings=False):
    """Filters and tags with how many papers meet each."""

    HEAD = 0
    BINDINGS = bindings("side list", "lists")
    DEFAULT_CSS = """
    SideList { border: round $border-blurred; border-title-color: $foreground; scrollbar-size-vertical: 1;
               width: 26; display: none; }
    SideList:focus { border: round $border; background-tint: transparent; }
    """

    def __init__(self) -> None:
        super().__init__(_COLUMNS, lambda one: (one.kept, one.text), id="side")
