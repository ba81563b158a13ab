"""What is selected in the open app is what an agent looks at."""

import asyncio
import os
import resource
from pathlib import Path

import pytest

pytest.importorskip("mcp", reason="needs the extra mcp")

from agents.run.resources import Resources
from agents.tools.tool import ToolContext, ToolResult
from cache.store import Store
from cache.timestamps import utc_now
from spar_tui.mcp.library_tools import SELECTION
from spar_tui.open_selection import forget_selection, read_selection, write_selection
from tests.spar_tui.tui.screens.test_shelf import SAVED, open_shelf, save
from tests.spar_tui.tui.world import Hand, play, resources, settings_at


def selected(home: Path) -> ToolResult:
    with Store.open(settings_at(home).places.database) as store:
        return asyncio.run(SELECTION.run({}, ToolContext(store, Resources(live={}), utc_now())))


def test_the_paper_under_the_cursor_or_the_marked_ones_are_told_while_the_app_is_open(tmp_path: Path) -> None:
    first, second, third = save(tmp_path, SAVED)

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        await hand.until(lambda: (one := read_selection(tmp_path)) is not None and one.numbers == (third,))
        await hand.press("space", "j", "space")
        await hand.until(lambda: (one := read_selection(tmp_path)) is not None and one.numbers == (third, first))
        told = await asyncio.to_thread(selected, tmp_path)
        assert (told.papers, told.values["selected"]) == ((third, first), "marked")

    play(tmp_path, scene, resources())
    assert second
    assert read_selection(tmp_path) is None
    assert selected(tmp_path).notes == ("The app is not open, or no paper is selected in it.",)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"papers": ["x"], "marked": 1}', '{"papers": 3}'])
def test_a_damaged_file_tells_of_no_selection(text: str, tmp_path: Path) -> None:
    (tmp_path / f"selection-{os.getpid()}.json").write_text(text)
    (tmp_path / "selection-x.json").write_text('{"papers": [1], "marked": true}')
    assert read_selection(tmp_path) is None


def test_an_app_that_was_killed_has_no_selection_and_the_other_that_is_open_has_its_own(tmp_path: Path) -> None:
    write_selection(tmp_path, [2], False)
    child = os.fork()
    if not child:
        write_selection(tmp_path, [1], True)
        os._exit(0)
    os.waitpid(child, 0)
    assert (tmp_path / f"selection-{child}.json").exists()
    assert read_selection(tmp_path) == ((2,), False)
    assert not (tmp_path / f"selection-{child}.json").exists()
    forget_selection(tmp_path)
    assert read_selection(tmp_path) is None


def test_a_selection_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # as on a full disk
        with pytest.raises(OSError, match="File too large"):
            write_selection(tmp_path, [1], False)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert list(tmp_path.iterdir()) == []
