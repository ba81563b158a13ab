"""The text of a summary is seen whole, however it grows."""

import asyncio
from dataclasses import replace

from textual.app import App, ComposeResult

from connectors.paper import WorkId
from spar_tui.reports.summary_text import CitationMark, TextRow
from spar_tui.tui.screens.summary import SummaryPage, row_text
from spar_tui.tui.theme import NIGHT

PARAGRAPHS = [
    " ".join(f"{letter * length}{number}" for number in range(14))
    for number, (letter, length) in enumerate(zip("abcdefghij", (3, 4, 5, 6, 7, 8, 9, 3, 4, 5), strict=True))
]


class Page(App[None]):
    """A summary's text alone."""

    def compose(self) -> ComposeResult:
        yield SummaryPage("text")

    def on_mount(self) -> None:
        self.register_theme(NIGHT)
        self.theme = NIGHT.name


def test_no_word_of_a_summary_is_lost_when_it_outgrows_the_screen() -> None:
    async def scene() -> None:
        for width in range(40, 48):
            app = Page()
            async with app.run_test(size=(width, 12)) as pilot:
                page = app.query_one(SummaryPage)
                rows = [TextRow(f"r{place}", "text", (words,)) for place, words in enumerate(PARAGRAPHS)]
                for many in range(1, len(rows) + 1):
                    page.show_text("n1", rows[:many])
                    await pilot.pause()
                seen = set()
                for place in range(len(rows)):
                    page.go_to(place)
                    await pilot.pause()
                    strips = app.screen._compositor.render_strips()
                    seen |= {word for strip in strips for word in strip.text.split()}
                assert set(" ".join(PARAGRAPHS).split()) <= seen, width

    asyncio.run(scene())


def test_all_lines_of_a_row_have_its_indent() -> None:
    async def scene() -> None:
        app = Page()
        async with app.run_test(size=(30, 12)):
            row = TextRow("r", "item", ("2024: one two three four five six",), depth=1)
            lines = app.query_one(SummaryPage).wrapped(row, 20).plain.splitlines()
            assert [line[: len(line) - len(line.lstrip())] for line in lines] == ["   "] * 3
            assert (
                app.query_one(SummaryPage).wrapped(replace(row, kind="heading"), 40).plain.splitlines()[1][:2] == " 2"
            )

    asyncio.run(scene())


def test_citations_stand_before_the_full_stop_and_apart_from_words() -> None:
    parts = ("Both fell", CitationMark(1, WorkId(1)), CitationMark(2, WorkId(2)), ".")
    assert row_text(TextRow("s", "text", parts)).plain == "Both fell [1] [2]."
    assert row_text(TextRow("s", "text", ("It fell", CitationMark(0, WorkId(1)), "."))).plain == "It fell."
    assert row_text(TextRow("f", "text", ("First", CitationMark(1, WorkId(1)), ": new"))).plain == "First [1]: new"
    assert row_text(TextRow("p", "paper", (CitationMark(1, WorkId(1)), "Title"), "Ada")).plain == "[1] Title\nAda"
