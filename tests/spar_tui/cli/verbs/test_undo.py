"""`spar undo`: the last change of saved papers is taken back, and said."""

from pathlib import Path

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
    assert undone(tmp_path) == ["took back: removed"]
    [first, _] = answer(tmp_path, "shelf", "--sort", "title")["papers"]
    assert (first["shelf"]["tags"], first["shelf"]["note"], first["shelf"]["rating"]) == (["new"], "Read again.", 1)
    assert undone(tmp_path) == ["took back: note written"]
    assert undone(tmp_path) == ["took back: marked as read, liked"]
    assert undone(tmp_path) == ["took back: tagged new, untagged rag"]
    assert undone(tmp_path) == ["took back: saved, tagged rag"] * 2
    assert spar(tmp_path, "shelf").returncode == 3
    ran = spar(tmp_path, "undo", "--json")
    assert ran.returncode == 3
    assert "nothing to take back" in ran.stderr


def test_json_names_the_papers_and_the_change(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    told = answer(tmp_path, "undo")
    assert told["left"] == []
    assert [(one["id"], one["change"]) for one in told["taken_back"]] == [(ATTENTION, "saved")]


def test_a_forgotten_reading_history_leaves_nothing_to_take_back(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    assert spar(tmp_path, "history", "forget", "--reading").returncode == 0
    assert spar(tmp_path, "undo").returncode == 3
