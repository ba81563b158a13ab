"""Copy a citation: a line at the bottom offers the forms, and a letter chooses one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from textual.app import ComposeResult
from textual.screen import ModalScreen

from cache.store import Store
from connectors.paper import Paper
from spar_tui.math_text import title_text
from spar_tui.phrases import papers_text
from spar_tui.tui.commands import bindings, command_named
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.text import QUIET, Line, cut, plain

if TYPE_CHECKING:
    from spar_tui.bibliography.citation_text import QuickForm
    from spar_tui.bibliography.entry import Format
    from spar_tui.tui.research_app import ResearchApp

Form = Literal["bibtex", "key", "id", "title", "latex", "markdown"]
_FORMS: "dict[Form, QuickForm]" = {"bibtex": "bibtex", "title": "line", "latex": "cite", "markdown": "pandoc"}


class CiteLine(ModalScreen[None]):
    """Offers the forms of a citation of `chosen`, and copies the chosen form."""

    DEFAULT_CSS = """
    CiteLine { align-vertical: bottom; background: transparent; }
    CiteLine #citing { dock: bottom; margin: 0 0 1 0; background: $panel; }
    """
    BINDINGS = bindings("citing")
    app: "ResearchApp"

    def __init__(self, chosen: Sequence[Paper]) -> None:
        super().__init__()
        self.chosen = chosen

    def compose(self) -> ComposeResult:
        what = f"“{title_text(self.chosen[0])}”" if len(self.chosen) == 1 else papers_text(len(self.chosen))
        yield Line("citing", plain(f"Copy {what} as:", QUIET))
        yield Footer()

    def action_copy(self, form: Form) -> None:
        """Copy the citation in this form."""
        app, chosen = self.app, self.chosen

        def copy(text: str | None) -> None:
            first, *more = (text or "").splitlines() or [""]
            whose = papers_text(len(chosen)) if len(chosen) > 1 else first.partition("{")[2].rstrip(",")
            app.copy(text or "", f"{command_named(f'cite.{form}').title} of {whose}" if more else cut(first, 100))

        app.on_shelf(lambda: citation(app.store, chosen, form, app.settings.preferences.export_format), copy)
        self.dismiss()

    def action_close(self) -> None:
        """Close without copying."""
        self.dismiss()


def citation(store: Store, chosen: Sequence[Paper], form: Form, exported: str) -> str:
    """Return the citation of `chosen` in this form, and store its citation keys. Entries are in BibLaTeX if that is the
    format of exports (`exported`).

    Raises `UserError`, `CacheError`.
    """
    if form == "id":
        return "\n".join(_name(paper) for paper in chosen)
    from cache import papers
    from cache.reading_history import note_interaction
    from spar_tui.bibliography.citation_key import DEFAULT_PRESET, PRESETS
    from spar_tui.bibliography.citation_text import quick
    from spar_tui.bibliography.gathering import entry_for, items_of
    from spar_tui.bibliography.joined_entries import one_record_each

    with store.writing():
        numbers = papers.remember(store, chosen)
        works = papers.numbered(store, numbers)
        written: Format = "text" if form != "bibtex" else "biblatex" if exported == "biblatex" else "bibtex"
        items = items_of(store, works, PRESETS[DEFAULT_PRESET], written)
        for number in works:
            note_interaction(store, number, "cited")
    entries = [entry_for(item, written) for item in (one_record_each(items, written) if written == "text" else items)]
    if form == "key":
        return "\n".join(entry.key for entry in entries)
    return quick(entries, "biblatex" if written == "biblatex" else _FORMS[form])


def _name(paper: Paper) -> str:
    """Return the DOI as written, else the paper's id."""
    doi = paper.identifier("doi")
    return doi or paper.id
