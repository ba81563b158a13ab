"""The contents of a terminal, computed from the bytes that the app sends."""

import re
from codecs import getincrementaldecoder

from rich.cells import cell_len

_SEQUENCE = re.compile(
    "\x1b\\[(?P<arguments>[0-9;?:<=>]*)[ -/]*(?P<final>[@-~])"
    "|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1bP[^\x1b]*\x1b\\\\|\x1b[()][A-Z0-9]|\x1b[=>78cDEHM]"
)
_LONGEST = 4_096
"""Maximum length of an incomplete escape sequence; a longer one is treated as unknown."""
_BAR = "▌"
"""Marker to the left of a message above the line of keys."""
_FRAME = " │╯╮─▁▂▃▄▅▆▇█"
"""Characters to the right of a notice: the frame and the scroll bar of the pane below."""


class Screen:
    """The cells of a terminal of `columns` by `lines`.

    Supports the output of Textual: text, absolute positions and clearing. Ignores colors.
    """

    def __init__(self, columns: int, lines: int) -> None:
        self._columns, self._lines = columns, lines
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._unread = ""
        self._x = self._y = 0
        self._clear()

    def feed(self, output: bytes) -> None:
        """Draw `output`. The next call completes a sequence that is cut off."""
        text = self._unread + self._decoder.decode(output)
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self._put(text[at])
                at += 1
            elif sequence := _SEQUENCE.match(text, at):
                self._obey(sequence["final"], sequence["arguments"])
                at = sequence.end()
            elif len(text) - at < _LONGEST:
                break
            else:
                at += 1
        self._unread = text[at:]

    @property
    def rows(self) -> list[str]:
        """The lines, top to bottom."""
        return ["".join(row) for row in self._cells]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def notices(self) -> str:
        """The text of all notices, without their line breaks."""
        lines = [row.rpartition(_BAR)[2].rstrip(_FRAME) for row in self.rows if _BAR in row]
        return " ".join(" ".join(lines).split())

    def _clear(self) -> None:
        self._cells = [[" "] * self._columns for _ in range(self._lines)]

    def _put(self, letter: str) -> None:
        if letter == "\r":
            self._x = 0
        elif letter == "\n":
            self._x, self._y = 0, min(self._y + 1, self._lines - 1)
        elif (width := cell_len(letter)) and self._x + width <= self._columns:
            self._cells[self._y][self._x : self._x + width] = [letter, *[""] * (width - 1)]
            self._x += width

    def _obey(self, final: str | None, arguments: str) -> None:
        if final == "H":
            line, _, column = arguments.partition(";")
            self._y, self._x = min(int(line or 1), self._lines) - 1, min(int(column or 1), self._columns) - 1
        elif final == "J":
            self._clear()
        elif final == "K":
            self._cells[self._y][self._x :] = [" "] * (self._columns - self._x)
