"""What spar itself says of a paper is never passed off as the paper's words: not quoted, no abstract, in no export."""

import gzip
import html
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from agents.run.resources import Resources
from agents.search.kind import SearchRun
from agents.summary.kind import SummaryRun
from connectors.starter.shelf import StarterShelf
from spar_tui.bibliography.formats import FORMATS
from spar_tui.tui.screens.home import AskLine
from spar_tui.tui.screens.summary import SummaryPage, SummaryScreen
from spar_tui.tui.widgets.paper_page import PaperPage
from tests.kept_runs import HERE, unpacked
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.tui.world import Hand, play

SHORTEST = 8
"""Words: fewer of them in a row may be anybody's."""
QUESTION = "dense passage retrieval"
SUMMARIZE = ("summarize", QUESTION, "--offline", "--depth", "1", "--branch", "2", "--words", "300", "--table", "method")
IN_QUOTATION_MARKS = re.compile(r"“([^”]*)”|\"([^\"]*)\"")


def words(text: str) -> str:
    """`text` as its words alone, however it is broken into lines, escaped or marked up."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def texts() -> Iterator[str]:
    """Every text of the starter shelf, and those of an earlier one that the kept library has."""
    for file in files("connectors.starter").iterdir():
        if file.name.endswith(".jsonl"):
            yield from (json.loads(line)["does"] for line in file.read_text("utf-8").splitlines())
    with closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(gzip.decompress((HERE / "starter.db.gz").read_bytes()))
        yield from (json.loads(record)["abstract"] for (record,) in db.execute("SELECT record FROM papers"))


def own_sentences() -> frozenset[str]:
    """All of them, and every sentence of one that has `SHORTEST` words."""
    parts = [words(part) for text in texts() for part in (text, *re.split(r"(?<=[.!?])\s+", text))]
    return frozenset(part for part in parts if len(part.split()) >= SHORTEST)


OWN = own_sentences()


def own_in(text: str) -> list[str]:
    """The sentences of ours that stand in `text`."""
    bare = words(text)
    return [sentence for sentence in OWN if sentence in bare]


def quoted_in(text: str) -> list[str]:
    """The sentences of ours that stand in `text` within quotation marks."""
    return [own for found in IN_QUOTATION_MARKS.findall(text) for part in found for own in own_in(part)]


def events_of(home: Path, verb: str, run: str) -> list[Any]:
    """What `--jsonl` tells."""
    return [json.loads(line) for line in spar(home, verb, "--resume", run, "--jsonl").stdout.splitlines()]


def said(value: Any) -> Iterator[str]:
    """Every text in JSON that is not said to be ours: what is `described`, and sentences that only notes support."""
    if isinstance(value, list):
        for one in value:
            yield from said(one)
    elif isinstance(value, dict):
        cited = value.get("citations") or []
        noted = bool(cited) and all(one.get("described") and not one.get("quote") for one in cited)
        for name, one in value.items():
            if name != "described" and not (name == "text" and noted):
                yield from said(one)
    elif isinstance(value, str):
        yield value


def named(value: Any, name: str) -> Iterator[Any]:
    """Every value called `name` in JSON."""
    if isinstance(value, list):
        for one in value:
            yield from named(one, name)
    elif isinstance(value, dict):
        yield from ([value[name]] if name in value else [])
        for one in value.values():
            yield from named(one, name)


def passed_off(printed: Any) -> list[str]:
    return [own for text in said(printed) for own in own_in(text)]


def last_run(home: Path, kind: str) -> str:
    return str(next(one["run"] for one in answer(home, "history")["runs"] if one["kind"] == kind))


def searched(home: Path) -> Path:
    spar(home, "search", QUESTION, "--offline")
    return home


def kept(home: Path) -> Path:
    """A home with a search and a summary of an earlier version, which stored our texts as abstracts and quotes."""
    return unpacked(home, "starter")


@pytest.fixture(params=[searched, kept], ids=["a search of today", "a kept search"])
def search(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A home, and the search in it that only the starter shelf answered."""
    home: Path = request.param(tmp_path)
    return home, last_run(home, "search")


def test_the_sentences_of_the_shelf_are_known_here() -> None:
    assert len(OWN) > 487
    told = (
        "Retrieval.\n> “Fusion-in-Decoder (FiD): encodes each retrieved\npassage separately and lets the decoder attend"
    )
    told += " over all of them jointly, so that open-domain question answering improves with more passages.” \\[1\\]"
    assert len(quoted_in(told)) == len(own_in(told)) > 0


def test_a_search_tells_what_is_spars_own_by_its_name(search: tuple[Path, str]) -> None:
    home, run = search
    found = answer(home, "search", "--resume", run)
    assert passed_off(found) == []
    assert not any(paper["abstract"] or paper["quote"] for paper in found["papers"])
    assert all(own_in(paper["described"]) for paper in found["papers"] if len(paper["described"].split()) >= 12)
    events = events_of(home, "search", run)
    assert any(True for _ in named(events, "described"))
    assert passed_off(events) == []


def test_no_report_of_a_search_holds_a_sentence_of_spars_own(search: tuple[Path, str]) -> None:
    home, run = search
    for report in (("search", "--resume", run), ("log", run), ("log", run, "--json")):
        assert own_in(spar(home, *report).stdout) == []


def test_no_bibliography_holds_spars_own_words(search: tuple[Path, str]) -> None:
    home, run = search
    for name in FORMATS:
        style = ("--style", "apa") if name == "text" else ()
        wanted = () if name == "text" else ("--fields", "abstract,keywords,file,note")
        written = spar(home, "export", "--run", run, "--format", name, *style, *wanted)
        assert (written.returncode, own_in(written.stdout)) == (0, [])
        assert written.stdout
    assert "abstract =" not in spar(home, "export", "--run", run, "--fields", "abstract").stdout


def test_a_paper_is_shown_with_the_note_under_its_own_head(search: tuple[Path, str]) -> None:
    home, _ = search
    shown = spar(home, "show", "@1", "--offline").stdout
    head, _, note = shown.partition("spar's note (no abstract known):\n")
    assert own_in(note)
    assert own_in(head) == []
    told = answer(home, "show", "@1", "--offline")
    assert told["paper"]["abstract"] is None
    assert passed_off(told) == []


def test_what_is_handed_over_as_json_keeps_the_note_apart(search: tuple[Path, str], tmp_path_factory: Any) -> None:
    home, run = search
    found = spar(home, "search", "--resume", run, "--json").stdout
    other = tmp_path_factory.mktemp("other")
    written = spar(other, "export", "-", "--format", "csl-json", "--fields", "abstract", stdin=found).stdout
    assert len(json.loads(written)) == len(json.loads(found)["papers"])
    assert own_in(written) == []


def test_a_kept_paper_on_the_shelf_has_a_note_and_no_abstract(tmp_path: Path) -> None:
    home = kept(tmp_path)
    shelf = answer(home, "shelf")
    assert len(list(named(shelf, "abstract"))) == 2
    assert passed_off(shelf) == []
    assert own_in(spar(home, "export", "--shelf", "--fields", "abstract", "--format", "ris").stdout) == []


def test_an_offline_summary_says_that_it_is_made_of_notes_and_quotes_none(tmp_path: Path) -> None:
    bibliography = tmp_path / "cited.bib"
    made = spar(tmp_path, *SUMMARIZE, "--bib", str(bibliography))
    assert made.returncode == 0
    assert "> Made from spar's own notes on the papers, not from their text; it has no quotes." in made.stdout
    assert own_in(made.stdout)
    assert quoted_in(made.stdout) == []
    assert own_in(bibliography.read_text("utf-8")) == []
    for line in made.stdout.splitlines():
        assert not own_in(line) or "(spar's note)" in line
    told = answer(tmp_path, "summarize", "--resume", "last")
    assert own_in(" ".join(filter(None, (one["described"] for found in named(told, "citations") for one in found))))
    assert passed_off(told) == []
    assert passed_off(events_of(tmp_path, "summarize", "last")) == []


def test_a_kept_summary_is_told_as_todays_would_be(tmp_path: Path) -> None:
    run = last_run(kept(tmp_path), "summary")
    text = spar(tmp_path, "summarize", "--resume", run).stdout
    assert "> Made from spar's own notes on the papers, not from their text; it has no quotes." in text
    assert own_in(text)
    assert quoted_in(text) == []
    told = answer(tmp_path, "summarize", "--resume", run)
    assert any(own_in(one) for cells in named(told, "described") if isinstance(cells, dict) for one in cells.values())
    assert passed_off(told) == []
    assert passed_off(events_of(tmp_path, "summarize", run)) == []


def test_the_pictures_quote_nothing_and_the_readme_says_why() -> None:
    root = Path(__file__).parents[2]
    shown = {name: re.sub(r"<[^>]+>", "", html.unescape((root / "docs" / name).read_text("utf-8"))).replace("\xa0", " ")
             for name in ("app.svg", "search.svg")}  # fmt: skip
    assert "spar's note" in shown["app.svg"]
    assert not quoted_in(shown["app.svg"])
    assert not own_in(shown["search.svg"])
    assert "spar's own notes" in (root / "README.md").read_text("utf-8")


# In the app


def offline() -> Resources:
    return Resources({}, fallback={"starter": StarterShelf()})


def shown_page(hand: Hand) -> str:
    return str(hand.app.screen.query_one(PaperPage).query_one(Static).content)


def test_the_app_heads_the_note_as_spars_own_and_quotes_nothing(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        run: SearchRun = await hand.ask(QUESTION)
        await hand.until(lambda: run.status == "finished" and "✔ finished" in hand.text)
        await hand.until_shown("spar's note")
        await hand.until(lambda: bool(own_in(shown_page(hand))))
        before, _, after = shown_page(hand).partition("spar's note\n")
        note, _, below = after.partition("Abstract\nNo abstract available.")
        assert own_in(note)
        assert below
        assert own_in(before) == own_in(below) == []
        assert quoted_in(hand.text) == []

    play(tmp_path, scene, offline(), size=(150, 60))


def test_a_summary_in_the_app_marks_what_is_spars_own(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        hand.app.screen.query_one(AskLine).value = QUESTION
        await hand.press("ctrl+l", "enter")
        assert isinstance(hand.app.screen, SummaryScreen)
        run: SummaryRun = hand.app.screen.live
        await hand.until(lambda: run.status == "finished" and "✔ finished" in hand.text)
        await hand.press("t")
        await hand.until_shown("Made from spar's own notes on the papers")
        await hand.until_shown("(spar's note)")
        rows = hand.app.screen.query_one(SummaryPage).rows
        texts = ["".join(part if isinstance(part, str) else "[1]" for part in (*row.parts, row.note)) for row in rows]
        assert any(map(own_in, texts))
        assert [quoted_in(text) for text in texts if quoted_in(text)] == []
        assert all("(spar's note)" in text for text in texts if own_in(text))

    play(tmp_path, scene, offline())
