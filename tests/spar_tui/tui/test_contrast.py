"""Contrast of all that the stored looks show, in the dark and in the light theme."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spar_tui.tui.look import parts
from tests.spar_tui.tui.test_looks import LOOKS, SIZES
from tests.spar_tui.tui.test_theme import contrast

DIALOGS = {
    "confirm", "error-log", "export", "help", "palette", "search-jump", "settings", "search-cite",
    "search-tags",
}  # fmt: skip
"""What lies behind a dialog recedes."""
FRAMES = frozenset("─│╭╮╰╯├└┬▁▂▃▄▅▆▇█▊▎▔▕")
LEAST_OF_TEXT, LEAST_OF_FRAMES = 4.5, 3.0


@pytest.mark.parametrize("file", sorted(LOOKS.glob("*.txt")), ids=lambda file: file.stem)
def test_every_text_and_every_frame_can_be_seen(file: Path) -> None:
    if file.stem in DIALOGS or ".new" in file.name:
        pytest.skip("what lies behind a dialog recedes")
    pale = {one for part in parts(file.read_text("utf-8"), SIZES).values() for one in _too_pale(part)}
    assert not pale


def _too_pale(part: str) -> Iterator[str]:
    """The styles of a look that are too pale, each with a letter that it is used for."""
    text, styles = part.split("\nstyles\n")
    drawn, meant = styles.split("\ndark | light\n")
    lines, letters = text.split("\n")[1:], drawn.split("\n")
    seen: dict[str, set[str]] = {}
    for line, styled in zip(lines, letters, strict=False):
        if not line.isascii() and any(ord(letter) > 0x2E7F for letter in line):
            continue  # wide letters take two cells, and the map has one for each
        for letter, style in zip(line, styled.ljust(len(line)), strict=False):
            if letter != " ":
                seen.setdefault(style, set()).add(letter)
    for meaning in meant.strip("\n").split("\n"):
        style, both = meaning[0], meaning[1:]
        for one in both.split("|"):
            ink, _, ground, *_ = one.split()
            used = seen.get(style, set())
            least = LEAST_OF_FRAMES if used <= FRAMES else LEAST_OF_TEXT
            if used and ink.startswith("#") and (measured := contrast(ink, ground)) < least:
                yield f"{one.strip()}: {measured:.2f}, as in {''.join(sorted(used))[:20]}"
