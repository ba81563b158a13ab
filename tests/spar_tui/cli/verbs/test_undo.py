"""`spar undo`: the last change of saved papers is taken back, and said."""

from pathlib import Path

import pytest

from tests.spar_tui.in_process import answer, spar

ATTENTION, RESNET = "arxiv:1706.03762", "arxiv:1512.03385"


def undone(home: Path) -> list[str]:
    ran = spar(home, "undo")
    assert ran.returncode == 0, ran.stderr
    return [line.partition("  ")[0] for line in ran.stdout.splitlines()]


def test_changes_are_taken_back_one_verb_at_a_time(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, RESNET, "--tag", "rag", "--offline")
    spar(tmp_path, "tag", ATTENTION, "--add", "new", "--remove", "rag")
    spar(tmp_path, "mark", ATTENTION, "--read", "--like")
    spar(tmp_path, "note", ATTENTION, "Read again.")
    spar(tmp_path, "unsave", ATTENTION)
    assert undone(tmp_path) == ["undid: removed"]
    [first, _] = answer(tmp_path, "shelf", "--sort", "title")["papers"]
    assert (first["shelf"]["tags"], first["shelf"]["note"], first["shelf"]["rating"]) == (["new"], "Read again.", 1)
    assert undone(tmp_path) == ["undid: note written"]
    assert undone(tmp_path) == ["undid: marked as read, liked"]
    assert undone(tmp_path) == ["undid: tagged new, untagged rag"]
    assert undone(tmp_path) == ["undid: saved, tagged rag"] * 2
    assert spar(tmp_path, "shelf").returncode == 3
    ran = spar(tmp_path, "undo", "--json")
    assert ran.returncode == 3
    assert "nothing to undo" in ran.stderr


def test_json_names_the_papers_and_the_change(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    told = answer(tmp_path, "undo")
    assert told["left"] == []
    assert [(one["id"], one["change"]) for one in told["taken_back"]] == [(ATTENTION, "saved")]


def test_a_forgotten_reading_history_leaves_nothing_to_take_back(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    assert spar(tmp_path, "history", "forget", "--reading").returncode == 0
    assert spar(tmp_path, "undo").returncode == 3


BIB = """@article{first1843, title={Notes on the Engine}, author={Lovelace, Ada}, year=1843, doi={10.1000/notes}}
@article{other1842, title={Sketch of the Engine}, author={Menabrea, Luigi}, year=1842, note={Long.}, keywords={old}}
"""


def imported(home: Path) -> None:
    (home / "refs.bib").write_text(BIB)
    assert spar(home, "import", str(home / "refs.bib")).returncode == 0


def listed(home: Path) -> list[str]:
    return sorted(spar(home, "shelf", "--format", "{key} {title} {year} {tags}").stdout.splitlines())


@pytest.mark.parametrize(
    ("verb", "change"),
    [
        (("edit", "first1843", "title=Notes", "year=1844"), ["corrected title, date"]),
        (("key", "first1843", "mine"), ["key mine"]),
        (("merge", "first1843", "other1842"), ["merged", "merged into another paper"]),
    ],
)
def test_a_correction_a_key_and_a_merge_are_taken_back(
    tmp_path: Path, verb: tuple[str, ...], change: list[str]
) -> None:
    imported(tmp_path)
    before = listed(tmp_path)
    assert spar(tmp_path, *verb).returncode == 0
    assert listed(tmp_path) != before
    assert undone(tmp_path) == [f"undid: {one}" for one in change]
    assert listed(tmp_path) == before


def test_a_merge_that_was_taken_apart_is_there_again(tmp_path: Path) -> None:
    imported(tmp_path)
    spar(tmp_path, "merge", "first1843", "other1842")
    merged = listed(tmp_path)
    spar(tmp_path, "split", "first1843")
    assert "undid: split" in undone(tmp_path)
    assert listed(tmp_path) == merged


def test_an_import_is_taken_back_whole_and_what_was_there_stays(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    before = listed(tmp_path)
    imported(tmp_path)
    assert sorted(undone(tmp_path)) == ["undid: imported", "undid: imported, tagged old"]
    assert listed(tmp_path) == before
    assert spar(tmp_path, "library", "engine").returncode == 3
    imported(tmp_path)
    assert len(listed(tmp_path)) == 3
