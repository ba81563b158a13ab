"""The list under the person's hand, the panes, the filter, and what is copied."""

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from connectors.paper import WorkId
from connectors.records.visible import visible
from spar_tui.tui.models.search_rows import PaperRow
from spar_tui.tui.screens.home import HomeScreen
from spar_tui.tui.widgets.paper_list import PaperList, facts_text, row_text
from spar_tui.tui.widgets.trail_tree import TrailTree
from tests.agents.scripted import ScriptedSource, paper
from tests.rows import each
from tests.spar_tui.tui.world import OTHERS, SPARSE, GatedSource, Hand, play, resources, titles


class EarlyList(PaperList):
    """A list that is drawn before it handles its first `Resize`."""

    drawn: Sequence[str] = ()

    def on_resize(self) -> None:
        self.drawn = self.drawn or [self.render_line(line).text.rstrip() for line in range(1, 4)]


def test_rows_drawn_before_the_size_of_the_list_is_handled_have_their_titles() -> None:
    class Lists(App[None]):
        def compose(self) -> ComposeResult:
            yield EarlyList("papers")

        def on_mount(self) -> None:
            rows = [PaperRow(key, title, None, "", "", "", None) for key, title in enumerate(("Dense", "Sparse"))]
            self.query_one(EarlyList).show(rows)

    async def scene() -> None:
        app = Lists()
        async with app.run_test(size=(40, 10)):
            assert app.query_one(EarlyList).drawn == ["   ·    Dense", "", "   ·    Sparse"]

    asyncio.run(scene())


def test_the_order_never_moves_under_the_hand_before_the_search_ends(tmp_path: Path) -> None:
    """New papers come below, scores fill in, the highlight stays on its paper; the end sorts."""
    good, slow = GatedSource("arxiv", SPARSE), GatedSource("semanticscholar", [])

    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until(lambda: len(hand.titles) == 6)
        await hand.press("j", "j")
        before, chosen = hand.titles, hand.highlighted
        good.gate.set()
        await hand.until(lambda: len(hand.titles) == 12)
        assert hand.titles[:6] == before
        assert set(hand.titles[6:]) == titles(SPARSE)
        assert hand.highlighted == chosen
        slow.gate.set()
        await hand.until_shown("✔ finished")
        assert hand.titles == [live.state.found[one.work].paper.title for one in live.state.ranking]
        assert hand.titles[0] in titles(SPARSE)
        assert hand.highlighted == chosen

    play(tmp_path, scene, resources(ScriptedSource("openalex", OTHERS), good, slow))


def test_an_untouched_list_is_in_the_order_of_the_answer_which_is_that_of_its_numbers(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        assert hand.titles == [live.state.found[one.work].paper.title for one in live.state.ranking]
        assert hand.papers.highlighted == 0
        shown = [row.score for row in hand.papers.rows]
        assert shown == [live.state.ranked(WorkId(row.key)).score for row in hand.papers.rows]  # type: ignore[union-attr]
        relevant = [row.score or 0.0 for row in hand.papers.rows if row.relevant]
        rest = [row.score or 0.0 for row in hand.papers.rows if not row.relevant]
        assert relevant == sorted(relevant, reverse=True)
        assert rest == sorted(rest, reverse=True)
        assert shown == relevant + rest

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*OTHERS, *SPARSE])))


def test_pausing_does_not_take_the_list_in_hand(tmp_path: Path) -> None:
    source = GatedSource("openalex", SPARSE)

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.press("p", "p")
        source.gate.set()
        await hand.until_shown("✔ finished")
        assert not hand.papers.touched

    play(tmp_path, scene, resources(source))


def test_the_trail_leads_to_the_paper_under_its_cursor(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("t", "j", "j")  # query, source, first paper
        branch = hand.app.screen.query_one(TrailTree).branch
        assert branch is not None
        assert hand.highlighted == branch.label
        await hand.press("enter")
        assert hand.app.focused is not None
        assert hand.app.focused.id == "paper"

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_y_and_d_copy_the_doi_of_the_paper(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        live = await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("j", "y", "d")
        named = {found.paper.title: found.paper.identifier("doi") for found in live.state.found.values()}
        assert hand.app.clipboard == named[hand.highlighted]

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_an_untouched_list_is_in_order_while_a_source_is_still_waited_for(tmp_path: Path) -> None:
    """What came after the last sort does not stay at the end until something else happens."""
    early, late = paper("Early and low", "10.1000/early"), paper("Sparse retrieval of passages", "10.1000/late")
    others = [paper(f"Filler {number}", f"10.1000/f{number}") for number in range(5)]
    slow, never = GatedSource("arxiv", [late, others[0]]), GatedSource("semanticscholar", [])

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until(lambda: len(hand.titles) == 7)
        slow.gate.set()
        await hand.until(lambda: len(hand.titles) == 8)
        await hand.until(lambda: hand.titles[0] == late.title)
        assert not hand.live.state.finished

    first = [*others, early, paper("Last of the list", "10.1000/last")]
    play(tmp_path, scene, resources(ScriptedSource("openalex", first), slow, never))


def test_a_rule_parts_the_less_sure_papers_and_the_filter_narrows_the_list_as_one_types(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        lines = hand.lines
        (rule,) = [place for place, line in enumerate(lines) if "Less sure" in line]
        assert all(one.title in "\n".join(lines[:rule]) for one in SPARSE)
        assert all(one.title in "\n".join(lines[rule:]) for one in OTHERS[:2])
        await hand.press(*"jjjjjj")
        assert hand.highlighted in titles(OTHERS)
        await hand.press("k")
        assert hand.highlighted in titles(SPARSE)
        top = hand.papers.region.y + 1 + hand.papers.HEAD
        for place, row in enumerate(hand.papers.rows[:8]):
            line = hand.papers.top_of(place) + (1 if row.rule else 0)
            assert row.title in lines[top + line]
            assert {hand.papers.place_at(one) for one in (line, line + 1)} == {place}
        everything = hand.titles
        await hand.press("slash")
        await hand.type("3 riv")
        assert hand.titles == ["River ecology, survey 3"]
        await hand.press("escape")
        assert hand.titles == everything
        await hand.press("escape", "escape")  # away from the matches, then home
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


def test_a_title_that_one_line_does_not_hold_is_whole_on_two_at_every_width(tmp_path: Path) -> None:
    """Also after the terminal was made narrower, and beside the sign of a saved paper."""
    long = [f"Sparse retrieval of passages {number} and of all the other things that people look for in long papers"
            for number in range(9)]  # fmt: skip

    def shown_whole(hand: Hand) -> bool:
        region, papers = hand.papers.content_region, hand.papers
        lines = [line[region.x : region.right] for line in hand.lines]
        for place, row in enumerate(papers.rows[:4]):
            top = region.y + papers.HEAD + papers.top_of(place)
            drawn = " ".join(" ".join(lines[top : top + papers.height_of(row) - 1]).replace("★", "").split())
            if not drawn.endswith(row.title):
                return False
        return True

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.until(lambda: shown_whole(hand))
        await hand.press("s")
        await hand.until(lambda: "★" in hand.text and shown_whole(hand))
        for width in (90, 200, 60, 110):
            await hand.pilot.resize_terminal(width, 40)
            await hand.until(lambda: shown_whole(hand))

    play(tmp_path, scene, resources(ScriptedSource("openalex", [paper(title, f"10.1000/{at}") for at, title in
                                                                enumerate(long)])), (200, 40))  # fmt: skip


def test_the_order_of_a_search_is_reversed_by_a_key_and_back(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        best_first = hand.titles
        await hand.press("ctrl+r")
        assert hand.titles == best_first[::-1]
        await hand.until_shown("least relevant first")
        await hand.press("ctrl+r")
        assert hand.titles == best_first

    play(tmp_path, scene, resources(ScriptedSource("openalex", [*SPARSE, *OTHERS])))


NAMES = st.text(max_size=60)


@given(
    st.integers(0, 160), NAMES, NAMES, NAMES, st.none() | st.integers(0, 10**7), st.booleans(), st.booleans(),
    st.integers(1000, 2100),
)  # fmt: skip
def test_the_facts_of_a_row_fit_and_no_number_is_ever_cut(
    width: int, title: str, authors: str, venue: str, cited: int | None, free: bool, waiting: bool, year: int
) -> None:
    row = PaperRow(
        1, title, 0.5, authors, str(year), venue, cited, waiting=waiting, open_access=free, retracted=waiting
    )
    told = facts_text(row, width)
    assert cell_len(told) <= width
    names = {visible(authors).strip(), visible(venue).strip()}
    if not any(map(str.isdigit, "".join(names))):
        numbers = {str(year), *([f"{cited:,}"] if cited is not None else [])}
        assert set(re.findall(r"\d[\d,]*", told)) <= numbers
    for line in row_text(row, width, marked=True, saved=True).plain.split("\n")[1:]:
        assert cell_len(line) <= max(width, 8)


FACTS = PaperRow(1, "T", 0.5, "Karpukhin et al.", "2020", "Empirical Methods", 4812, open_access=True)


@each(
    ("width", "told"),
    [
        (57, "Karpukhin et al. · 2020 · Empirical Methods   ○    4,812"),
        (51, "Karpukhin et al. · 2020 · Empirical M…   ○    4,812"),
        (36, "Karpukhin et al. · 2020   ○    4,812"),
        (35, "Karpukhin et al. · 2020      4,812"),
        (24, "Karpukh… · 2020    4,812"),
        (16, "2020    4,812"),
        (7, "2020"),
        (0, ""),
    ],
)
def test_what_goes_first_where_there_is_little_room(width: int, told: str) -> None:
    shown = facts_text(FACTS, width)
    assert " ".join(shown.split()) == " ".join(told.split())
    assert shown.endswith("4,812") == ("4,812" in told)
    assert cell_len(shown) == width or "4,812" not in told


SIZES = {(150, 36): 2, (110, 30): 2, (80, 24): 1, (40, 10): 1}
"""How many panes stand side by side in a terminal of that size; the trail of a finished search is folded."""


def test_every_pane_can_be_reached_at_every_size(tmp_path: Path) -> None:
    """Resizing in the middle of reading changes what is shown, and keeps the place."""

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("j")
        chosen = hand.highlighted

        def shown() -> set[str]:
            return {name for name in ("trail", "papers", "paper") if hand.app.screen.query_one(f"#{name}").region}

        def as_many(panes: int) -> Callable[[], bool]:
            return lambda: len(shown()) == panes

        for size, side_by_side in SIZES.items():
            await hand.resize(*size)
            await hand.until(as_many(side_by_side))
            assert "papers" in shown()
            await hand.press("enter")
            await hand.until(lambda: "paper" in shown())
            await hand.press("escape")
            await hand.until(lambda: "papers" in shown())
            await hand.press("t")
            await hand.until(lambda: "trail" in shown())
            await hand.press("t")
            assert hand.highlighted == chosen
        await hand.resize(12, 3)
        await hand.press("f1", "escape", "escape")
        assert isinstance(hand.app.screen, HomeScreen)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))


def test_no_color_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only shades of grey reach the terminal, and every state still has its word."""
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(hand: Hand) -> None:
        await hand.ask()
        await hand.until_shown("✔ finished")
        assert hand.app.no_color
        assert isinstance(hand.papers, PaperList)

    play(tmp_path, scene, resources(ScriptedSource("openalex", SPARSE)))
