"""How the screens look at two sizes in a dark and a light theme, compared with what a person has looked at.

A screen that looks otherwise is written beside the stored one as `.new.txt`. `SPAR_RECORD_LOOKS=1` stores all anew;
with a folder in `SPAR_DRAW_LOOKS` each is drawn there as an SVG picture, for a person's eye.
"""

import asyncio
import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import textual

from cache.store import Store
from spar_tui.settings import Preferences
from spar_tui.tui.app import SparApp
from spar_tui.tui.theme import DAY, NIGHT
from tests.library import copied
from tests.spar_tui.tui.look import Cells, cells, look, parts
from tests.spar_tui.tui.scenes import (
    earlier,
    of_a_paper,
    on_shelf,
    on_watches,
    scripted_desk,
    searched,
    summarized,
    talked,
    to_read_next,
)
from tests.spar_tui.tui.world import Hand, Scene, settings_at

LOOKS = Path(__file__).parent / "looks"
THEMES = (NIGHT.name, DAY.name)
SIZES = ((150, 36), (80, 24))
PATIENCE = 25
"""How often a screen is looked at again that does not look as it should yet."""
SETTLED = 3
"""How often a screen must look the same one after the other to be stored."""
SCENES: dict[str, Scene] = {
    "search-early": searched("early"),
    "search-trail": searched("done", "t", "j", "j"),
    "search-triage": searched("done", "j", "v", "i", "x", "2", "l"),
    "summary-writing": summarized("writing"),
    "conversation-proposal": talked("papers on sparse retrieval", "save the first and tag it rag"),
    "home-next": to_read_next(),
    "recommendation-why": to_read_next("f5", "j", "enter"),
    "shelf-filter": on_shelf("slash", "r", "e", "t"),
    "watches-news": on_watches("t", "j", "space"),
    "paper-page": of_a_paper("escape"),
    "export": on_shelf("asterisk", "X"),
    "settings": searched("done", "comma"),
}
DIFFERING = "the themes differ in their words"
"""What stands for a look that was taken while the screen changed: never stored."""


@pytest.mark.parametrize("name", SCENES)
def test_a_screen_looks_as_it_did(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if textual.__version__ != "8.2.8":
        pytest.skip(f"the looks were stored with Textual 8.2.8, this is {textual.__version__}")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    for variable in ("NO_COLOR", "SSH_CONNECTION"):
        monkeypatch.delenv(variable, raising=False)
    stored, recording = LOOKS / f"{name}.txt", bool(os.environ.get("SPAR_RECORD_LOOKS"))
    wanted = parts(stored.read_text("utf-8"), SIZES) if stored.exists() and not recording else {}
    taken = asyncio.run(looked_at(name, tmp_path, wanted))
    if recording:
        assert DIFFERING not in taken.values(), f"{name} did not come to rest"
        LOOKS.mkdir(exist_ok=True)
        stored.write_text("".join(taken.values()), "utf-8")
    elif taken != wanted:
        fresh = stored.with_suffix(".new.txt")
        fresh.write_text("".join(taken.values()), "utf-8")
        pytest.fail(f"{name} looks otherwise; look at {fresh}, and store it with SPAR_RECORD_LOOKS=1 if it is right")


async def looked_at(name: str, home: Path, wanted: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], str]:
    """The looks of a scene by size."""
    settings = settings_at(home)
    shown = replace(
        settings,
        places=replace(settings.places, config=Path("/desk/you/spar/config.toml")),
        preferences=replace(settings.preferences, source_seconds=Preferences().source_seconds),
    )
    with Store.open(copied(settings.places.database, earlier)) as store:
        app = SparApp(shown, store, scripted_desk, lambda: shown)
        async with Hand.on(app, SIZES[0]) as hand:
            await SCENES[name](hand)
            taken: dict[tuple[int, int], str] = {}
            for size in SIZES:
                await hand.resize(*size)
                right = not wanted or all(wanted.get(one) == seen for one, seen in taken.items())
                taken[size] = await settled(hand, size, wanted.get(size), PATIENCE if right else SETTLED)
                if folder := os.environ.get("SPAR_DRAW_LOOKS"):
                    await draw(hand, Path(folder) / f"{name}-{size[0]}x{size[1]}")
            return taken


async def settled(hand: Hand, size: tuple[int, int], wanted: str | None, patience: int) -> str:
    """The look at `size` as soon as it is `wanted`; without that, as soon as it has not changed for a while."""
    seen: list[str] = []
    for _ in range(patience):
        here = hand.app.theme  # a theme costs more than a look: begin with the one that is there
        both = {theme: await drawn(hand, theme) for theme in sorted(THEMES, key=lambda one: one != here)}
        dark, light = (both[theme] for theme in THEMES)
        seen.append(look(size, dark, light) if dark.lines == light.lines else DIFFERING)
        still = len(seen) >= SETTLED and len(set(seen[-SETTLED:])) == 1
        if seen[-1] == wanted or (wanted is None and still):
            break
        await hand.pilot.pause(0.2)
    return seen[-1]


async def drawn(hand: Hand, theme: str) -> Cells:
    """What stands on the screen in a theme."""
    hand.app.theme = theme
    await hand.settled()
    seen = cells(hand.strips)
    return replace(seen, lines=tuple(settle(line) for line in seen.lines))


def settle(line: str) -> str:
    """A line without chance and clock: the ends of the names of runs, and the times in the error log."""
    line = re.sub(r"(2026030\d-0930-)\w{4}", r"\1abcd", line)
    return re.sub(r"\d\d \w{3} \d\d:\d\d:\d\d", "04 Mar 09:30:00", line)


async def draw(hand: Hand, file: Path) -> None:
    """Draw the screen in both themes, for a person's eye."""
    file.parent.mkdir(exist_ok=True)
    for theme in THEMES:
        await drawn(hand, theme)
        file.with_name(f"{file.name}-{theme}.svg").write_text(hand.app.export_screenshot(simplify=True), "utf-8")
