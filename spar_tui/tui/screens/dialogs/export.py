"""Export papers to a file: its format, its path, and what to do if it exists."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from textual import on, work
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, Select, Static

from cache import papers
from cache.errors import CacheError
from cache.store import Store
from connectors.paper import Paper
from spar_tui.bibliography.entry import Format
from spar_tui.bibliography.exporting import ExportedPaper, export_papers
from spar_tui.bibliography.formats import APPENDABLE, ENDINGS, FORMATS, format_named, format_of_file
from spar_tui.bibliography.options import ExportOptions, export_options
from spar_tui.bibliography.styles import DEFAULT_STYLE, STYLES
from spar_tui.errors import UsageError, UserError
from spar_tui.phrases import papers_text
from spar_tui.reports.text_file import named_file
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import Choice, Dialog
from spar_tui.tui.screens.dialogs.paper_cite import cited
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.text import plain

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp

How = Literal["add", "new", "replace"]
_HOW: dict[How, str] = {"add": "append", "new": "new file", "replace": "replace"}


def _choice(label: str, options: Sequence[tuple[str, str]], value: str, id: str) -> Horizontal:
    return Horizontal(Static(Content(label)), Choice(options, value, id), classes="line", id=f"{id}-line")


class ExportScreen(Dialog[None]):
    """A form; Enter in the file's line or the button exports. Errors are shown in the form, which stays open."""

    DEFAULT_CSS = """
    #export { width: 70; padding: 1 2 0 2; }
    ExportScreen .line { height: auto; margin: 0 0 1 0; }
    ExportScreen .line > Static { width: 13; color: $foreground 70%; }
    ExportScreen .line > Select, ExportScreen .line > Input { width: 1fr; background: $panel; }
    ExportScreen #told { height: auto; color: $error; display: none; margin: 0 0 1 0; }
    ExportScreen #write { margin: 0 0 1 13; min-width: 0; }
    ExportScreen.-short #export { padding: 0 1; }
    ExportScreen.-short .line { margin: 0; }
    """
    BINDINGS = bindings("dialogs")
    AUTO_FOCUS = "#file"
    app: "ResearchApp"
    hint = "enter writes · tab next field"

    def __init__(self, chosen: Sequence[Paper], run: str | None = None) -> None:
        super().__init__()
        self.chosen, self.from_run = chosen, run
        self.heading = f"Export {papers_text(len(chosen))}"
        self._format: Format = "biblatex"

    def box(self) -> Widget:
        return VerticalScroll(id="export", can_focus=False)

    def parts(self) -> Iterator[Widget]:
        self._format = format_named(self.app.settings.preferences.export_format)
        yield _choice("format", [(name, name) for name in FORMATS], self._format, "format")
        yield _choice("style", [(style.title, name) for name, style in STYLES.items()], DEFAULT_STYLE, "style")
        file = OneLine(f"papers{ENDINGS[self._format]}", id="file", compact=True, select_on_focus=False)
        yield Horizontal(Static(Content("file")), file, classes="line")
        yield _choice("if it exists", [(label, how) for how, label in _HOW.items()], "add", "how")
        yield Static(Content(""), id="told")
        yield Button(Content("write"), id="write", compact=True)

    def on_mount(self) -> None:
        self.query_one("#style-line").display = self._format == "text"

    @on(Select.Changed, "#format")
    def _format_changed(self, event: Select.Changed) -> None:
        format = format_named(str(event.value))
        if format == self._format:
            return
        self._format = format
        line, how = self.query_one("#file", Input), self.query_one("#how", Select)
        line.value = str(Path(line.value).with_suffix(ENDINGS[format])) if Path(line.value).name else line.value
        self.query_one("#style-line").display = format == "text"
        ways = get_args(How) if format in APPENDABLE else ("new", "replace")
        how.set_options([(_HOW[option], option) for option in ways])
        how.value = ways[0]

    @on(Input.Changed, "#file")
    def _file_changed(self, event: Input.Changed) -> None:
        """Choose the format of the file's ending, unless the present format has this ending."""
        promised = format_of_file(event.value)
        if promised and ENDINGS[promised] != ENDINGS[self._format]:
            self.query_one("#format", Select).value = promised

    @on(Input.Submitted, "#file")
    @on(Button.Pressed, "#write")
    def _write(self) -> None:
        self._export()

    def _options(self) -> ExportOptions:
        """Return the options of the form. Raises `UsageError`."""
        name, how = self.query_one("#file", Input).value.strip(), self.query_one("#how", Select).value
        if not name:
            raise UsageError("Name a file.")
        file = named_file(name)
        if how == "new" and file.exists():
            raise UsageError(f"{file} exists already. Choose another name, append, or replace.")
        style = str(self.query_one("#style", Select).value) if self._format == "text" else ""
        return export_options(
            format=self._format, style=style, keys="better-bibtex", fields="", preprint=False, ascii_only=None,
            bom=False, output=str(file), append=how == "add" and self._format in APPENDABLE, replace=how == "replace",
        )  # fmt: skip

    @work(exclusive=True, group="export")
    async def _export(self) -> None:
        try:
            options = self._options()
            notes = await self.app.write(partial(self._written, options))
        except (UserError, CacheError) as error:
            notice = self.query_one("#told", Static)
            notice.update(plain(str(error)))
            notice.display = True
            return
        self.app.say("\n".join(notes), seconds=8)
        if self._format != self.app.settings.preferences.export_format:
            self.app.change_setting("export_format", self._format)
        self.dismiss()

    def _written(self, options: ExportOptions) -> list[str]:
        """Write the file and return notes on it. Blocks on the disk. Raises `UserError`, `CacheError`."""
        store = self.app.store
        numbers = papers.remember(store, self.chosen)
        some = papers.by_ids(store, numbers)
        works: dict[int, ExportedPaper] = {
            number: ExportedPaper(paper, self.from_run) for number, paper in zip(numbers, some, strict=True)
        }
        return export_papers(store, works, options, self.app.settings.places.database.parent / "locks").notes


def exported(store: Store, chosen: Sequence[Paper], format: str, locks: Path) -> str:
    """Return what an export of `chosen` in this format would write. Raises `UserError`, `CacheError`."""
    with store.writing():
        works = {number: ExportedPaper(paper) for number, paper in cited(store, chosen).items()}
    options = export_options(
        format=format, style=DEFAULT_STYLE if format == "text" else "", keys="better-bibtex", fields="",
        preprint=False, ascii_only=None, bom=False, output="-", append=False, replace=False,
    )  # fmt: skip
    return export_papers(store, works, options, locks, noting=False).data.decode().rstrip()
