"""How the shelf bears many papers: python -m tests.benchmarks.app.shelf [10000 100000]

In a real terminal, for each size: seconds from the key to the table, from a key to the first of what is drawn anew
(p50, p95), the filter alone and as one types, ordering, and the memory that the screen adds. The filter alone is told
in time of the processor, so that other work on the machine does not count.
"""

import fcntl
import json
import os
import pty
import random
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cache import shelf
from cache.conditions.filters import parsed
from cache.conditions.orders import OF_SHELF, named
from cache.conditions.scopes import SHELF
from cache.store import Store
from cache.timestamps import stamp, utc_now
from spar_tui.tui.screens.shelf import entries, filtered, ordered
from tests.agents.scripted import paper

QUIET = 0.03
"""Seconds without output after which a screen is drawn."""
F3 = b"\x1bOR"
_WORDS = (
    "retrieval of passages sparse dense neural learning graph survey citation analysis language model agents large "
    "evaluation benchmark scientific literature search question answering transformer attention river ecology protein"
).split()
_NAMES = ("Lovelace", "Turing", "Hopper", "Shannon", "Karpukhin", "Robertson", "Salton", "Jones", "Vaswani", "王小明")


def fill(store: Store, many: int) -> None:
    """A shelf of `many` papers, written as the app writes them but in one transaction."""
    dice, now = random.Random(7), stamp(utc_now())
    shelf.save(store, [paper("The first of all", "10.1000/first")])
    with store.writing() as db:
        made = [(number, *_row(dice, number)) for number in range(10, many + 10)]
        db.executemany(
            "INSERT INTO papers (id, date, year, first_author, title_key, title, venue, authors, abstract, record,"
            f" last_seen, first_seen) SELECT ?, '2020', ?, 'x', 't', ?, ?, ?, 'An abstract.', record, '{now}', '{now}'"
            " FROM papers WHERE id = (SELECT min(id) FROM papers)",
            made,
        )
        db.executemany("INSERT INTO shelf (paper, saved) VALUES (?, ?)", [(one[0], now) for one in made])
        tags = [(one[0], dice.choice(("ir", "to read", "methods"))) for one in made if one[0] % 3 == 0]
        db.executemany("INSERT INTO tags (paper, tag) VALUES (?, ?)", tags)


def _row(dice: random.Random, number: int) -> tuple[int, str, str, str]:
    title = " ".join(dice.choices(_WORDS, k=9)).capitalize() + f" {number}"
    authors = json.dumps([f"Ada {name}" for name in dice.choices(_NAMES, k=4)], ensure_ascii=False)
    return 1990 + number % 36, title, dice.choice(("EMNLP", "Nature", "SIGIR", "Journal of Documentation")), authors


class Terminal:
    """The app in a terminal of 150x36."""

    def __init__(self, home: Path) -> None:
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.environ |= {
                "SPAR_HOME": str(home),
                "SPAR_MANNERS": str(home),
                "TERM": "xterm-256color",
                "COLUMNS": "150",
                "LINES": "36",
            }
            os.execv(sys.executable, [sys.executable, "-m", "spar_tui"])
        fcntl.ioctl(self.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 150, 0, 0))

    def until(self, words: bytes, seconds: float = 60.0) -> None:
        """Read on until `words` are drawn."""
        seen = b""
        end = time.perf_counter() + seconds
        while words not in seen:
            if time.perf_counter() > end:
                raise TimeoutError(f"{words!r} was never drawn; the last: {seen[-2000:]!r}")
            seen += self._drawn(1.0)

    def rest(self) -> None:
        """Read until nothing is drawn any more."""
        while self._drawn(0.5):
            pass

    def press(self, key: bytes) -> float:
        """Seconds from the key until the screen begins to change."""
        began = time.perf_counter()
        os.write(self.screen, key)
        self._drawn(5.0)
        took = time.perf_counter() - began
        while self._drawn(QUIET):
            pass
        return took

    def _drawn(self, seconds: float) -> bytes:
        ready, _, _ = select.select([self.screen], [], [], seconds)
        return os.read(self.screen, 1 << 20) if ready else b""

    @property
    def megabytes(self) -> float:
        """What the app holds in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    @property
    def processor(self) -> float:
        """Seconds of processor that the app has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def quit(self) -> None:
        os.write(self.screen, b"\x11")
        while True:
            try:
                if not self._drawn(10.0):
                    break
            except OSError:
                break
        os.waitpid(self.pid, 0)


class Opened(NamedTuple):
    """What the shelf's screen cost until it was drawn: seconds, those of the processor, megabytes that it added."""

    seconds: float
    processor: float
    megabytes: float


def opened_in(terminal: Terminal, many: int) -> Opened:
    """Open the shelf of so many papers, in an app that has just begun."""
    terminal.until(b"do you want to know")
    terminal.rest()
    held, worked, began = terminal.megabytes, terminal.processor, time.perf_counter()
    os.write(terminal.screen, F3)
    terminal.until(f"Shelf {many + 1:,}".encode())
    seconds = time.perf_counter() - began
    terminal.rest()
    return Opened(seconds, terminal.processor - worked, terminal.megabytes - held)


def measure(home: Path, many: int) -> None:
    terminal = Terminal(home)
    opened, _, took = opened_in(terminal, many)
    keys = [b"j"] * 100 + [b"\x04"] * 30 + [b"G", b"g"] * 10 + [b"k", b" "] * 20
    worked = terminal.processor
    presses = [terminal.press(key) for key in keys]
    worked = (terminal.processor - worked) / len(keys)
    terminal.press(b"/")
    typing = [terminal.press(bytes([key])) for key in b"retrieval 2001"]
    typing += [terminal.press(b"\x7f") for _ in range(8)]
    terminal.press(b"\x1b")
    sorting = [terminal.press(b"R") for _ in OF_SHELF]
    terminal.quit()
    with Store.open(home / "spar.db") as store:
        every = ordered(entries(shelf.rows(store)), named("saved"))
    texts = (
        "retrieval",
        "robertson 2001",
        "zzz",
        "tag:ir survey",
        "unread",
        "e",
        "-year:..2001",
        "author:王",
        "venue:j",
    )
    filters = [_alone(partial(filtered, every, parsed(text, SHELF))) for text in texts]
    print(f"{many:>7,} papers: open {opened:.2f} s, +{took:.0f} MB; key p50 {_ms(statistics.median(presses))}, "
          f"p95 {_ms(_p95(presses))}, {_ms(worked)} of processor; filter alone {_ms(max(filters))} at most, "
          f"a letter typed p50 {_ms(statistics.median(typing))}, {_ms(max(typing))} at most; "
          f"ordering {_ms(max(sorting))} at most",
          flush=True)  # fmt: skip


def _alone(do: Callable[[], object]) -> float:
    began = time.process_time()
    do()
    return time.process_time() - began


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    for size in [int(one) for one in sys.argv[1:]] or [10_000, 100_000]:
        with tempfile.TemporaryDirectory() as folder:
            with Store.open(Path(folder) / "spar.db") as filling:
                fill(filling, size)
            measure(Path(folder), size)
