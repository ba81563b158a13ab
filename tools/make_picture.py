"""Draw docs/search.svg from what `spar` really prints: `python tools/make_picture.py [--check]`.

The search runs offline in a new home, so the starter shelf answers and the picture is the same on every machine. With
--check nothing is written; the exit code is 1 if the picture does not show what the program prints.
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

PICTURE = Path(__file__).parents[1] / "docs" / "search.svg"
COMMAND = ["search", "retrieval-augmented generation for open-domain questions", "--offline", "--limit", "4"]
COLUMNS = 104


def printed() -> str:
    """What the search writes to a terminal's standard output, colours included."""
    with tempfile.TemporaryDirectory() as home:
        reader, writer = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "spar_tui", *COMMAND],
            stdout=writer,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "SPAR_HOME": home, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "NO_COLOR": ""},
        )
        os.close(writer)
        parts = []
        while True:
            try:
                part = os.read(reader, 4096)
            except OSError:  # how a pseudo-terminal says that the other side is closed
                break
            if not part:
                break
            parts.append(part)
        process.wait()
        os.close(reader)
    return b"".join(parts).decode().replace("\r\n", "\n")


def drawn(output: str) -> str:
    """The picture of a terminal that shows the command and `output`."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ spar {COMMAND[0]} “{COMMAND[1]}”"))
    console.print(Text.from_ansi(output))
    # Fonts are the reader's own: a picture fetches nothing.
    plain = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return console.export_svg(title="spar", unique_id="spar", code_format=plain)


def main() -> int:
    picture = drawn(printed())
    if "--check" in sys.argv:
        stale = not PICTURE.exists() or PICTURE.read_text("utf-8") != picture
        print("docs/search.svg is out of date" if stale else "docs/search.svg shows what spar prints")
        return int(stale)
    PICTURE.write_text(picture, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
