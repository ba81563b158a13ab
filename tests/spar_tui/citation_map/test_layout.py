"""Columns by year, few crossings, the same picture every time."""

from hypothesis import given

from spar_tui.citation_map.formats.picture import Picture
from spar_tui.citation_map.layout import crossings, laid_out, places
from tests.spar_tui.citation_map.maps import a_map, paper_of, pictures


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
