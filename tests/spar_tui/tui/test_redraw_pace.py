"""Drawing waits while it is costly, and never for long."""

from dataclasses import dataclass

from spar_tui.tui.redraw_pace import LONGEST, RedrawPace


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
