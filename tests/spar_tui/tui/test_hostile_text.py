"""Titles, abstracts and names from strangers are shown as they are, and never do anything."""

import unicodedata
from dataclasses import replace
from pathlib import Path

from rich.cells import cell_len

from cache import runs
from cache.store import Store
from connectors.paper import Author, Paper
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.world import Hand, play, resources, settings_at

HOSTILE = [
    "[1, 2] and [/some/path]",
    "[/",
    "half [/ open",
    "[red]retrieval[/red]",
    "[@click=app.quit]retrieval[/]",
    "[link=https://example.org]retrieval[/link]",
    "retrieval :warning: with $\\mathbb{R}^{[n]}$ \\[x\\]",
    "\x1b]52;c;cGF5bG9hZA==\x07retrieval\x1b[31mred\x9b2J",
    "retrieval\x00\x07\x08\r\nsecond line\ttab",
    "retrieval \u202egnp.exe\u202c \u200b\u2066hidden\u2069",
    "检索增强生成的科学文献综述与引文推荐方法研究及其在大规模数据集上的实验评估",
    "retrieval " + "e\u0301\u0302\u0303\u0304\u0305\u0306" * 20,
]


def raw(number: int, text: str) -> Paper:
    """A paper whose text no source has cleaned."""
    made = paper("retrieval", f"10.1000/h{number}")
    return replace(
        made, title=f"{text} {number}", abstract=text * 3, venue=text, authors=(Author(text, text),), url=None
    )


def test_hostile_text_is_shown_literally_in_every_pane(tmp_path: Path) -> None:
    papers = [raw(number, text) for number, text in enumerate(HOSTILE)]

    async def scene(hand: Hand) -> None:
        await hand.ask("retrieval [bold]x[/bold] \x1b[31m [/")
        await hand.until_shown("✔ finished")
        seen = hand.text
        for title in ("[@click=app.quit]retrieval[/] 4", "retrieval 7"):
            hand.papers.go_to(next(place for place, one in enumerate(hand.titles) if title[:9] in one))
            await hand.settled()
            seen += hand.text
            harmless(hand)
        for literal in ("[red]retrieval[/red]", "half [/ open", "[@click=app.quit]retrieval[/]", ":warning:"):
            assert literal in seen
        await hand.press("t", "j", "j", "j", "slash")
        await hand.type("[/")
        await hand.press("enter", "y")
        harmless(hand)
        await hand.press("escape", "escape")
        await hand.until_shown("[bold]x[/bold]")
        harmless(hand)

    play(tmp_path, scene, resources(ScriptedSource("openalex", papers)), (150, 60))


def harmless(hand: Hand) -> None:
    """Nothing but what can be seen is on the screen, each line as wide as the terminal."""
    for line in hand.lines:
        assert not [one for one in line if unicodedata.category(one) in ("Cc", "Cf", "Cs")], ascii(line)
        assert cell_len(line) == hand.app.size.width


def test_wide_characters_leave_the_frame_straight(tmp_path: Path) -> None:
    """Titles of two-cell characters are cut by cells, so that the panes' borders stay under each other."""

    async def scene(hand: Hand) -> None:
        await hand.ask("检索增强生成")
        await hand.until_shown("✔ finished")
        harmless(hand)
        rows = [line for line in hand.lines if "检索" in line and line.startswith("│")]
        assert rows
        assert len({cell_len(line.rpartition("││")[0]) for line in rows}) == 1

    play(tmp_path, scene, resources(ScriptedSource("openalex", [raw(number, HOSTILE[10]) for number in range(3)])))


def test_a_hostile_question_in_the_history_is_only_text(tmp_path: Path) -> None:
    with Store.open(settings_at(tmp_path).places.database) as store:
        for text in HOSTILE:
            runs.start(store, "search", text)

    async def scene(hand: Hand) -> None:
        await hand.until_shown("[red]retrieval[/red]")
        harmless(hand)

    play(tmp_path, scene, resources())
