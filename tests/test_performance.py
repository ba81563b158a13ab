"""The page of what things cost: it says what was measured, and no more."""

from tests.benchmarks.scorecard import page
from tests.benchmarks.scorecard.figures import in_pairs, of_allowed
from tests.benchmarks.scorecard.measure import Measure
from tests.benchmarks.scorecard.scaling import WORKS, Cost, per_tenfold
from tests.benchmarks.scorecard.table import MEASURES
from tests.rows import each

TODAY = {"day": "2026-01-02", "machine": "2 processors"}
NOTHING: page.Data = {"measures": {}, "scaling": {}}


def of(measure: Measure, measured: float, allowed: float) -> str:
    """The row of a measure, measured so."""
    return row(page.with_figure(NOTHING, measure.name, of_allowed([measured], allowed), TODAY), measure.name)


def row(data: page.Data, name: str) -> str:
    [line] = [line for line in page.rendered(data).splitlines() if line.startswith(f"| {name} |")]
    return line


def test_the_page_says_what_was_measured() -> None:
    assert page.PAGE.read_text("utf-8") == page.rendered(page.read())


def test_what_was_measured_is_measured_still() -> None:
    data = page.read()
    assert set(data["measures"]) <= {one.name for one in MEASURES}
    assert set(data["scaling"]) <= {work.name for work in WORKS}


def test_every_name_is_one_measures_alone() -> None:
    names = [*(one.name for one in MEASURES), *(work.name for work in WORKS)]
    assert len(names) == len(set(names))


def test_an_aim_that_is_missed_is_said_to_be_missed() -> None:
    measure = MEASURES[0]
    assert "| yes |" in of(measure, measure.aim, 1.0)
    assert "| **no** |" in of(measure, 2 * measure.aim, 1.0)


def test_what_is_not_measured_has_no_row() -> None:
    assert "Nothing has been measured yet" in page.rendered(NOTHING)
    assert all(f"| {one.name} |" not in page.rendered(NOTHING) for one in MEASURES)


def test_a_ratio_is_the_middle_of_its_pairs_with_the_least_and_the_most() -> None:
    ours, plain = iter((2.0, 9.0, 3.0)), iter((1.0, 3.0, 2.0))
    figure = in_pairs(lambda: next(ours), lambda: next(plain), 3)
    assert (figure.ratio, figure.least, figure.most, figure.times) == (2.0, 1.5, 3.0, 3)
    assert figure.told == "3 s, 2 s"


def test_growth_is_told_for_each_tenfold() -> None:
    assert per_tenfold([1.0, 2.0, 8.0]) == [2.0, 4.0]
    data = page.with_costs(NOTHING, "library-growth", {100: Cost(1.0, 50.0), 1_000: Cost(1.5, 60.0)}, TODAY)
    [line] = [line for line in page.rendered(data).splitlines() if line.startswith("| `spar library WORDS`, s")]
    assert line.endswith("| 1.00 s | 1.50 s (1.50) |")


def test_a_measure_again_replaces_its_figure_and_no_other() -> None:
    data = page.with_figure(NOTHING, "help", of_allowed([1.0], 1.0), TODAY)
    data = page.with_figure(data, "letter", of_allowed([1.0], 2.0), TODAY)
    data = page.with_figure(data, "help", of_allowed([3.0], 1.0), TODAY)
    assert {name: one["ratio"] for name, one in data["measures"].items()} == {"help": 3.0, "letter": 0.5}


@each("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_measure_says_what_it_is_compared_with(measure: Measure) -> None:
    assert measure.what
    assert measure.beside
    assert measure.aim > 0
    assert measure.of in ("processor", "clock", "memory", "bytes")
