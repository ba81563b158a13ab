"""The lines of the map: from each citing paper to the cited one, and through no paper."""

from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import WorkId
from spar_tui.citation_map.known_links import CitationLink
from spar_tui.tui.screens.citation_map import COLUMN, left_of, routes

PLACES = st.dictionaries(
    st.integers(0, 20).map(WorkId), st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12
).filter(lambda places: len(set(places.values())) == len(places))
_ON = {"─": "lr", "│": "ud", "┘": "ul", "┐": "dl", "└": "ur", "┌": "dr", "┤": "udl", "├": "udr", "┴": "ulr", "┬": "dlr",
       "┼": "udlr", "╴": "l", "╶": "r", "╵": "u", "╷": "d"}  # fmt: skip
ROW = 7
_STEPS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}


@given(PLACES, st.data())
def test_a_line_leads_from_the_citing_paper_to_an_arrow_at_the_cited_one(
    places: dict[WorkId, tuple[int, int]], data: st.DataObject
) -> None:
    citing, cited = data.draw(st.permutations(sorted(places)))[:2]
    cells = routes([CitationLink(citing, cited)], places, ROW)
    [(head, arrow)] = [(at, drawn) for at, drawn in cells.items() if drawn in "◀▶"]
    column, row = places[cited]
    assert head == ((left_of(column) + COLUMN, row * ROW) if arrow == "◀" else (left_of(column) - 1, row * ROW))
    beside = {(left_of(places[citing][0]) + shift, places[citing][1] * ROW) for shift in (-1, COLUMN)}
    seen, left = set(), [at for at in beside if at in cells]
    while left:
        at = left.pop()
        if at not in seen:
            seen.add(at)
            left += [(at[0] + _STEPS[way][0], at[1] + _STEPS[way][1]) for way in _ON.get(cells[at], "")
                     if (at[0] + _STEPS[way][0], at[1] + _STEPS[way][1]) in cells]  # fmt: skip
    assert head in seen


@given(PLACES, st.data())
def test_no_line_runs_through_a_paper(places: dict[WorkId, tuple[int, int]], data: st.DataObject) -> None:
    works = sorted(places)
    at_hand = data.draw(st.sampled_from(works))
    others = data.draw(st.lists(st.sampled_from(works).filter(lambda one: one != at_hand), max_size=8))
    links = [CitationLink(at_hand, one) if data.draw(st.booleans()) else CitationLink(one, at_hand) for one in others]
    taken = {
        (left_of(column) + x, row * ROW + y)
        for column, row in places.values()
        for x in range(COLUMN)
        for y in range(ROW - 1)
    }
    assert not taken & routes(links, places, ROW).keys()
