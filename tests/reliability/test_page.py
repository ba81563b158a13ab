"""The page on reliability says what was measured: every line, with the verdict that its figures give."""

import re
from dataclasses import replace

from tests.reliability.line import Figure, Line
from tests.reliability.lines import LINES
from tests.reliability.page import DOCS, PAGE, PERFECT, kept, rendered
from tests.rows import each


def test_the_page_is_what_the_kept_figures_say() -> None:
    assert PAGE.read_text("utf-8") == rendered(kept())


def test_each_line_of_the_scorecard_was_measured() -> None:
    assert list(kept()) == list(LINES)


def test_no_line_that_must_be_perfect_is_missed() -> None:
    assert {number for number, run in kept().items() if not run.line.met} & PERFECT == set()


@each("number", LINES)
def test_a_line_is_called_passed_where_every_figure_keeps_its_bound(number: int) -> None:
    [row] = re.findall(rf"^\| {number} \| .+$", PAGE.read_text("utf-8"), re.MULTILINE)
    line = kept()[number].line
    kept_all = all(
        one.found >= one.bound if one.least else one.found <= one.bound for one in (*line.figures, *line.controls)
    )
    assert ("passed" in row.split("|")[3], "failed" in row.split("|")[3]) == (kept_all, not kept_all)
    for one in line.figures:
        assert f"| {one.what} | {one.found:,}{one.unit} |" in PAGE.read_text("utf-8")


def test_a_figure_beyond_its_bound_is_told_as_missed_with_its_number() -> None:
    runs = kept()
    number, run = next(iter(runs.items()))
    spoiled = replace(run, line=replace(run.line, figures=(*run.line.figures, Figure("papers eaten", 3))))
    page = rendered({**runs, number: spoiled})
    assert "papers eaten: 3 (0)" in page
    assert "| papers eaten | 3 | 0 | failed |" in page


def test_a_control_that_finds_no_harm_is_a_line_missed() -> None:
    assert not Line(1, "x", "tried", (), (Figure("harm", 0, 1, least=True),)).met


def test_what_the_page_says_holds_a_line_is_there() -> None:
    files = {test for run in kept().values() for test in run.line.tests}
    assert files
    assert [file for file in files if not (DOCS.parent / file).exists()] == []


def test_the_page_names_no_machine() -> None:
    assert not re.search(r"/(?:home|tmp|work|Users)/", PAGE.read_text("utf-8"))
