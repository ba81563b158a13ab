"""Which of the relevant papers of a search cite each other, as a map to walk with keys."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from agents.search.kind import SearchRun
from connectors.paper import Paper, WorkId
from spar_tui.citation_map import ENDINGS, format_of_name
from spar_tui.citation_map.formats import written
from spar_tui.citation_map.known_links import CitationMap, citation_map
from spar_tui.citation_map.layout import Columns, Picture, laid_out
from spar_tui.citation_map.phrases import map_sentences, who_and_when, year_lines, years_meaning
from spar_tui.errors import UsageError
from spar_tui.math_text import title_text
from spar_tui.phrases import counted
from spar_tui.reports.text_file import suggested_name, write_text
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.models.library_records import records_of_person, with_records
from spar_tui.tui.screens.dialogs.name_prompts import write_file
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.footer import Footer
from spar_tui.tui.widgets.paper_page import InSearch
from spar_tui.tui.widgets.pictures.map_view import MapView
from spar_tui.tui.widgets.text import QUIET, Line, fitting, plain

_WIDEST_YEARS = 80


class CitationMapScreen(PaperActions):
    """The citation map of `live` when the screen was last shown; no source is asked for it."""

    DEFAULT_CSS = """
    CitationMapScreen #years, CitationMapScreen #about, CitationMapScreen #told { height: auto; padding: 0 1; }
    CitationMapScreen #about { max-height: 4; }
    CitationMapScreen #told { max-height: 3; color: $foreground 70%; }
    CitationMapScreen.-short #years { display: none; }
    CitationMapScreen.-short #told { max-height: 1; }
    """
    BINDINGS = bindings("citation map", "papers")
    AUTO_FOCUS = "#map"

    def __init__(self, live: SearchRun) -> None:
        super().__init__()
        self.live = live
        self._drawn: CitationMap | None = None
        self._columns: Columns = ()

    def compose(self) -> ComposeResult:
        yield Line("way", plain(f"Who cites whom: {self.live.question}", "bold"))
        yield Static(Content(""), id="years")
        yield MapView("map")
        yield Static(Content(""), id="about")
        yield Static(plain("Reading the library…", QUIET), id="told")
        yield Footer()

    async def library_changed(self) -> None:
        """Read the known links again, since there may be more by now."""
        state, question, store = self.live.state, self.live.question, self.app.store
        records = await asyncio.to_thread(records_of_person, store, dict(state.papers))
        drawn = await asyncio.to_thread(citation_map, with_records(state, records), question, store)
        if drawn == self._drawn:
            return
        self._drawn, self._columns = drawn, laid_out(drawn)
        self.query_one(MapView).show(drawn, self._columns)
        self._show_lines()
        self.refresh_bindings()

    def on_resize(self) -> None:
        self._show_lines()

    def _show_lines(self) -> None:
        if self._drawn is None:
            return
        width = min(self.size.width - 2, _WIDEST_YEARS)
        bars = [line.ljust(width) for line in year_lines(self._drawn.years, width)]
        years = [plain(bars[0], "$primary"), plain(bars[1], "$success"), plain(bars[2], QUIET)] if bars else []
        contents = [plain(years_meaning(self._drawn.years, width), QUIET)] if bars else []
        self.query_one("#years", Static).update(Content("\n").join([*years, *contents]))
        self.query_one("#told", Static).update(plain(" ".join(map_sentences(self._drawn))))
        self._show_about()

    def _show_about(self) -> None:
        """Show the paper under the cursor and its links."""
        drawn, work = self._drawn, self.query_one(MapView).work
        if drawn is None or work is None:
            return
        lines = [plain(title_text(drawn.by_work[work].paper), "bold")]
        for verb, works in (("cites", drawn.cites(work)), ("cited by", drawn.cited_by(work))):
            if works:
                lines.append(self._named(f"{verb} {len(works)}: ", [drawn.by_work[work_id].paper for work_id in works]))
        if len(lines) == 1:
            lines.append(plain("No known link to another relevant paper.", QUIET))
        self.query_one("#about", Static).update(Content("\n").join(lines))

    def _named(self, label: str, papers: Sequence[Paper]) -> Content:
        """Return as many of `papers` as fit on the line, and the number of the others."""
        room = self.size.width - 2 - len(label) - len(" and 999 more")
        shown = fitting([plain(who_and_when(paper)) for paper in papers], room, "; ")
        many = shown.plain.count("; ") + 1 if shown.cell_length else 0
        more = len(papers) - many
        rest = f"{' and ' if many else ''}{more} more" if more else ""
        return Content.assemble(plain(label, QUIET), shown, plain(rest, QUIET))

    @property
    def key(self) -> int | None:
        """The work under the cursor."""
        return self.query_one(MapView).work if self.is_mounted else None

    def paper_of(self, key: int) -> Paper | None:
        candidate = self._drawn.by_work.get(self.live.state.work(WorkId(key))) if self._drawn else None
        return candidate.paper if candidate else None

    def keys_shown(self) -> Sequence[int]:
        return [paper.work for paper in self._drawn.papers] if self._drawn else ()

    @property
    def in_search(self) -> InSearch | None:
        work = self.key
        return None if work is None else InSearch(self.live.state, self.live.state.work(WorkId(work)))

    @property
    def from_run(self) -> str | None:
        return self.live.run

    def show_marks(self) -> None:
        self.query_one(MapView).mark(set(self.marked))
        self.refresh_bindings()

    @on(MapView.Highlighted)
    def _highlighted(self) -> None:
        self._show_about()
        self.refresh_bindings()

    @on(MapView.Selected)
    def _selected(self) -> None:
        self.open_at_hand()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("like", "dislike"):
            return False
        if action == "export_map":
            return bool(self._columns)
        return super().check_action(action, parameters)

    def action_export_map(self) -> None:
        if self._drawn is not None:
            self._export(Picture(self.live.run, self._drawn, self._columns))

    @work(group=PROMPTS)
    async def _export(self, picture: Picture) -> None:
        papers = counted(len(picture.drawn.papers), "paper")
        text = f"Save the map of {papers} as ({', '.join(ENDINGS.values())})"
        suggested = str(Path(suggested_name(self.live.question)).with_suffix(".svg"))
        await write_file(self.app, text, suggested, partial(_write, picture))


def _write(picture: Picture, file: Path, old: bytes | None, locks: Path) -> None:
    """Write `picture` to `file`, in the format of its ending. Raises `UserError`."""
    format = format_of_name(file.name)
    if format is None:
        raise UsageError(f"{file.name} has no known ending; use {', '.join(ENDINGS.values())}.")
    write_text(written(picture, format), file, old, locks)
