"""A list with a cursor and marks that draws only visible rows.

Textual's own tables and lists measure or draw every row when one of them changes.
"""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import accumulate
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar

from rich.segment import Segment
from textual.content import Content
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from spar_tui.tui.commands import bindings
from spar_tui.tui.theme import Reversing

T = TypeVar("T")
Look = Literal["row", "cursor", "cursor-blurred"]
"""How a row is drawn: as usual, or under the cursor of a list with or without the focus."""
_MOST_DRAWN = 500
_MATCH = "›"


def followed(before: Sequence[Hashable], index: int, after: Sequence[Hashable]) -> int:
    """Return the index in `after` of the row at `index` in `before`; rows are given by their keys.

    If that row is gone, return the nearest row below that remains, else the nearest above, else 0.
    """
    if not after or not before:
        return 0
    places = {key: at for at, key in enumerate(after)}
    below, above = before[index:], reversed(before[:index])
    return next((places[key] for rows in (below, above) for key in rows if key in places), 0)


class RowList(Reversing, ScrollView, Generic[T], can_focus=True, inherit_bindings=False):
    """Rows of `T`, identified by `key` and drawn by `draw` on `LINES` lines each, below `HEAD` lines.

    Drawn rows are cached until the styles change: a row must not be mutated, only replaced.
    """

    BINDINGS = bindings("lists", "filter matches")
    COMPONENT_CLASSES: ClassVar[set[str]] = {"row-list--row", "row-list--cursor", "row-list--cursor-blurred"}
    DEFAULT_CSS = """
    RowList { height: 1fr; min-width: 20; background: $background; color: $foreground; scrollbar-size-vertical: 1;
              overflow-x: hidden; overflow-y: auto; text-wrap: nowrap; text-overflow: ellipsis;
              border: round $border-blurred; border-title-color: $foreground;
              border-subtitle-color: $foreground 70%; }
    RowList:focus { border: round $border; background-tint: transparent; }
    .row-list--cursor { background: $block-cursor-background; color: $block-cursor-foreground;
                        text-style: $block-cursor-text-style; }
    .row-list--cursor-blurred { background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground;
                                text-style: $block-cursor-blurred-text-style; }
    """
    virtual_size = Reactive(Size(0, 0), layout=False)  # Textual would lay out the whole screen at each new row
    LINES: ClassVar[int] = 1
    HEAD: ClassVar[int] = 0
    VARIED: ClassVar[bool] = False
    """Whether rows are measured, because they differ in height."""
    ONE_CLICK: ClassVar[bool] = False
    """Whether the first click on a row chooses it; without, the first moves the cursor there."""

    class Highlighted(Message):
        """The cursor is on another row."""

        def __init__(self, rows: "RowList[Any]", row: Any) -> None:
            super().__init__()
            self.rows, self.row = rows, row

        @property
        def control(self) -> "RowList[Any]":
            return self.rows

    class Selected(Highlighted):
        """A row was chosen with Enter or a click."""

    def __init__(self, key: Callable[[T], Hashable], id: str) -> None:
        super().__init__(id=id)
        self._key = key
        self._rows: Sequence[T] = ()
        self._marked: Collection[Hashable] = ()
        self._matches: Collection[Hashable] | None = ()
        self._last_posted: Hashable = None
        self._around = (Content(""), Content(""))
        self._nothing = Content("")
        self._border_alone = False
        self._drawn: dict[tuple[Hashable, bool, Look, int], tuple[T, Sequence[Strip]]] = {}
        self._width = 0
        """The width at which the rows were measured, if they differ in height; lines are drawn as measured."""
        self._tops: list[int] = []
        """The first line of each row, and the line after the last, if rows differ in height."""
        self.place = 0
        """The index of the row under the cursor."""

    def draw(self, row: T, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        """Return the lines of a row."""
        return [Strip.blank(width, self.rich_style)] * self.LINES

    def lines_of(self, text: Content, look: Look, width: int) -> Sequence[Strip]:
        """Return the lines of `text` as drawn."""
        style = self.get_visual_style("row-list--row", f"row-list--{look}")
        strips = Visual.to_strips(self, text, width, text.plain.count("\n") + 1, style)
        return [strip.adjust_cell_length(width, style.rich_style) for strip in strips]

    def draw_head(self, line: int, width: int) -> Strip:
        """Return a line of the head, which does not scroll."""
        return Strip.blank(width, self.rich_style)

    def top_of(self, index: int) -> int:
        """Return the first line of the row at `index`, from 0."""
        return self._tops[max(0, min(index, len(self._tops) - 1))] if self._tops else index * self.LINES

    def place_at(self, line: int) -> int:
        """Return the index of the row with the line `line`."""
        return max(bisect_right(self._tops, line) - 1, 0) if self._tops else line // self.LINES

    def height_of(self, row: T) -> int:
        """Return the number of lines of a row."""
        return self.LINES

    def lines_above(self, row: T) -> int:
        """Return the number of lines of a rule or a head above the row's own."""
        return 0

    def measure(self, rows: Sequence[T]) -> None:
        """Compute the positions of `rows` before they are shown, if their heights differ."""
        if self.VARIED:
            before, self._tops = self._tops, [0, *accumulate(map(self.height_of, rows))]
            if before != self._tops[: len(before)]:
                self.refresh()

    def entitle(self, above: Content, below: Content) -> None:
        """Set the titles `above` and `below` the rows; only the border is redrawn, and only if it changes."""
        if above.is_same(self._around[0]) and below.is_same(self._around[1]):
            return
        self._around = above, below
        self._border_alone = True
        self.border_title, self.border_subtitle = above, below
        self._border_alone = False

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Redraw `regions`, or all; only the border while a title is set, since Textual would redraw all."""
        if self._border_alone:
            width, height = self.outer_size
            edges = Region(0, 0, width, 1), Region(0, height - 1, width, 1)
            regions = tuple(edge.translate(-self.content_offset) for edge in edges)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @property
    def rows(self) -> Sequence[T]:
        return self._rows

    @property
    def keys(self) -> Collection[Hashable]:
        """The keys of its rows."""
        return frozenset(map(self._key, self._rows))

    @property
    def row(self) -> T | None:
        """The row under the cursor."""
        return self._rows[self.place] if self.place < len(self._rows) else None

    def show(self, rows: Sequence[T], at: Hashable = None) -> None:
        """Show `rows`, with the cursor on the row with the key `at`, else on its row, else on the nearest row that
        remains."""
        wanted = at if at is not None else self._key(self.row) if self.row is not None else None
        index = self.place_of(wanted, rows)
        if index is None and at is None:
            index = followed(list(map(self._key, self._rows)), self.place, list(map(self._key, rows)))
        self.put(rows, index or 0)

    def place_of(self, key: Hashable, rows: Sequence[T]) -> int | None:
        """Return the index in `rows` of the row with this key."""
        return next((index for index, row in enumerate(rows) if self._key(row) == key), None)

    def put(self, rows: Sequence[T], index: int) -> None:
        """Show `rows`, with the cursor on the row at `index` or the nearest one; unchanged rows are not redrawn.

        In a scrolled list, the cursor's row stays on its line of the screen, or else the first visible row. A list that
        is not scrolled shows the first row.
        """
        before, steady = self._rows, self._steady()
        line = self.top_of(steady) - self.scroll_offset.y
        self.measure(rows)
        self._rows = rows
        old, self.place = self.place, max(0, min(index, len(rows) - 1))
        self.virtual_size = Size(0, self.top_of(len(rows)) + self.HEAD)
        same_row = bool(before and rows) and self._key(before[old]) == self._key(rows[self.place])
        if self.scroll_offset.y and before:
            now = self.place if same_row and steady == old else self.place_of(self._key(before[steady]), rows)
            if now is not None:
                self._go_to_line(self.top_of(now) - line)
        self._moved(show=steady == old or not same_row)
        for seen in self._in_sight:
            same = seen < len(before) and seen < len(rows) and before[seen] == rows[seen]
            if not same or (old != self.place and seen in (old, self.place)):
                self.refresh(self.row_region(seen))

    def _steady(self) -> int:
        """Return the index of the row that must not move: the cursor's if it is visible, else the first visible one."""
        in_sight = self._in_sight
        return self.place if self.place in in_sight else max(0, min(in_sight.start, len(self._rows) - 1))

    def _go_to_line(self, line: int) -> None:
        if line != self.scroll_offset.y:
            self.scroll_to(y=line, animate=False, force=True, immediate=True)

    def watch_show_vertical_scrollbar(self) -> None:
        """Place the scrollbar, which does not follow while it is hidden."""
        self.vertical_scrollbar.position = self.scroll_y

    def watch_virtual_size(self, size: Size) -> None:
        """Update only the scrolling: nothing else depends on the number of rows."""
        self._scroll_update(size)

    def mark(self, keys: Collection[Hashable]) -> None:
        """Mark the rows with these keys, and no others."""
        before, self._marked = self._marked, frozenset(keys)
        self.draw_anew(lambda row: (self._key(row) in before) != (self._key(row) in self._marked))

    def find(self, matches: Collection[Hashable] | None) -> bool:
        """Set the rows that the match keys visit and that get a sign; None stands for all rows, without a sign. Return
        whether that changed anything."""
        if matches == self._matches:
            return False
        self._matches = matches
        self._drawn.clear()
        self.refresh()
        self.screen.refresh_bindings()
        return True

    def draw_anew(self, which: Callable[[T], bool]) -> None:
        """Redraw the visible rows for which `which` is true."""
        for index in self._in_sight:
            if index < len(self._rows) and which(self._rows[index]):
                self.refresh(self.row_region(index))

    def go_to(self, index: int) -> None:
        """Move the cursor to row `index`, or to the nearest one."""
        before, self.place = self.place, max(0, min(index, len(self._rows) - 1))
        self._moved()
        self.refresh(self.row_region(before), self.row_region(self.place))

    def _moved(self, show: bool = True) -> None:
        """Scroll to the cursor's row if `show`, and post `Highlighted` if it is another row."""
        top, seen = self.scroll_offset.y, self._room
        first, end = self.top_of(self.place), self.top_of(self.place + 1)
        # Of a row that is higher than the list, any part is enough.
        wanted = min(max(top, first), end - seen) if end - first > seen else max(min(top, first), end - seen)
        if show:
            self._go_to_line(wanted)
        now = self._key(self.row) if self.row is not None else None
        if self.row is not None and now != self._last_posted:
            self.post_message(self.Highlighted(self, self.row))
        self._last_posted = now

    @property
    def _room(self) -> int:
        """Number of lines for rows."""
        return max(self.scrollable_content_region.height - self.HEAD, 1)

    @property
    def _in_sight(self) -> range:
        """The indexes of the rows in the visible lines, including any beyond the last row."""
        top = self.scroll_offset.y
        return range(self.place_at(top), self.place_at(top + self._room - 1) + 1)

    def row_region(self, index: int) -> Region:
        """Return the region of row `index` within the list."""
        top, end = (self.top_of(edge) - self.scroll_offset.y for edge in (index, index + 1))
        first, last = max(top, 0) + self.HEAD, end + self.HEAD
        return (
            Region(0, first, self.scrollable_content_region.width, max(last - first, 0)) if last > first else Region()
        )

    def rows_seen(self) -> Iterator[tuple[int, int]]:
        """Yield the index and the line of each row whose first line is visible, for jump mode."""
        for index in self._in_sight:
            line = self.top_of(index) - self.scroll_offset.y
            if index < len(self._rows) and line >= 0:
                yield index, line + self.HEAD

    def on_resize(self) -> None:
        if self.VARIED:
            self._width = self.scrollable_content_region.width
            self.measure_anew()
        self._moved()

    def measure_anew(self) -> None:
        """Measure and draw all rows again, since they or the width have changed."""
        self._drawn.clear()
        self.put(self._rows, self.place)
        self.refresh()

    def on_click(self, event: Click) -> None:
        line = event.get_content_offset_capture(self).y - self.HEAD
        index = self.place_at(self.scroll_offset.y + line)
        if line >= 0 and index < len(self._rows):
            chosen = self.ONE_CLICK or index == self.place
            self.go_to(index)
            if chosen:
                self.action_select()

    def action_cursor_down(self) -> None:
        self.go_to(self.place + 1)

    def action_cursor_up(self) -> None:
        self.go_to(self.place - 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "select":
            return self.row is not None
        return action != "match" or bool(self._rows if self._matches is None else self._matches)

    def action_match(self, steps: int) -> None:
        matches = self._matches
        indexes = [index for index, row in enumerate(self._rows) if matches is None or self._key(row) in matches]
        further = [index for index in indexes if (index - self.place) * steps > 0] or indexes
        if further:
            self.go_to(further[0 if steps > 0 else -1])

    def action_first(self) -> None:
        self.go_to(0)

    def action_last(self) -> None:
        self.go_to(len(self._rows) - 1)

    def action_page_down(self) -> None:
        """Go down by the visible number of rows."""
        self.go_to(self.place + self._page)

    def action_page_up(self) -> None:
        """Go up by the visible number of rows."""
        self.go_to(self.place - self._page)

    @property
    def _page(self) -> int:
        return max(len(self._in_sight) - 1, 1)

    def action_select(self) -> None:
        """Choose the row under the cursor."""
        if self.row is not None:
            self.post_message(self.Selected(self, self.row))

    def show_nothing(self, content: Content) -> None:
        """Show `content` while there are no rows."""
        if not content.is_same(self._nothing):
            self._nothing = content
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a visible line: of a row, or of the content shown without rows."""
        width = self.scrollable_content_region.width
        if self.VARIED and not self._width:  # drawn before the first `Resize` arrives
            self._width = width
            self.measure(self._rows)
        if not self._rows and self._nothing:
            lines = indented(self._nothing, " ", width - 1).split(allow_blank=True)
            return self.lines_of(lines[y] if y < len(lines) else Content(""), "row", width)[0]
        if y < self.HEAD:
            return self.draw_head(y, width)
        line = self.scroll_offset.y + y - self.HEAD
        index = self.place_at(line)
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        return self._strips(index, width)[line - self.top_of(index)]

    def _strips(self, index: int, width: int) -> Sequence[Strip]:
        row = self._rows[index]
        key = self._key(row)
        look: Look = "row" if index != self.place else "cursor" if self.has_focus else "cursor-blurred"
        drawn = self._drawn.get((key, key in self._marked, look, width))
        if drawn is None or drawn[0] != row:
            if len(self._drawn) >= _MOST_DRAWN:
                self._drawn.clear()
            drawn = row, self._signed(row, self.draw(row, key in self._marked, look, width))
            self._drawn[key, key in self._marked, look, width] = drawn
        return drawn[1]

    def _signed(self, row: T, strips: Sequence[Strip]) -> Sequence[Strip]:
        """Return the lines of a row, with the sign of a match in its first column if that is blank."""
        first = self.lines_above(row)
        if not self._matches or self._key(row) not in self._matches or not strips[first].text.startswith(" "):
            return strips
        style = next(iter(strips[first].crop(0, 1)), Segment("")).style
        sign = Strip([Segment(_MATCH, style)])
        return [*strips[:first], Strip.join([sign, strips[first].crop(1)]), *strips[first + 1 :]]

    def notify_style_update(self) -> None:
        """Drop the drawn rows, since their colors have changed."""
        self._drawn.clear()
        super().notify_style_update()


class TextList(RowList[T]):
    """Rows as high as their text, which keys scroll if it is higher than the list."""

    VARIED = True
    DEFAULT_CSS = "TextList { scrollbar-gutter: stable; }"

    def __init__(self, key: Callable[[T], Hashable], id: str) -> None:
        super().__init__(key, id)
        self._wrapped: dict[Hashable, tuple[T, Content]] = {}

    @abstractmethod
    def wrapped(self, row: T, width: int) -> Content:
        """Return the text of a row, in lines of at most `width` cells."""

    def text_of(self, row: T) -> Content:
        """Return the text of a row at the present width."""
        wrapped = self._wrapped.get(key := self._key(row))
        if wrapped is None or wrapped[0] != row:
            wrapped = self._wrapped[key] = row, self.wrapped(row, max(self._width, 8))
        return wrapped[1]

    def height_of(self, row: T) -> int:
        return self.text_of(row).plain.count("\n") + 1

    def measure_anew(self) -> None:
        self._wrapped.clear()
        super().measure_anew()

    def action_cursor_down(self) -> None:
        """Scroll down in a row that is higher than the list, else go to the next row."""
        if self.top_of(self.place + 1) > self.scroll_offset.y + self._room:
            self.scroll_lines(1)
        else:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Scroll up in a row that is higher than the list, else go to the previous row."""
        if self.top_of(self.place) < self.scroll_offset.y:
            self.scroll_lines(-1)
        else:
            super().action_cursor_up()

    def action_page_down(self) -> None:
        self._turn_page(self._room - 1)

    def action_page_up(self) -> None:
        self._turn_page(1 - self._room)

    def _turn_page(self, lines: int) -> None:
        target = self.place_at(max(self.top_of(self.place) + lines, 0))
        if target == self.place and 0 < self.top_of(target) < self.top_of(len(self._rows) - 1):
            self.scroll_lines(lines)
        else:
            self.go_to(target)

    def scroll_lines(self, lines: int) -> None:
        """Scroll by `lines`."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True, immediate=True)

    def draw(self, row: T, marked: bool, look: Look, width: int) -> Sequence[Strip]:
        return self.lines_of(self.text_of(row), look, width)


def indented(text: Content, indent: str, width: int) -> Content:
    """Return `text` wrapped to `width` cells, each line after `indent`."""
    lines = [line for part in text.split(allow_blank=True) for line in part.wrap(max(width - len(indent), 1)) or [part]]
    return Content("\n").join(Content.assemble(indent, line) for line in lines)
