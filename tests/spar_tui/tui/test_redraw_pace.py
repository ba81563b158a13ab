"""Drawing waits while it is costly, and never for long."""

from dataclasses import dataclass
from pathlib import Path

from spar_tui.tui.base_app import LONGEST, RedrawPace
from tests.agents.scripted import ScriptedSource
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources


@dataclass
class Clocks:
    now: float = 0.0
    used: float = 0.0

    def pace(self) -> RedrawPace:
        return RedrawPace(lambda: self.now, lambda: self.used)


def test_what_costs_little_is_drawn_at_every_tick() -> None:
    clocks = Clocks()
    pace = clocks.pace()
    for _ in range(10):
        assert pace.due()
        clocks.now += 0.2
        clocks.used += 0.01


def test_what_costs_much_is_drawn_so_seldom_that_it_keeps_its_share() -> None:
    clocks = Clocks()
    pace = clocks.pace()
    drawn = 0
    for _ in range(100):
        if pace.due():
            drawn += 1
            clocks.used += 0.1
        clocks.now += 0.1
    assert clocks.used / clocks.now <= 0.22
    assert drawn >= 10 / LONGEST


def test_whatever_it_costs_it_is_drawn_after_a_while() -> None:
    clocks = Clocks()
    pace = clocks.pace()
    assert pace.due()
    clocks.used += 50
    clocks.now += LONGEST - 0.1
    assert not pace.due()
    clocks.now += 0.1
    assert pace.due()


class CountingPace(RedrawPace):
    """Counts how often somebody asks whether to draw."""

    count = 0

    def due(self) -> bool:
        self.count += 1
        return super().due()


def test_a_screen_that_is_not_seen_leaves_the_pace_to_the_one_that_is(tmp_path: Path) -> None:
    """Two screens tick right after each other: the second would find the share used up, again and again."""

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("escape")
        pace, ticks = CountingPace(), []
        hand.app.pace = pace
        hand.app.set_interval(hand.app.flush_seconds, lambda: ticks.append("tick"))
        await hand.until(lambda: len(ticks) > 3)
        assert pace.count == 0

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
