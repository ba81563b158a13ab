"""How the screens look, compared with pictures that a person has looked at.

A picture that differs is written beside the stored one as `.new.svg`. `SPAR_RECORD_LOOKS=1` stores all anew.
"""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import textual

from agents.board import Board
from agents.events import Event, Finished, PapersRanked
from agents.search.desk import Desk
from agents.search.loop import search
from agents.search.wishes import Wishes
from cache import runs, shelf
from cache.store import Store
from spar_tui.app import SparApp
from spar_tui.screens.live_run import DeskFor
from spar_tui.screens.live_search import LiveSearch
from spar_tui.settings import Settings
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.app.world import OTHERS, QUESTION, SPARSE, Hand, desk, settings_at

LOOKS = Path(__file__).parent / "looks"
SIZES = {"wide": (150, 36), "medium": (110, 30), "narrow": (80, 24)}
Scene = Callable[[Hand], Awaitable[None]]


class StoppedClock(LiveSearch):
    """A search that has always lasted as long."""

    @property
    def seconds(self) -> float:
        return 12.0


async def nothing(hand: Hand) -> None:
    """As it opens."""


def pressing(*keys: str) -> Scene:
    async def scene(hand: Hand) -> None:
        await hand.press(*keys)

    return scene


def searched(moment: str, *keys: str) -> Scene:
    """A search at one of three moments, then some keys."""

    async def scene(hand: Hand) -> None:
        events = await recorded()
        live = StoppedClock.begun(hand.app.store, QUESTION, Wishes())
        for event in events[: MOMENTS[moment](events)]:
            live.board.post(event)

        async def waits(desk_for: DeskFor) -> None:
            await asyncio.Event().wait()

        if moment != "done":
            live._carry_on = waits  # type: ignore[method-assign]  # so that the moment lasts
        hand.app._show(live)
        await hand.pilot.pause(0.5)
        await hand.press(*keys)

    return scene


async def recorded() -> Sequence[Event]:
    """What a search of scripted sources tells, with the times taken out."""
    found = [
        event
        async for event in search(QUESTION, desk(ScriptedSource("openalex", [*SPARSE, *OTHERS])), Wishes(), Board())
    ]
    return [replace(one, seconds=23.0) if isinstance(one, Finished) else one for one in found]


MOMENTS: dict[str, Callable[[Sequence[Event]], int]] = {
    "early": lambda events: 6,
    "judged": lambda events: next(place for place, one in enumerate(events) if isinstance(one, PapersRanked)),
    "done": len,
}


def on_shelf(*keys: str) -> Scene:
    """The library with some papers, then some keys."""

    async def scene(hand: Hand) -> None:
        numbers = [number for one in KEPT for number in shelf.save(hand.app.store, [one], now=SAVED_AT)]
        shelf.tag(hand.app.store, numbers[0], ["retrieval", "to read"])
        shelf.set_note(hand.app.store, numbers[0], "The one to begin with.")
        shelf.mark_read(hand.app.store, numbers[1], True, now=SAVED_AT)
        shelf.rate(hand.app.store, numbers[0], 1)
        shelf.rate(hand.app.store, numbers[1], -1)
        await hand.press("f3")
        await hand.until_shown("Library 5")
        await hand.press(*keys)
        await hand.pilot.pause(0.2)  # the page beside the list comes when the hand rests

    return scene


async def of_a_paper(hand: Hand) -> None:
    """A paper on a screen of its own, with what it cites."""
    number = shelf.save(hand.app.store, KEPT[:1], ["retrieval"], now=SAVED_AT)[0]
    shelf.set_note(hand.app.store, number, "The one to begin with.")
    hand.app.open_paper(KEPT[0])
    await hand.until_shown("On the shelf")
    await hand.press("r")
    await hand.until(lambda: bool(hand.papers.rows))


SAVED_AT = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
KEPT = [
    paper(
        "Dense passage retrieval for open-domain question answering",
        "10.1000/dense",
        "arxiv:2004.04906",
        author="Vladimir Karpukhin",
        venue="Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing (EMNLP)",
        abstract="Open-domain question answering relies on efficient passage retrieval to select candidate contexts, "
        "where traditional sparse vector space models, such as TF-IDF or BM25, are the de facto method. We show that "
        "retrieval can be practically implemented using dense representations alone.",
        citation_count=4812,
        pdf="https://arxiv.org/pdf/2004.04906",
    ),
    paper("检索增强生成的科学文献综述与引文推荐方法", "10.1000/wide", author="王小明", date="2025", venue="计算机学报"),
    paper("A cure that was not one", "10.1000/gone", author="Ann Nonym", date="2011", venue="Letters", retracted=True),
    *OTHERS[:2],
]
PICTURES: dict[str, tuple[Scene, str, str]] = {
    **{f"home-{size}": (nothing, size, "dark") for size in ("wide", "narrow")},
    "home-light": (nothing, "medium", "light"),
    "search-early-wide": (searched("early"), "wide", "dark"),
    "search-judged-wide": (searched("judged", "j"), "wide", "dark"),
    **{f"search-done-{size}": (searched("done", "j"), size, "dark") for size in SIZES},
    "search-done-light": (searched("done", "j"), "wide", "light"),
    "search-paper-narrow": (searched("done", "enter"), "narrow", "dark"),
    "search-jump": (searched("done", "semicolon"), "medium", "dark"),
    "help-dark": (searched("done", "question_mark"), "medium", "dark"),
    "help-narrow": (pressing("f1"), "narrow", "dark"),
    "palette-narrow": (searched("done", "ctrl+p", "e", "x"), "narrow", "dark"),
    **{f"settings-{theme}": (searched("done", "comma"), "medium", theme) for theme in ("dark", "light")},
    "settings-narrow": (searched("done", "comma"), "narrow", "dark"),
    **{f"library-{size}": (on_shelf("G"), size, "dark") for size in ("wide", "narrow")},
    **{f"export-{size}": (on_shelf("asterisk", "X"), size, "dark") for size in ("wide", "narrow")},
    **{f"paper-{size}": (of_a_paper, size, "dark") for size in ("wide", "narrow")},
    **{f"history-{size}": (pressing("f4"), size, "dark") for size in ("wide", "narrow")},
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_screen_looks_as_it_did(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if textual.__version__ != "8.2.8":
        pytest.skip(f"the pictures were made with Textual 8.2.8, this is {textual.__version__}")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    for variable in ("NO_COLOR", "SSH_CONNECTION"):
        monkeypatch.delenv(variable, raising=False)
    scene, size, theme = PICTURES[name]
    (tmp_path / "config.toml").write_text(f'theme = "{theme}"\n')
    picture = asyncio.run(taken(tmp_path, scene, SIZES[size]))
    stored = LOOKS / f"{name}.svg"
    if os.environ.get("SPAR_RECORD_LOOKS"):
        LOOKS.mkdir(exist_ok=True)
        stored.write_text(picture, "utf-8")
        return
    if not stored.exists() or stored.read_text("utf-8") != picture:
        fresh = stored.with_suffix(".new.svg")
        fresh.write_text(picture, "utf-8")
        pytest.fail(f"{name} looks otherwise; look at {fresh}, and store it with SPAR_RECORD_LOOKS=1 if it is right")


async def taken(home: Path, scene: Scene, size: tuple[int, int]) -> str:
    """The screen after `scene`, as a picture."""
    settings = settings_at(home)
    shown = replace(settings, places=replace(settings.places, config=Path("/desk/you/spar/config.toml")))
    with Store.open(settings.places.database) as store:
        earlier(store)
        app = SparApp(shown, store, scripted_desk, lambda: shown)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await scene(Hand(app, pilot))
            await pilot.pause(0.3)
            drawn = re.sub(r"terminal-\d+-", "terminal-", app.export_screenshot(simplify=True))
            drawn = re.sub(r"(2026030\d-0930-)\w{4}", r"\1abcd", drawn)  # the names of runs end in chance
            # Fonts are the reader's own: a picture fetches nothing.
            return re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)


@asynccontextmanager
async def scripted_desk(settings: Settings) -> AsyncIterator[Desk]:
    yield desk(ScriptedSource("openalex", [*SPARSE, *OTHERS]))


def earlier(store: Store) -> None:
    """Some past searches, at fixed times."""
    asked: dict[str, tuple[runs.Ended, dict[str, int]]] = {
        "does vitamin D lower the risk of respiratory infection": ("finished", {"shown": 18}),
        "检索增强生成的科学文献综述": ("finished", {"shown": 1}),
        "agents that follow references to find papers": ("interrupted", {}),
    }
    for day, (question, (state, counts)) in enumerate(asked.items(), 1):
        then = datetime(2026, 3, day, 9, 30, tzinfo=UTC)
        runs.finish(store, runs.start(store, "search", question, now=then), state, counts, now=then)
