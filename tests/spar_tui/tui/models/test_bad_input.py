"""The bad inputs of ../shared through every screen that shows papers, runs, tags and notes."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cache import runs, shelf
from cache.store import Store
from connectors.paper import Author, Paper, Version
from spar_tui.tui.screens.paper import PaperScreen
from spar_tui.tui.widgets.table import Table
from tests.agents.scripted import ScriptedSource, paper
from tests.spar_tui.tui.screens.test_shelf import listed, open_shelf
from tests.spar_tui.tui.test_hostile_text import harmless
from tests.spar_tui.tui.world import Hand, play, resources, settings_at

CASES = Path(__file__).parents[5] / "shared" / "faults" / "bad-inputs.json"
MOST = 3_000
"""Letters of an input that are enough to see what it does to a screen; the sources let no more than some 20,000 in."""
CLASSES = ("markup", "term_escape", "unicode", "ris_md_json", "size")


def payloads() -> list[str]:
    """The texts of the cases that are texts."""
    if not CASES.exists():
        return []
    cases: list[dict[str, Any]] = json.loads(CASES.read_text())
    texts = [text for one in cases if one["class"] in CLASSES and (text := _text(one))]
    return list(dict.fromkeys(text[:MOST] for text in texts))


def _text(case: dict[str, Any]) -> str | None:
    if isinstance(made := case.get("payload_gen"), dict):
        return (str(made["repeat"]) * min(int(made["times"]), 20_000)) if {"repeat", "times"} <= made.keys() else None
    payload = case.get("payload")
    if not isinstance(payload, str):
        return None
    if case["encoding"] == "hex":
        return bytes.fromhex(payload).decode("utf-8", "replace")
    return payload


AT_ONCE = 6
"""Inputs of which one page shows each, in its abstract, its note and its tags."""


def bad(number: int, texts: Sequence[str]) -> Paper:
    """A paper whose every field is one of `texts` and whose abstract is all, which no source has cleaned."""
    told = [text.encode("utf-8", "replace").decode() for text in texts]
    one, two, three, *_ = [*told, *told, *told]
    return replace(
        paper("retrieval", f"10.1000/bad{number}"), title=f"retrieval {number} {one}", abstract="\n".join(told),
        venue=two, authors=(Author(three, one),), preprint=Version(one), published=Version(two), url=None,
    )  # fmt: skip


needs_cases = pytest.mark.skipif(not CASES.exists(), reason="../shared/faults is not here")


@needs_cases
def test_the_shelf_and_its_dialogues_bear_every_bad_input(tmp_path: Path) -> None:
    texts = payloads()
    assert len(texts) > 40
    with Store.open(settings_at(tmp_path).places.database) as store:
        for number, text in enumerate(texts):  # each is a title, a line in the list
            shelf.save(store, [bad(number, [text])])
        for number in range(0, len(texts), AT_ONCE):  # and on a page, with others
            some = [text[:200].encode("utf-8", "replace").decode() for text in texts[number : number + AT_ONCE]]
            kept = shelf.save(store, [bad(1_000 + number, some)], some)[0]
            shelf.set_note(store, kept, "\n".join(some))

    async def scene(hand: Hand) -> None:
        await open_shelf(hand)
        pages = range(-(-len(texts) // AT_ONCE))  # the last saved stand first
        assert len(listed(hand)) == len(texts) + len(pages)
        table = hand.app.screen.query_one("#shelf", Table)
        for place in pages:
            table.go_to(place)
            await hand.press("enter")
            await hand.until(lambda: isinstance(hand.app.screen, PaperScreen) and "On the shelf" in hand.text)
            harmless(hand)
            if place % 3 == 0:
                await hand.press("T")
                await hand.settled()
                harmless(hand)
                await hand.press("escape")
            await hand.press("escape")
        for place in range(len(pages), len(texts) + len(pages), 20):  # a screenful each
            table.go_to(place)
            await hand.settled()
            harmless(hand)

    play(tmp_path, scene, resources(), (100, 70))


@needs_cases
def test_searching_and_the_history_bear_every_bad_input(tmp_path: Path) -> None:
    texts = payloads()
    with Store.open(settings_at(tmp_path).places.database) as store:
        for text in texts:
            runs.start(store, "search", text[:2_000])

    async def scene(hand: Hand) -> None:
        await hand.ask("retrieval")
        await hand.until_shown("✔ finished")
        for _ in range(len(hand.titles) // 8):  # a screenful each
            await hand.press("pagedown")
            harmless(hand)
        await hand.press("3")
        await hand.until_shown("History")
        harmless(hand)
        for _ in range(len(texts) // 20):
            await hand.press("pagedown", "d")
            harmless(hand)
            await hand.press("n")

    play(
        tmp_path,
        scene,
        resources(ScriptedSource("openalex", [bad(number, [text]) for number, text in enumerate(texts)])),
    )
