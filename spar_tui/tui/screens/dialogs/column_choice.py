"""Choose the columns of a table and their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.widget import Widget

from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import Dialog
from spar_tui.tui.widgets.table import Column, Table, TableCell


@dataclass(frozen=True, slots=True)
class ColumnOption:
    """A column of the shelf table that can be shown or hidden."""

    name: str
    chosen: bool


_COLUMNS: tuple[Column[ColumnOption], ...] = (
    Column("", 2, lambda row: TableCell("✔" if row.chosen else "", "good")),
    Column("", 0, lambda row: TableCell(row.name, "plain" if row.chosen else "quiet")),
)


class ColumnList(Table[ColumnOption], inherit_bindings=False):
    """The columns, with the chosen ones first, in their order."""

    HEAD = 0
    BINDINGS = bindings("column choice", "lists")
    DEFAULT_CSS = "ColumnList, ColumnList:focus { height: 14; border: none; }"


class ColumnChoice(Dialog[tuple[str, ...] | None]):
    """Returns the names of the chosen columns in order; None if cancelled."""

    DEFAULT_CSS = "ColumnChoice > Vertical { width: 44; }"
    BINDINGS = bindings("columns", "dialog")
    AUTO_FOCUS = "ColumnList"
    heading = "Columns"

    def __init__(self, every: Sequence[str], chosen: Sequence[str]) -> None:
        super().__init__()
        names = [*chosen, *(name for name in every if name not in chosen)]
        self._options = [ColumnOption(name, name in chosen) for name in names]

    def parts(self) -> Iterator[Widget]:
        yield ColumnList(_COLUMNS, lambda column_option: column_option.name, id="columns")

    def on_mount(self) -> None:
        self._list.show(self._options)

    @property
    def _list(self) -> ColumnList:
        return self.query_one(ColumnList)

    def action_switch(self) -> None:
        index = self._list.place
        name, chosen = self._options[index].name, self._options[index].chosen
        self._options[index] = ColumnOption(name, not chosen)
        self._list.show([*self._options])

    def action_shift(self, steps: int) -> None:
        index = self._list.place
        other = min(max(index + steps, 0), len(self._options) - 1)
        self._options.insert(other, self._options.pop(index))
        self._list.show([*self._options])

    def action_keep(self) -> None:
        self.dismiss(tuple(option.name for option in self._options if option.chosen))
