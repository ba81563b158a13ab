"""Which of the relevant papers of a search cite each other, as a map to walk with keys."""

import asyncio
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.events import Click
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from agents.search.kind import SearchRun
from connectors.paper import Paper, WorkId
from spar_tui.citation_map import ENDINGS, format_of_name
from spar_tui.citation_map.formats import written
from spar_tui.citation_map.known_links import CitationLink, CitationMap, citation_map
from spar_tui.citation_map.layout import Columns, Picture, laid_out, places
from spar_tui.citation_map.phrases import (
    first_author,
    map_sentences,
    short_title,
    who_and_when,
    year_lines,
    years_meaning,
)
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
from spar_tui.tui.widgets.text import QUIET, Line, cut, fitting, plain

COLUMN, GUTTER = 21, 4
"""Widths in cells: three columns fit into eighty."""
STRIDE = COLUMN + GUTTER
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_DRAWN = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""The character for each sum of the directions in which lines leave a cell."""
Cells = Mapping[tuple[int, int], str]
Places = Mapping[WorkId, tuple[int, int]]


def left_of(column: int) -> int:
    """Return where the papers of a column begin; a gutter precedes each column, and one follows the last."""
    return GUTTER + column * STRIDE


def routes(links: Iterable[CitationLink], places: Places, row: int) -> Cells:
    """Return the characters of the lines for `links` by (x, y), with `row` lines for each paper; an arrow points to the
    cited paper."""
    grid: dict[tuple[int, int], int] = defaultdict(int)
    heads: dict[tuple[int, int], str] = {}
    for link in links:
        (from_column, from_row), (to_column, to_row) = places[link.citing], places[link.cited]
        start, end = from_row * row, to_row * row
        backwards = to_column < from_column
        if to_column == from_column:
            lane = left_of(from_column) - 3
            corners = [(left_of(from_column) - 1, start), (lane, start), (lane, end), (left_of(to_column) - 1, end)]
        else:
            outside = left_of(from_column) - 1 if backwards else left_of(from_column) + COLUMN
            inside = left_of(to_column) + COLUMN if backwards else left_of(to_column) - 1
            lane, last = (outside - 1, inside + 1) if backwards else (outside + 1, inside - 1)
            if abs(to_column - from_column) == 1:
                corners = [(outside, start), (lane, start), (lane, end), (inside, end)]
            else:
                free = end + row - 1
                corners = [(outside, start), (lane, start), (lane, free), (last, free), (last, end), (inside, end)]
        for begin, finish in pairwise(corners):
            _draw(grid, begin, finish)
        heads[corners[-1]] = "◀" if backwards else "▶"
    return {at: _DRAWN[ways] for at, ways in grid.items()} | heads


def _draw(grid: dict[tuple[int, int], int], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a straight line from one cell to another."""
    (x, y), (to_x, to_y) = sorted((start, end))
    while (x, y) != (to_x, to_y):
        across = x < to_x
        grid[x, y] |= _RIGHT if across else _DOWN
        x, y = (x + 1, y) if across else (x, y + 1)
        grid[x, y] |= _LEFT if across else _UP


LOW_ROW = 4
"""Least lines of a row: two of them for the authors and for links, the others for the title."""
_LETTERS = 150
"""Most letters of a title."""


_NOTHING = CitationMap("", (), (), ())


def _wrapped(title: str, cells: int = COLUMN - 1) -> list[str]:
    return wrap(title, cells, break_on_hyphens=False)


def on_lines(title: str, cells: int, most: int) -> list[str]:
    """Wrap `title` to `most` lines of at most `cells` columns, not at hyphens; the last line is cut if necessary."""
    parts = _wrapped(title, cells)
    lines = [*parts[: most - 1], " ".join(parts[most - 1 :]), *[""] * most][:most]
    return [cut(line, cells) for line in lines]


class MapView(ScrollView, can_focus=True, inherit_bindings=False):
    """The papers of a map; posts `Highlighted` when the cursor moves to another paper, and `Selected` on Enter."""

    BINDINGS = bindings("on the citation map")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "map--year", "map--title", "map--linked", "map--line", "map--cursor", "map--cursor-blurred",
    }  # fmt: skip
    DEFAULT_CSS = """
    MapView { height: 1fr; min-width: 20; background: $background; color: $foreground; scrollbar-size: 1 1; }
    MapView:focus { background-tint: transparent; }
    .map--year { color: $primary; text-style: bold; }
    .map--title { color: $foreground 70%; }
    .map--linked { color: $accent; text-style: bold; }
    .map--line { color: $accent; }
    .map--cursor { background: $block-cursor-background; color: $block-cursor-foreground;
                   text-style: $block-cursor-text-style; }
    .map--cursor-blurred { background: $block-cursor-blurred-background; color: $foreground;
                           text-style: $block-cursor-blurred-text-style; }
    """

    class Highlighted(Message):
        """The cursor is on another paper."""

        def __init__(self, view: "MapView", work: WorkId) -> None:
            super().__init__()
            self.view, self.work = view, work

        @property
        def control(self) -> "MapView":
            return self.view

    class Selected(Highlighted):
        """The paper under the cursor was chosen."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._map, self._columns, self._at = _NOTHING, Columns(), dict[WorkId, tuple[int, int]]()
        self._marked: Collection[int] = ()
        self._lines: Cells = {}
        self._row_lines = LOW_ROW
        self._linked: frozenset[WorkId] = frozenset()
        self.work: WorkId | None = None
        """The paper under the cursor; None on an empty map."""

    def show(self, drawn: CitationMap, columns: Columns) -> None:
        """Show a map; the cursor stays on its paper, else goes to the first paper of the map with a link."""
        self._map, self._columns, self._at = drawn, columns, places(columns)
        if self.work not in self._at:
            linked = {work for link in drawn.links for work in link}
            works = [paper.work for paper in drawn.papers]
            self.work = next((work for work in works if work in linked), works[0] if works else None)
        self._measure()

    def watch_show_horizontal_scrollbar(self) -> None:
        """Place the scrollbar, which does not follow while it is hidden."""
        self.horizontal_scrollbar.position = self.scroll_x

    def _measure(self) -> None:
        """Give each paper the lines that the longest title needs, or as many as fit."""
        rows = max((len(column.works) for column in self._columns), default=0)
        width = GUTTER + len(self._columns) * STRIDE
        fitting = (self.outer_size.height - (width > self.outer_size.width) - 1) // max(rows, 1)
        needed = max((len(_wrapped(self._title(work))) for work in self._at), default=0) + 2
        self._row_lines = max(min(needed, fitting), LOW_ROW)
        self.virtual_size = Size(width, rows * self._row_lines + 1)
        self._moved()

    def mark(self, keys: Collection[int]) -> None:
        """Mark these papers, and no others."""
        self._marked = frozenset(keys)
        self.refresh()

    def go_to(self, work: WorkId) -> None:
        """Move the cursor to `work`."""
        if work in self._at and work != self.work:
            self.work = work
            self._moved()

    def _moved(self) -> None:
        work = self.work
        self._lines, self._linked = {}, frozenset()
        if work is not None:
            links = [link for link in self._map.links if work in link]
            self._lines = routes(links, self._at, self._row_lines)
            self._linked = frozenset(work_id for link in links for work_id in link) - {work}
            self._bring_into_sight(work)
            self.post_message(self.Highlighted(self, work))
        self.refresh()

    def _bring_into_sight(self, work: WorkId) -> None:
        column, row = self._at[work]
        size, offset = self.scrollable_content_region.size, self.scroll_offset
        left, top = left_of(column) - GUTTER, row * self._row_lines
        x = min(max(offset.x, left + STRIDE + GUTTER - size.width), left)
        y = min(max(offset.y, top + self._row_lines - (size.height - 1)), top)
        if (x, y) != (offset.x, offset.y):
            self.scroll_to(max(x, 0), max(y, 0), animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        self._measure()

    def action_in_year(self, steps: int) -> None:
        if self.work is not None:
            column, row = self._at[self.work]
            works = self._columns[column].works
            self.go_to(works[max(0, min(row + steps, len(works) - 1))])

    def action_to_year(self, steps: int) -> None:
        if self.work is not None:
            column, row = self._at[self.work]
            works = self._columns[max(0, min(column + steps, len(self._columns) - 1))].works
            self.go_to(works[min(row, len(works) - 1)])

    def action_end_year(self, steps: int) -> None:
        if self._columns:
            self.go_to(self._columns[0 if steps < 0 else -1].works[0])

    def action_to_linked(self, direction: str) -> None:
        """Go to the first paper that this one cites, or that cites it."""
        if self.work is not None and (work_ids := self._linked_by(direction)):
            self.go_to(min(work_ids, key=lambda work: self._at[work]) if direction == "citing" else
                       max(work_ids, key=lambda work: (self._at[work][0], -self._at[work][1])))  # fmt: skip

    def _linked_by(self, direction: str) -> list[WorkId]:
        if self.work is None:
            return []
        return self._map.cited_by(self.work) if direction == "citing" else self._map.cites(self.work)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "to_linked":
            return bool(self._linked_by(str(parameters[0])))
        return True

    def action_select(self) -> None:
        """Choose the paper under the cursor."""
        if self.work is not None:
            self.post_message(self.Selected(self, self.work))

    def on_click(self, event: Click) -> None:
        at = event.get_content_offset_capture(self) + self.scroll_offset - Offset(0, 1)
        if work := self._work_at(at):
            if work == self.work:
                self.action_select()
            self.go_to(work)

    def _work_at(self, at: Offset) -> WorkId | None:
        column, row = (at.x - GUTTER) // STRIDE, at.y // self._row_lines
        return next((work for work, position in self._at.items() if position == (column, row)), None)

    def render_line(self, y: int) -> Strip:
        """Return a visible line; the years stay on top."""
        width, left = self.scrollable_content_region.width, self.scroll_offset.x
        line = self.scroll_offset.y + y - 1
        pieces = self._years() if y == 0 else self._row(line)
        strip = Strip([Segment(text, style) for text, style in pieces])
        return strip.adjust_cell_length(max(strip.cell_length, left + width), self.rich_style).crop(left, left + width)

    def _years(self) -> list[tuple[str, Style]]:
        names = (str(column.year or "no date").ljust(STRIDE) for column in self._columns)
        return [(" " * GUTTER, self.rich_style), *((name, self._style("year")) for name in names)]

    def _row(self, line: int) -> list[tuple[str, Style]]:
        pieces = [self._passing(0, GUTTER, line)]
        for index, column in enumerate(self._columns):
            row, part = divmod(line, self._row_lines)
            free = part == self._row_lines - 1 or row >= len(column.works)
            pieces.append(self._passing(left_of(index), COLUMN, line) if free else self._paper(column.works[row], part))
            pieces.append(self._passing(left_of(index) + COLUMN, GUTTER, line))
        return pieces

    def _passing(self, left: int, cells: int, line: int) -> tuple[str, Style]:
        return "".join(self._lines.get((x, line), " ") for x in range(left, left + cells)), self._style("line")

    def _paper(self, work: WorkId, part: int) -> tuple[str, Style]:
        """Return a line of a paper: its author, with how many it cites (→) and is cited by (←); or its title."""
        paper = self._map.by_work[work].paper
        if part == 0:
            cites, cited = len(self._map.cites(work)), len(self._map.cited_by(work))
            badge = " ".join([*([f"→{cites}"] if cites else []), *([f"←{cited}"] if cited else [])])
            mark = "◆" if work in self._marked else "▸" if work == self.work else " "
            who = cut(first_author(paper), COLUMN - 1 - (len(badge) + 1 if badge else 0))
            text = f"{mark}{who}"
            text += " " * (COLUMN - cell_len(text) - len(badge)) + badge
        else:
            text = f" {self._title_lines(work)[part - 1]}"
            text += " " * (COLUMN - cell_len(text))
        if work == self.work:
            return text, self._style("cursor" if self.has_focus else "cursor-blurred")
        return text, self._style("linked" if work in self._linked and part == 0 else "title" if part else "")

    def _title_lines(self, work: WorkId) -> list[str]:
        """Return the title on the lines that a row has for it, cut if necessary."""
        room = self._row_lines - 2
        return on_lines(self._title(work), COLUMN - 1, room)

    def _title(self, work: WorkId) -> str:
        return short_title(self._map.by_work[work].paper, _LETTERS)

    def _style(self, name: str) -> Style:
        return (
            self.rich_style + self.get_component_rich_style(f"map--{name}", partial=True) if name else self.rich_style
        )


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
    BINDINGS = bindings("citation map", "any paper")
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
