"""Drive the app in a pseudo-terminal: press its keys, read its screen, and log the writes that the screen
acknowledges."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from tests.reliability.company.screen import Screen
from tests.reliability.company.writes import KEY_LENGTH, Write, WriteLog, squeezed
from tests.spar_tui.tui.real_terminal import Terminal

SIZE = (140, 40)
ESCAPE, QUIT, SEARCHES, SHELF, TALK = "\x1b", "\x11", "\x1bOQ", "\x1bOR", "\x1b[18~"
HOME = "What do you want to know?"
_ROW = re.compile(r"│ \d\.\d\d [▁-█] (★ )?([^│…]+)")
_PLAIN = re.compile(r"[A-Za-z0-9 ,:?-]+")
"""Titles that a notice shows exactly as the library stores them."""
_PAGE = re.compile(r"╮╭─ Paper ─.*\n.*││ ([^│▁-█]+)")
_SHELF = re.compile(r"╭─ Shelf [\d,]+ ─")
_CHUNK = 2048
"""Bytes of output between two readings of the screen, so that no short notice is missed."""
RETRY_SECONDS = 3.0
"""Seconds before the cursor is moved again."""
T = TypeVar("T")


class AppEnded(Exception):
    """The app's process has ended, by a kill or by itself."""


class AppStuck(Exception):
    """The app did not show the expected result of a key in time."""


class DrivenApp:
    """An open app in `terminal`, named `name` in the log.

    `interrupt` is called many times a second, and may kill the app. A step that takes longer than `patience` seconds
    raises `AppStuck`; any step raises `AppEnded` if the app has ended.
    """

    def __init__(self, name: str, terminal: Terminal, log: WriteLog, patience: float, interrupt: Callable[[], object]):
        self.name, self._terminal, self._log = name, terminal, log
        self._patience, self._interrupt = patience, interrupt
        self._screen = Screen(*SIZE)
        self._drawn = 0

    def start(self) -> None:
        """Wait for the first screen."""
        self.until(lambda screen: HOME in screen.text, "the first screen")

    def search(self, question: str) -> None:
        """Ask `question` and wait until the search has finished."""
        self._home()
        self._press(f"{question}\r", lambda screen: self._has_ended(screen, question, "finished"), question)
        self._acknowledge("finished", Write("search", question))

    def save(self) -> str | None:
        """Save the first listed paper that no other app has claimed. Return its title, or None if there is none."""
        title = next((title for title in self._titles() if _PLAIN.fullmatch(title) and self._log.claim(title)), None)
        if title is None:
            return None
        self._go_to(title)
        saved = self._press("s", lambda screen: self._notice(screen, r"Saved “([^”]+)”", title), f"Saved {title}")
        assert saved is not None
        self._acknowledge(f"Saved “{saved}”", Write("saved", saved))
        return saved

    def tag(self, title: str, tag: str) -> None:
        """Add a tag to the paper under the cursor, whose title is `title`."""
        self._write_tag(title, tag)
        self._acknowledge(f"Tags of “{title}”: {tag}", Write("tagged", title, tag))

    def tag_and_undo(self, title: str, tag: str) -> None:
        """Add a second tag to `title`, and undo it."""
        self._write_tag(title, f", {tag}")
        self._press("U", lambda screen: self._notice(screen, rf"Undone: tagged “([^”]+)” {tag}\.", title), "undo")
        self._acknowledge(f"Undone: {tag}", Write("tag removed", title, tag))

    def _write_tag(self, title: str, text: str) -> None:
        self._press("T", lambda screen: "Tags, separated by commas" in screen.text, "the line for tags")
        pattern = rf"Tags of “([^”]+)”: (?:[a-z0-9]+)?{text}[.;]"
        self._press(f"{text}\r", lambda screen: self._notice(screen, pattern, title), f"the tag {text}")

    def talk(self, message: str) -> None:
        """Start a conversation with `message` and wait for the answer."""
        self._home()
        self._press(message + TALK, lambda screen: self._has_ended(screen, message, "answered"), message)
        self._acknowledge("answered", Write("conversation", message))

    def open_shelf(self) -> None:
        """Open the shelf."""
        self._press(SHELF, lambda screen: _SHELF.search(screen.text), "the shelf")

    def open_filtered_shelf(self, word: str) -> None:
        """Filter the shelf for `word`, which no paper has yet."""
        self.open_shelf()
        self._press("/", lambda screen: "words and terms" in screen.text, "the filter line")
        self._press(word, lambda screen: "╭─ Shelf 0 of " in screen.text, f"no paper with {word}")

    def close_filter(self) -> None:
        """Close the filter, so that the whole shelf is shown."""
        self._press(ESCAPE, lambda screen: _SHELF.search(screen.text), "the shelf without its filter")

    def shows_within(self, words: str, seconds: float) -> bool:
        """Whether `words` appear on the screen within `seconds`, without pressing a key."""
        try:
            self.until(lambda screen: words in screen.text, words, seconds)
        except AppStuck:
            return False
        return True

    def quit(self) -> int:
        """Press ctrl+q and return the exit code."""
        self._terminal.type(QUIT)
        return self._terminal.ended()

    def until(self, shown: Callable[[Screen], T], what: str, seconds: float | None = None) -> T:
        """Wait until `shown` returns a true value for the screen, and return it."""
        end = time.monotonic() + (self._patience if seconds is None else seconds)
        while True:
            while self._drawn < len(self._terminal.output):
                piece = self._terminal.output[self._drawn : self._drawn + _CHUNK]
                self._screen.feed(bytes(piece))
                self._drawn += len(piece)
                if result := shown(self._screen):
                    return result
            if result := shown(self._screen):
                return result
            self._interrupt()
            if self._terminal.process.poll() is not None:
                raise AppEnded(f"{self.name} ended before {what}: {self._terminal.said[-500:]}")
            if time.monotonic() > end:
                raise AppStuck(f"{self.name} never showed {what}:\n{self._screen.text}")
            self._terminal.read(0.05)

    def _press(self, keys: str, shown: Callable[[Screen], T], what: str) -> T:
        self._terminal.type(keys)
        return self.until(shown, what)

    def _home(self) -> None:
        """Return to the first screen, from a screen above it or from the shelf."""
        if "╭─ Shelf" in self._screen.text:
            self._press(SEARCHES, lambda screen: "╭─ Shelf" not in screen.text, "the searches")
        if HOME not in self._screen.text:
            self._press(ESCAPE, lambda screen: HOME in screen.text, "the first screen again")

    def _titles(self) -> list[str]:
        """Return the titles in the list of a search, possibly truncated; "" for saved papers."""
        rows = [row for row in map(_ROW.search, self._screen.rows) if row]
        return ["" if star else title.strip() for star, title in (row.groups() for row in rows)]

    def _go_to(self, title: str) -> None:
        """Move the cursor to a paper in the list, and retry if the list is sorted again meanwhile."""
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            with suppress(AppStuck):
                self.until(lambda screen: title in self._titles(), title, RETRY_SECONDS)
                self._terminal.type("g" + "j" * self._titles().index(title))
                self.until(lambda screen: self._is_under_cursor(screen, title), f"the page of {title}", RETRY_SECONDS)
                return
        raise AppStuck(f"{self.name} never showed the page of {title}:\n{self._screen.text}")

    def _acknowledge(self, words: str, write: Write) -> None:
        self._log.acknowledged(self.name, words, write)

    @staticmethod
    def _has_ended(screen: Screen, question: str, end: str) -> bool:
        return question[:KEY_LENGTH] in screen.rows[0] and re.search(rf"[✔▲] {end}  ", screen.text) is not None

    @staticmethod
    def _is_under_cursor(screen: Screen, title: str) -> bool:
        page = _PAGE.search(screen.text)
        return page is not None and squeezed(title).startswith(squeezed(page[1]))

    @staticmethod
    def _notice(screen: Screen, pattern: str, title: str) -> str | None:
        """Return the title in a notice that matches `pattern` and is about `title`, which may be truncated."""
        for match in re.finditer(pattern, screen.notices):
            if squeezed(match[1]).startswith(squeezed(title)):
                return match[1]
        return None
