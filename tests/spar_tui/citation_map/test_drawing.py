"""The map as text, and the sparkline of its years."""

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.citation_map.drawing import drawing
from spar_tui.citation_map.known_links import YearCount
from spar_tui.citation_map.layout import Picture, crossings, laid_out, places
from spar_tui.citation_map.phrases import NO_LINKS, year_lines, years_meaning
from spar_tui.terminal import Style
from tests.spar_tui.citation_map.maps import HOSTILE, a_map, a_picture, paper_of, pictures


def test_each_paper_says_by_number_what_it_cites_and_who_cites_it() -> None:
    drawn = a_map([paper_of("Old", 2010, "One"), paper_of("New", 2020, "Two")], [(1, 0)])
    lines = drawing(a_picture(drawn), Style(width=80))
    at = next(place for place, line in enumerate(lines) if "One 2010  Old" in line)
    assert (lines[at].split()[0], lines[at + 1].strip()) == ("1", "cited by 2")
    at = next(place for place, line in enumerate(lines) if "Two 2020  New" in line)
    assert (lines[at].split()[0], lines[at + 1].strip()) == ("2", "cites 1")
    assert "1 citation among 2 relevant papers." in lines


def test_a_drawing_without_links_says_so() -> None:
    assert NO_LINKS in drawing(a_picture(a_map([paper_of("Old"), paper_of("New")])), Style(width=80))


def test_hostile_titles_are_only_text() -> None:
    drawn = a_map([paper_of(title, 2000 + at, title) for at, title in enumerate(HOSTILE)])
    for line in drawing(a_picture(drawn), Style(width=60)):
        assert line.isprintable()


def test_the_years_show_what_was_found_and_mark_what_is_relevant() -> None:
    years = [YearCount(2011, 1, 0), *(YearCount(year, 0, 0) for year in range(2012, 2020)), YearCount(2020, 8, 12)]
    assert year_lines(years, 40) == ["▂        █", "         +", "2011  2020"]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=200), st.integers(9, 90))
def test_the_sparkline_fits_and_hides_no_year_in_which_something_was_found(
    counts: list[tuple[int, int]], width: int
) -> None:
    years = [YearCount(1900 + at, found + 1, relevant) for at, (found, relevant) in enumerate(counts)]
    bars, marks, span = year_lines(years, width)
    assert len(bars) <= width >= len(marks)
    assert len(span) <= max(width, 9)
    assert " " not in bars
    step = -(-len(years) // width)
    assert len(bars) == -(-len(years) // step)
    assert ("per year;" in years_meaning(years, width)) is (step == 1)
    assert span.startswith("1900")
    assert span.endswith(str(years[-1].year))


def test_the_columns_are_the_years_in_order_and_papers_without_a_date_come_last() -> None:
    drawn = a_map([paper_of("a", 2020), paper_of("b", None), paper_of("c", 2010), paper_of("d", 2020)])
    assert [(column.year, column.works) for column in laid_out(drawn)] == [(2010, (2,)), (2020, (0, 3)), (None, (1,))]


def test_links_that_need_not_cross_do_not() -> None:
    """Four papers cite four others the other way around."""
    papers = [paper_of(f"old {one}", 2010) for one in range(4)] + [paper_of(f"new {one}", 2020) for one in range(4)]
    drawn = a_map(papers, [(4 + one, 3 - one) for one in range(4)])
    assert crossings(laid_out(drawn), drawn) == 0


def test_papers_without_links_stand_below_those_that_have_some() -> None:
    drawn = a_map([paper_of("alone"), paper_of("cited"), paper_of("citing", 2021)], [(2, 1)])
    assert laid_out(drawn)[0].works == (1, 0)


@given(pictures())
def test_every_paper_has_one_place_and_the_picture_is_the_same_each_time(picture: Picture) -> None:
    again = laid_out(picture.drawn)
    assert again == picture.columns
    assert sorted(places(again)) == sorted(one.work for one in picture.drawn.papers)
    assert len(set(places(again).values())) == len(picture.drawn.papers)
