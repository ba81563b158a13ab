"""`:check` in the app lists the findings on a document: the worst first, to read, to ignore with a reason."""

from pathlib import Path

import pytest

from spar_tui.tui.screens.document_check import (
    _COLUMNS,
    ComparedField,
    DocumentCheckScreen,
    DocumentFinding,
    FindingSheet,
    findings_of,
)
from spar_tui.tui.widgets.table import filled
from tests.services import Services
from tests.spar_tui.tui.command_line.test_command_line import command
from tests.spar_tui.tui.world import Hand, play, resources

REFERENCES = """
@article{ahead, title = {Retrieval of passages from the years to come}, author = {Roe, Ann}, year = {2999},
  journal = {Journal of Tests}}
@article{bare, title = {Rivers and what lives in them}}
@article{broken, title = {Never closed
"""


pytestmark = pytest.mark.usefixtures("own_home")


def keys_listed(hand: Hand) -> list[str]:
    screen = hand.app.screen
    return [one.key for one in screen._table.rows] if isinstance(screen, DocumentCheckScreen) else []


def test_findings_are_listed_the_worst_first_and_one_is_ignored_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(REFERENCES)

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, "check --source openalex refs.bib --offline")
        await hand.until_shown("3 references")
        assert keys_listed(hand) == ["broken", "ahead", "bare"]
        assert "check --source openalex refs.bib --offline · 3 references · 3 findings" in hand.text
        assert "F fix" in hand.lines[-1]
        await hand.press("down", "enter")
        await hand.until(lambda: isinstance(hand.app.screen, FindingSheet))
        assert "2999" in hand.text
        await hand.press("escape", "i")
        await hand.until_shown("Why is ahead right?")
        await hand.type("in press")
        await hand.press("enter")
        await hand.until(lambda: keys_listed(hand) == ["broken", "bare", "ahead"])
        assert "Accepted" in hand.text
        year = ComparedField("year", "2019", "2020", "Crossref")
        finding = DocumentFinding(0, "refs.bib", 1, "late", "Rivers", "Described wrongly", "error", fields=(year,))
        hand.app.push_screen(FindingSheet(finding))
        await hand.until(lambda: any("2019" in line and "2020" in line for line in hand.lines))
        await hand.press("escape", "escape")
        await hand.until(lambda: not isinstance(hand.app.screen, DocumentCheckScreen))

    play(tmp_path, scene, resources())
    assert "in press" in (tmp_path / "refs.bib.accepted.toml").read_text()


def test_no_room_is_lost_to_a_column_or_a_line_without_a_text() -> None:
    citing = {"file": "a.tex", "line": 3, "key": "none", "sentence": "Rivers rise.", "grade": "no text here",
              "title": "", "reason": "No bibliography has it.", "passages": []}  # fmt: skip
    [finding] = findings_of({"citations": [citing]})
    assert finding.details == ("No bibliography has it.",)
    assert [column.title for column in filled(_COLUMNS, [finding])] == [
        "Line",
        "Result",
        "Key",
        "Reference or sentence",
    ]


def test_what_is_certain_is_fixed_after_a_question_and_the_old_file_is_kept(tmp_path: Path) -> None:
    twice = "@article{%s, title={Rivers and what lives in them}, author={Roe, Ann}, journal={Rivers}, year={2010}}\n"
    before = twice % "a" + twice % "b"
    (tmp_path / "refs.bib").write_text(before)

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, "check refs.bib --offline")
        await hand.until_shown("2 references")
        await hand.press("F")
        await hand.until_shown("Change refs.bib?")
        await hand.until_shown("y change")
        assert "line 2, b: it is the same work as a" in hand.text
        await hand.press("n")
        assert (tmp_path / "refs.bib").read_text() == before
        await hand.press("F")
        await hand.until_shown("Change refs.bib?")
        await hand.until_shown("y change")
        await hand.press("y")
        await hand.until(lambda: "The old file is refs.bib.orig" in hand.told)
        await hand.until(lambda: len(keys_listed(hand)) == 1)

    play(tmp_path, scene, resources())
    assert (tmp_path / "refs.bib").read_text().count("@article") == 1
    assert (tmp_path / "refs.bib.orig").read_text() == before


def test_the_columns_are_as_wide_as_their_texts_and_the_title_has_the_rest(tmp_path: Path) -> None:
    title = "Rivers and what lives in them, in the years from 1950 to 2010"
    (tmp_path / "refs.bib").write_text(f"@article{{bare, title = {{{title}}}}}")

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, "check refs.bib --offline")
        await hand.until_shown(title)

    play(tmp_path, scene, resources(), size=(110, 30))


def test_a_document_that_cannot_be_read_is_named_and_the_list_closes(tmp_path: Path) -> None:
    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, "lint missing.tex --offline")
        await hand.until(lambda: "No such file: missing.tex" in hand.told)
        assert not isinstance(hand.app.screen, DocumentCheckScreen)

    play(tmp_path, scene, resources())


def test_a_check_that_fails_is_told_and_the_list_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure has the exit code of findings, but no report."""
    (tmp_path / "refs.bib").write_text(REFERENCES)
    (tmp_path / "other" / "spar").mkdir(parents=True)
    (tmp_path / "other" / "spar" / "spar.db").write_bytes(b"no database" * 500)
    (tmp_path / "other" / "spar.db").write_bytes(b"no database" * 500)
    monkeypatch.setenv("SPAR_HOME", str(tmp_path / "other"))

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, "check refs.bib --offline")
        await hand.until(lambda: "spar.db" in hand.told)
        assert not isinstance(hand.app.screen, DocumentCheckScreen)

    play(tmp_path, scene, resources())


@pytest.mark.parametrize("key", ["q", "escape"])
def test_leaving_a_check_that_runs_says_that_it_was_stopped(tmp_path: Path, key: str) -> None:
    (tmp_path / "refs.bib").write_text(REFERENCES)

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, "check refs.bib --offline")
        await hand.until(lambda: bool(hand.app.running_commands))
        await hand.press(key)
        await hand.until(lambda: "Stopped: check refs.bib --offline." in hand.told)
        assert not isinstance(hand.app.screen, DocumentCheckScreen)

    play(tmp_path, scene, resources())


@pytest.mark.parametrize(
    ("words", "counts", "noun"), [("check refs.bib", "checked", "reference"), ("lint paper.tex", "texts", "citation")]
)
def test_findings_come_one_by_one_are_counted_and_stay_when_the_command_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, counts: str, noun: str
) -> None:
    entries = 12
    with Services() as services:
        works = [work for work in services.corpus.works if work.openalex and work.abstract and work.authors][:entries]
    (tmp_path / "refs.bib").write_text(
        "".join(f"@article{{key{n}, title={{{work.title}}}, author={{{work.authors[0].family}}}, year={work.year}}}\n"
                for n, work in enumerate(works))
    )  # fmt: skip
    cited = "\n".join(f"Zooplankton migrates through arctic fjords at night \\cite{{key{n}}}." for n in range(entries))
    (tmp_path / "paper.tex").write_text(f"\\begin{{document}}\n{cited}\n\\bibliography{{refs}}\n\\end{{document}}\n")

    async def scene(hand: Hand) -> None:
        await hand.press("f4")
        await command(hand, f"{words} --source openalex")
        await hand.until(
            lambda: 0 < len(keys_listed(hand)) < entries and f"{counts}: {len(keys_listed(hand))} of" in hand.text
        )
        assert "esc stops" in hand.text
        assert "F fix" not in hand.lines[-1]
        await hand.press("escape")
        await hand.until_shown("stopped")
        assert 0 < len(keys_listed(hand)) < entries
        await hand.press("A")
        await hand.until_shown(f"{entries} {noun}s · ")
        assert len(keys_listed(hand)) == entries

    with Services(latency=0.5) as services:
        for name, value in services.environment.items():
            monkeypatch.setenv(name, value)
        play(tmp_path, scene, resources())
