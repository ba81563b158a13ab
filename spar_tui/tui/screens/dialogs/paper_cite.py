"""Copy a citation: a line at the bottom offers the forms, and a letter chooses one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.screen import ModalScreen

from cache.store import Store
from connectors.paper import Paper
from connectors.records.visible import shortened
from spar_tui.math_text import title_text
from spar_tui.phrases import papers_text
from spar_tui.tui.commands import bindings, command_named
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, Line, cut, plain

if TYPE_CHECKING:
    from spar_tui.bibliography.citation_text import QuickForm
    from spar_tui.tui.research_app import ResearchApp

Form = Literal["entry", "key", "id", "title", "latex", "markdown"]
_FORMS: "dict[Form, QuickForm]" = {"title": "line", "latex": "cite", "markdown": "pandoc"}
FORMATS = {
    "bibtex": "BibTeX", "biblatex": "BibLaTeX", "ris": "RIS", "csl-json": "CSL-JSON", "markdown": "Markdown",
    "csv": "CSV", "text": "reference",
}  # fmt: skip
"""Names of copied entries, by export format."""


class CiteLine(ModalScreen[None]):
    """Offers the forms of a citation of `chosen`, and copies the chosen form."""

    DEFAULT_CSS = """
    CiteLine { align-vertical: bottom; background: transparent; }
    CiteLine #citing { dock: bottom; margin: 0 0 1 0; background: $panel; }
    """
    BINDINGS = bindings("copying a citation")
    app: "ResearchApp"

    def __init__(self, chosen: Sequence[Paper]) -> None:
        super().__init__()
        self.chosen = chosen

    def compose(self) -> ComposeResult:
        what = f"“{shortened(title_text(self.chosen[0]))}”" if len(self.chosen) == 1 else papers_text(len(self.chosen))
        yield Line("citing", plain(f"Copy {what} as:", QUIET))
        yield Footer()

    def title_of(self, action: str, title: str) -> str:
        """Return the label of an action in the footer; an entry is copied in the format of the last export."""
        return FORMATS[self.app.settings.preferences.export_format] if action == "copy('entry')" else title

    def action_copy(self, form: Form) -> None:
        app, chosen, format = self.app, self.chosen, self.app.settings.preferences.export_format

        def citation_and_key() -> tuple[str, str]:
            if form != "entry":
                return citation(app.store, chosen, form), ""
            return app.exported(chosen, format), citation(app.store, chosen, "key")

        def copy(copied: tuple[str, str]) -> None:
            text, key = copied
            whose = key if len(chosen) == 1 else papers_text(len(chosen))
            name = FORMATS[format] if form == "entry" else command_named(f"cite.{form}").title
            app.copy(text, f"{name} of {whose}" if "\n" in text else cut(text, 100))

        app.on_shelf(citation_and_key, copy)
        self.dismiss()

    def action_close(self) -> None:
        """Close without copying."""
        self.dismiss()


def citation(store: Store, chosen: Sequence[Paper], form: Form) -> str:
    """Return the citation of `chosen` in this form, and store its citation keys. Raises `UserError`, `CacheError`."""
    if form == "id":
        return "\n".join(_name(paper) for paper in chosen)
    from spar_tui.bibliography.citation_key import DEFAULT_PRESET, PRESETS
    from spar_tui.bibliography.citation_text import quick
    from spar_tui.bibliography.gathering import entry_for
    from spar_tui.bibliography.joined_entries import items_for_readers

    with store.writing():
        items = items_for_readers(store, cited(store, chosen), PRESETS[DEFAULT_PRESET])
    entries = [entry_for(item, "text") for item in items]
    return "\n".join(entry.key for entry in entries) if form == "key" else quick(entries, _FORMS[form])


def cited(store: Store, chosen: Sequence[Paper]) -> dict[int, Paper]:
    """Put papers into the library and note in the reading history that they are cited; return them by number."""
    from cache import papers
    from cache.reading_history import note_interaction

    works = papers.numbered(store, papers.remember(store, chosen))
    for number in works:
        note_interaction(store, number, "cited")
    return works


def _name(paper: Paper) -> str:
    """Return the DOI as written, else the paper's id."""
    doi = paper.identifier("doi")
    return doi or paper.id
