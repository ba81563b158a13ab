"""Writing to a terminal or a pipe: the answer to standard output, everything else to standard error."""

import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from connectors.records.clean import visible

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
WIDEST = 110


@dataclass(frozen=True, slots=True)
class Style:
    """Whether and how to colour; `plain` for pipes, `NO_COLOR`, dumb terminals and `--plain`."""

    coloured: bool = False
    width: int = 100

    def paint(self, text: str, *styles: str) -> str:
        """`text` without control characters, in `styles` where colour is wanted."""
        text = visible(text)
        if not self.coloured or not styles:
            return text
        return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"

    def wrapped(self, text: str, indent: str, *styles: str) -> list[str]:
        """`text` in lines of this width, each behind `indent`."""
        lines = textwrap.wrap(
            visible(text), max(self.width - len(indent), 20), break_long_words=False, break_on_hyphens=False
        )
        return [indent + self.paint(line, *styles) for line in lines]


def can_draw() -> bool:
    """Whether a person sits at a terminal on which the app can be drawn."""
    # It is drawn on standard error, as programs do whose standard output is an answer.
    seen = sys.stdin.isatty() and sys.stdout.isatty() and sys.stderr.isatty()
    return seen and os.environ.get("TERM", "dumb") != "dumb"


def answer_style(plain: bool) -> Style:
    """How to write the answer, judged by what standard output is."""
    return _style(sys.stdout.isatty() and not plain)


def progress_style(plain: bool) -> Style | None:
    """How to write progress, or None where there should be none."""
    return _style(True) if sys.stderr.isatty() and not plain else None


def _style(terminal: bool) -> Style:
    if not terminal:
        return Style(coloured=False, width=10_000)
    coloured = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return Style(coloured, min(shutil.get_terminal_size().columns, WIDEST))


def say(*lines: str) -> None:
    """Lines of the answer."""
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


def note(sentence: str) -> None:
    """A sentence beside the answer, on standard error; wrapped where that is a terminal."""
    for line in _style(sys.stderr.isatty()).wrapped(sentence, ""):
        report(line)


def note_failures(failed: Mapping[str, str]) -> None:
    """Name each source that failed, with its sentence."""
    for source, sentence in failed.items():
        note(f"spar: {source} {sentence}")


def report(line: str) -> None:
    """A line of progress, already painted, on standard error."""
    sys.stdout.flush()
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
