"""Contrast of all that the stored looks show, in the dark and in the light theme."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spar_tui.tui.look import parts
from tests.spar_tui.tui.test_looks import LOOKS, SIZES
from tests.spar_tui.tui.test_theme import contrast

BOXES = {"export", "settings"}
"""What lies behind the box of a dialog recedes; the box itself does not."""
FRAMES = frozenset("─│╭╮╰╯├└┬▁▂▃▄▅▆▇█▊▎▔▕")
LEAST_OF_TEXT, LEAST_OF_FRAMES = 4.5, 3.0


@pytest.mark.parametrize("file", sorted(LOOKS.glob("*.txt")), ids=lambda file: file.stem)
def test_every_text_and_every_frame_can_be_seen(file: Path) -> None:
    if ".new" in file.name:
        pytest.skip("a look that nobody has looked at yet")
    looks = parts(file.read_text("utf-8"), SIZES).values()
    pale = {one for part in looks for one in _too_pale(part, file.stem in BOXES)}
    assert not pale


def _box(lines: list[str]) -> tuple[slice, slice]:
    """The rows and columns of the smallest box that is whole: that of the dialog lies over the others."""
    boxes = []
    for top, line in enumerate(lines):
        for left, right in ((a, b) for a in range(len(line)) if line[a] == "╭" for b in [line.find("╮", a)] if b > 0):
            sides = [row[left : left + 1] + row[right : right + 1] for row in lines[top + 1 :]]
            height = next((at for at, side in enumerate(sides, 1) if side != "││"), 0)
            if height and sides[height - 1] == "╰╯":
                boxes.append((slice(top, top + height + 1), slice(left, right + 1)))
    return min(boxes, key=lambda box: (box[0].stop - box[0].start) * (box[1].stop - box[1].start))


def _too_pale(part: str, in_box: bool) -> Iterator[str]:
    """The styles of a look, or of the box in it, that are too pale, each with a letter that it is used for."""
    text, styles = part.split("\nstyles\n")
    drawn, meant = styles.split("\ndark | light\n")
    lines, letters = text.split("\n")[1:], drawn.split("\n")
    if in_box:
        rows, columns = _box(lines)
        lines = [line[columns] for line in lines[rows]]
        letters = [styled.ljust(columns.stop)[columns] for styled in letters[rows]]
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
