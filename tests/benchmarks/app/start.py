"""How long the app takes to be there, against a bare app of the same library: `python -m tests.benchmarks.app.start`.

First paint: from the start of the process until its words are on a real terminal, the median of some starts by turns.
Typing: from the press of a key, as soon as the ask line is there, until the letter is on the terminal.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.spar_tui.running import command
from tests.spar_tui.tui.real_terminal import opened

STARTS = 11
BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("a bare app")
Bare().run()
"""
LETTER = "ß"


def bare(home: Path) -> float:
    """Seconds until the bare app is on the terminal."""
    began = time.perf_counter()
    with opened(home, program=[sys.executable, "-c", BARE]) as terminal:
        terminal.until(b"a bare app")
        taken = time.perf_counter() - began
        terminal.type("\x11")
        terminal.ended()
    return taken


def spar(home: Path) -> tuple[float, float]:
    """Seconds until the ask line is on the terminal, and from a key press there until its letter is."""
    began = time.perf_counter()
    with opened(home, program=command()) as terminal:
        terminal.until(b"hat do you want to know?")
        painted = time.perf_counter()
        terminal.type(LETTER)
        terminal.until(LETTER.encode())
        shown = time.perf_counter()
        terminal.type("\x11")
        terminal.ended()
    return painted - began, shown - painted


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        spar(home)  # makes the database, as once in a life
        bares, paints, letters = [], [], []
        for _ in range(STARTS):
            bares.append(bare(home))
            painted, shown = spar(home)
            paints.append(painted)
            letters.append(shown)
    ratio = statistics.median(paints) / statistics.median(bares)
    print(f"bare app {_ms(bares)}   spar {_ms(paints)}   ratio {ratio:.2f} (aim: at most 1.5)")
    print(f"a typed letter shows after {_ms(letters)}, at worst {max(letters) * 1000:.0f} ms")


def _ms(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f} ms"


if __name__ == "__main__":
    main()
