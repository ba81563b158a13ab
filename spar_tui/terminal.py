"""Write to a terminal or a pipe: the answer to standard output, everything else to standard error."""

import json
import os
import re
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from connectors.records.visible import visible
from spar_tui.errors import Failure, UsageError
from spar_tui.standard_error import tell


@dataclass(slots=True)
class Verbosity:
    """How much this process prints beside the answer, its `verb`, and the watch that it is `about`."""

    quiet: bool = False
    verbose: bool = False
    verb: str = ""
    about: str = ""
    closed: bool = False
    """Whether standard output was closed when the process started."""


TELLING = Verbosity()
DASH = "-"
"""Name of standard input as a file to read, and of standard output as a file to write."""

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_PAINT = re.compile(r"\x1b\[[\d;]*m")
WIDEST = 110
_LEAST_BESIDE = 30
"""Minimum number of columns for a text beside its head."""
_REDRAWN = 0.1
"""Minimum seconds between two states of a counter on a terminal, so that a person can read it."""
_TELLING_SECONDS = 3.0
"""Seconds after which the pace of a counter allows an estimate of the time left."""


PROGRESS = "SPAR_PROGRESS"
"""Environment variable of a program that starts this one and shows its progress: lines that begin with `ERASED`. With
the value `ROWS`, a line can also be a part of the report, as JSON."""
ROWS = "rows"
ERASED = "\r\x1b[K"
"""Moves to the start of a line on a terminal, and erases it."""


@dataclass(frozen=True, slots=True)
class Style:
    """Whether and how to color; `plain` for pipes, `NO_COLOR`, dumb terminals and `--plain`."""

    coloured: bool = False
    width: int = 100

    def paint(self, text: str, *styles: str) -> str:
        """Return `text` without control characters, in `styles` if colors are wanted."""
        text = visible(text)
        if not self.coloured or not styles:
            return text
        return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"

    def wrapped(self, text: str, indent: str, *styles: str) -> list[str]:
        """Wrap `text` to this width, each line after `indent`."""
        lines = textwrap.wrap(
            visible(text), max(self.width - len(indent), 20), break_long_words=False, break_on_hyphens=False
        )
        return [indent + self.paint(line, *styles) for line in lines]

    def column(self, head: int) -> int:
        """Return the column where a text begins: beside a head of this width, or below it if the line is too short."""
        return head if self.width - head >= _LEAST_BESIDE else 4

    def beside(self, head: str, text: str, *styles: str) -> list[str]:
        """Wrap `text` beside `head`, which may be painted, or below it."""
        width = len(_PAINT.sub("", head))
        column = self.column(width)
        lines = self.wrapped(text, " " * column, *styles)
        if column != width or not lines:
            return [head.rstrip(), *lines]
        return [head + lines[0][column:], *lines[1:]]


def can_draw() -> bool:
    """Whether a person is at a terminal that can show the app."""
    # Without standard output a program wants an answer; standard error may well go to a file.
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return at_terminal and os.environ.get("TERM", "dumb") != "dumb"


def can_ask() -> bool:
    """Whether a person is there who can answer questions: never in a pipe."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def choose(question: str, choices: Sequence[str]) -> str | None:
    """Ask on standard error for one of `choices`, by name or number; return None without an answer."""
    report(visible(question))
    for number, choice in enumerate(choices, start=1):
        report(f"  {number}  {choice}")
    by_answer = {
        **{str(number): choice for number, choice in enumerate(choices, start=1)},
        **dict(zip(choices, choices, strict=True)),
    }
    while True:
        tell("> ")
        answer = sys.stdin.readline().strip().lower()
        if not answer or answer in by_answer:
            return by_answer.get(answer)
        report(visible(f"{answer[:40]!r} is none of these; type a name or a number, or Enter to cancel."))


def confirm(question: str) -> bool:
    """Ask a question on standard error. Only y or yes counts as yes."""
    tell(f"{visible(question)} [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def agreed(question: str, decision: str) -> bool:
    """Ask on standard error whether the person writes yes. Raises `UsageError` without a
    terminal."""
    if not can_ask():
        raise UsageError(f"there is no terminal to ask {decision}; --yes answers yes.")
    note(question)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def ask_line(prompt: str) -> str | None:
    """Return the next line of standard input; None at the end. On a terminal, show `prompt` and allow editing and
    history. Raises `KeyboardInterrupt`."""
    if not can_ask():
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None
    with suppress(ImportError):  # some builds of Python do not have it
        import readline  # noqa: F401  # lets `input` edit lines
    sys.stdout.flush()
    try:
        return input(prompt)
    except EOFError:
        report("")
        return None


def answer_style(plain: bool) -> Style:
    """Return the style of the answer, according to standard output."""
    return _style(sys.stdout.isatty() and not plain)


def progress_style(plain: bool) -> Style | None:
    """Return the style of progress, or None for no progress."""
    return _style(True) if sys.stderr.isatty() and not plain and not TELLING.quiet else None


def _style(terminal: bool) -> Style:
    if not terminal:
        return Style(coloured=False, width=10_000)
    coloured = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return Style(coloured, min(shutil.get_terminal_size().columns, WIDEST))


_STYLE = "|".join(("0", *_STYLES.values()))
_STEERING = re.compile(
    rf"\x1b(?!\[(?:{_STYLE})(?:;(?:{_STYLE}))*m)"
    r"|\r(?!\n|$)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]"
)
"""Terminal control characters and sequences, except text styles."""


def say(*lines: str) -> None:
    """Write lines of the answer, without control characters other than styles."""
    for line in lines:
        sys.stdout.write(_STEERING.sub("", line) + "\n")
    sys.stdout.flush()


def dump(value: object) -> str:
    """Return printed JSON: one object, indented, in Unicode."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def say_json(value: object) -> None:
    """Write one JSON object as the answer."""
    say(dump(value))


def wants_rows() -> bool:
    """Whether the program that started this one reads the parts of a report as they come."""
    return os.environ.get(PROGRESS) == ROWS


def tell_row(value: object) -> None:
    """Report a part of a report to the program that started this one."""
    tell(f"{ERASED}{json.dumps(value)}\n")


def say_bytes(data: bytes) -> None:
    """Write the bytes of a file to standard output; `data` is empty if they went into a file. Raises `Failure` if the
    output is closed."""
    if TELLING.closed and data:
        raise Failure("standard output is closed, so nothing was written; use -o FILE.")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def note(*sentences: str) -> None:
    """Print sentences beside the answer on standard error, wrapped on a terminal; with `--quiet`, print nothing."""
    if not TELLING.quiet:
        for sentence in sentences:
            report(*_style(sys.stderr.isatty()).wrapped(sentence, ""))


def remark(*sentences: str) -> None:
    """Print sentences that the person should know, like `note` but also with `--quiet`. Each begins with `spar:` and
    names the watch that it is about."""
    about = f"{TELLING.about}: " if TELLING.about else ""
    for sentence in sentences:
        report(*_style(sys.stderr.isatty()).wrapped(f"spar: {about}{sentence}", ""))


def note_failures(failed: Mapping[str, str]) -> None:
    """Print each source that failed, with its sentence."""
    remark(*(f"{source} {sentence}" for source, sentence in failed.items()))


def report(*lines: str) -> None:
    """Print styled lines of progress on standard error."""
    sys.stdout.flush()
    for line in lines:
        tell(line + "\n")


def _can_write_over() -> bool:
    """Whether lines on standard error may be overwritten: not if other lines are printed in between."""
    return os.environ.get("TERM", "dumb") != "dumb" and not TELLING.verbose


class ProgressLine:
    """One line on standard error that is overwritten; nothing if that is not a suitable terminal, unless the program
    that started this one shows it."""

    def __init__(self, plain: bool = False) -> None:
        self._shown = progress_style(plain) is not None and _can_write_over()

    def tell(self, text: str) -> None:
        """Overwrite the line with `text`; an empty text erases it."""
        if PROGRESS in os.environ:
            tell(f"{ERASED}{visible(text)}\n")
        elif self._shown:
            width = shutil.get_terminal_size().columns - 1
            tell(f"{ERASED}{visible(text)[:width]}")


def _broken(text: str, cells: int) -> list[str]:
    """Wrap `text` to lines of this many cells, also if it has no spaces."""
    wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return textwrap.wrap(visible(text), max(cells // 2 if wide else cells, 10))


class DraftBlock:
    """Lines on standard error that are overwritten until they are erased; nothing if that is not a suitable
    terminal. Nothing else may be printed there meanwhile."""

    def __init__(self, style: Style | None) -> None:
        self._style = style if _can_write_over() else None
        self._lines = 0

    def tell(self, heading: str, texts: Sequence[str]) -> bool:
        """Overwrite the block with `texts` under their heading, or with their end if they are higher than the
        terminal; return whether that is possible here."""
        if self._style is None:
            return False
        style = self._style
        lines = [
            f"  {style.paint(line, 'dim')}" for text in (heading, *texts) for line in _broken(text, style.width - 2)
        ]
        lines = lines[-max(shutil.get_terminal_size().lines - 2, 1) :]
        # Without wrapping every line takes one row, whatever the width of its letters.
        self._write("\x1b[?7l" + "".join(f"{line}\n" for line in lines) + "\x1b[?7h")
        self._lines = len(lines)
        return True

    def take_away(self) -> None:
        """Erase the block."""
        if self._lines:
            self._write("")
            self._lines = 0

    def _write(self, text: str) -> None:
        sys.stdout.flush()
        back = f"\x1b[{self._lines}A\r\x1b[J" if self._lines else ""
        tell(back + text)


def time_left(number: int, of: int, seconds: float) -> str:
    """Return `, about 2 min left` by the pace so far; "" at first, when it says little."""
    if not number or seconds < _TELLING_SECONDS:
        return ""
    rest = seconds * (of - number) / number
    return f", about {rest / 60:.0f} min left" if rest > 90 else f", about {rest:.0f} s left"


@contextmanager
def counting(verb: str, of: int, plain: bool = False) -> Iterator[Callable[[int], None]]:
    """Show the count and the time left during the block; yield a function to call with the number newly done."""
    line, count_done, start, last = ProgressLine(plain), 0, time.monotonic(), 0.0

    def more(number: int) -> None:
        nonlocal count_done, last
        count_done += number
        if (now := time.monotonic()) - last >= _REDRAWN or count_done == of or PROGRESS in os.environ:
            line.tell(f"{verb}: {count_done:,} of {of:,}{time_left(count_done, of, now - start)}")
            last = now

    try:
        more(0)
        yield more
    finally:
        line.tell("")
