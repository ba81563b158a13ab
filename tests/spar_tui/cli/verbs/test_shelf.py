"""The shelf on the command line: save, tag, note, mark, list, take off; and the reading history."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cache import shelf as shelf_of
from cache.store import Store
from tests.spar_tui import running
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment, forked, spar_in_terminal, wait_until

ATTENTION, RESNET, GAN = "arxiv:1706.03762", "arxiv:1512.03385", "arxiv:1406.2661"


def answer(home: Path, *arguments: str) -> Any:
    """The object that `spar … --json` prints."""
    ran = spar(home, *arguments, "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def save(home: Path, *arguments: str) -> str:
    ran = spar(home, "save", *arguments, "--offline")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def shelf(home: Path, *arguments: str) -> list[dict[str, Any]]:
    ran = spar(home, "shelf", *arguments, "--json")
    found: list[dict[str, Any]] = json.loads(ran.stdout)["papers"]
    assert ran.returncode == (0 if found else 3)
    return found


def interactions(home: Path) -> list[tuple[str, str]]:
    return [(act["act"], act["id"]) for act in answer(home, "history", "reading")["acts"]]


def written_by(script: Path, *lines: str) -> str:
    """An editor that adds `After.` to the text and does `lines` meanwhile."""
    adding = ["p = pathlib.Path(sys.argv[1])", "p.write_text(p.read_text() + 'After.')"]
    script.write_text("\n".join(["import os, pathlib, subprocess, sys", *adding, *lines]), "utf-8")
    return f"{sys.executable} '{script}'"


def test_papers_are_saved_by_any_name_and_by_place_with_tags(tmp_path: Path) -> None:
    answer(tmp_path, "search", "generative adversarial networks", "--offline")
    said = save(tmp_path, "@1", "https://arxiv.org/abs/1706.03762", "--tag", "rag", "--tag", "to read")
    assert said.count("saved ") == 2
    found = shelf(tmp_path)
    assert [paper["shelf"]["tags"] for paper in found] == [["rag", "to read"]] * 2
    assert ATTENTION in {paper["id"] for paper in found}
    assert shelf(tmp_path, "--tag", "RAG") == found
    assert shelf(tmp_path, "--tag", "other") == []


def test_a_range_names_the_papers_from_one_place_to_another_and_ends_with_the_list(tmp_path: Path) -> None:
    answer(tmp_path, "search", "generative adversarial networks", "--offline", "--limit", "5")
    assert save(tmp_path, "@2-4", "@3").count("saved ") == 3
    beyond = spar(tmp_path, "save", "@4-40")
    assert (beyond.returncode, beyond.stdout.count("saved "), beyond.stderr.count("spar: ")) == (3, 2, 1)
    assert "@6 is not in the search shown last" in beyond.stderr
    for wrong in ("@4-2", "@1-9999", "@1-"):
        assert spar(tmp_path, "save", wrong).returncode == 2
    assert spar(tmp_path, "show", "@1-2").returncode == 2, "one paper is shown"
    assert len(shelf(tmp_path)) == 4


def test_what_names_no_paper_is_told_and_the_others_are_saved(tmp_path: Path) -> None:
    ran = spar(tmp_path, "save", ATTENTION, "no paper", "also none", "--offline")
    assert ran.returncode == 2
    assert "'no paper' does not name a paper" in ran.stderr
    assert "'also none' does not name a paper" in ran.stderr
    assert "a citation key of the shelf" in ran.stderr
    assert [paper["id"] for paper in shelf(tmp_path)] == [ATTENTION]


def test_the_shelf_is_listed_readably_and_without_colour_in_a_pipe(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION, "--tag", "rag")
    spar(tmp_path, "note", ATTENTION, "Read twice.\nThen again.")
    ran = spar(tmp_path, "shelf")
    assert ran.stdout.splitlines() == [
        "Attention Is All You Need",
        "  Ashish Vaswani et al. (8) · 2017 · Advances in Neural Information Processing Systems",
        "  arxiv:1706.03762 · unread  #rag",
        "  | Read twice.",
        "  | Then again.",
    ]
    assert "1 paper on the shelf" in ran.stderr


def test_an_empty_shelf_is_said_and_exits_with_3(tmp_path: Path) -> None:
    ran = spar(tmp_path, "shelf")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "spar save" in ran.stderr
    assert spar(tmp_path, "tag").returncode == 3


def test_the_beginning_of_a_name_is_offered_with_its_star(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    for verb in ("shelf", "library"):
        told = spar(tmp_path, verb, "author:vasw").stderr
        assert "author:vasw* finds 1" in told
    assert "*" not in spar(tmp_path, "shelf", "author:nobody").stderr


def test_papers_are_taken_off_and_a_note_is_not_lost_silently(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION, GAN)
    spar(tmp_path, "note", ATTENTION, "My thought.")
    ran = spar(tmp_path, "unsave", ATTENTION)
    assert ran.returncode == 0
    assert "My thought." in ran.stderr
    assert [paper["id"] for paper in shelf(tmp_path)] == [GAN]
    again = spar(tmp_path, "unsave", ATTENTION)
    assert again.returncode == 1
    assert f"spar save {ATTENTION}" in again.stderr


def test_tags_are_added_taken_off_and_counted(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION, GAN, "--tag", "rag")
    assert spar(tmp_path, "tag", GAN, "--add", "gan", "--remove", "RAG").stdout.endswith("#gan\n")
    assert [line.split() for line in spar(tmp_path, "tag").stdout.splitlines()] == [["1", "gan"], ["1", "rag"]]
    assert spar(tmp_path, "tag", "--add", "x").returncode == 2


def test_a_paper_is_marked_as_read_and_liked_and_its_pdf_kept(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION, GAN)
    pdf = tmp_path / "a.pdf"
    pdf.write_bytes(b"%PDF-1.7")
    assert spar(tmp_path, "mark", ATTENTION, "--read", "--like", "--pdf", str(pdf)).returncode == 0
    [paper] = [one for one in shelf(tmp_path) if one["id"] == ATTENTION]
    assert (paper["shelf"]["rating"], paper["shelf"]["file"]) == (1, str(pdf))
    assert paper["shelf"]["read"]
    assert [one["id"] for one in shelf(tmp_path, "--unread")] == [GAN]
    spar(tmp_path, "mark", ATTENTION, "--unread", "--unrated", "--pdf", "")
    [paper] = [one for one in shelf(tmp_path) if one["id"] == ATTENTION]
    assert (paper["shelf"]["rating"], paper["shelf"]["file"], paper["shelf"]["read"]) == (0, None, None)


def opened(home: Path, *arguments: str) -> tuple[int, str, str]:
    """What `spar open` hands to the program that opens things, its exit code and what it says."""
    handed, program = home / "handed", home / "program"
    program.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {handed}.new; mv {handed}.new {handed}\n')
    program.chmod(0o755)
    ran = spar(home, "open", *arguments, "--offline", more={"BROWSER": str(program)})
    if ran.returncode:
        return ran.returncode, "", ran.stderr
    wait_until(handed.exists)
    found = handed.read_text()
    handed.unlink()
    assert ran.stdout == f"{found}\n"
    return 0, found, ran.stderr


def test_a_paper_of_a_search_is_dismissed_by_its_place_without_being_saved_and_that_is_taken_back(
    tmp_path: Path,
) -> None:
    run = answer(tmp_path, "search", "generative adversarial networks", "--offline")["run"]
    ran = spar(tmp_path, "mark", "@1", "--dismiss")
    assert ran.returncode == 0
    assert ran.stdout.endswith("  not saved, dismissed\n")
    assert shelf(tmp_path) == []
    [act] = answer(tmp_path, "history", "reading")["acts"]
    assert (act["act"], act["run"]) == ("dismissed", run)
    assert spar(tmp_path, "mark", "@1", "--like").stdout.endswith("  not saved, liked\n")
    assert spar(tmp_path, "mark", "@1", "--unrated").stdout.endswith("  not saved\n")
    assert "is not on the shelf" in spar(tmp_path, "mark", "@1", "--read", "--dismiss").stderr
    assert [act for act, _ in interactions(tmp_path)] == ["unrated", "liked", "dismissed"]


def test_the_pdf_that_a_paper_was_marked_with_is_opened(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    older, newer = tmp_path / "a b.pdf", tmp_path / "annotated.pdf"
    older.write_bytes(b"%PDF-1.7")
    newer.write_bytes(b"%PDF-1.7")
    spar(tmp_path, "mark", ATTENTION, "--pdf", str(older))
    assert opened(tmp_path, ATTENTION, "--pdf") == (0, str(older), "")
    ran = spar(tmp_path, "mark", ATTENTION, "--pdf", str(newer))
    assert ran.stdout.endswith(f"unread, {newer}, {older}\n")
    assert opened(tmp_path, ATTENTION, "--pdf") == (0, str(newer), "")
    assert f" {older}\n" in spar(tmp_path, "show", ATTENTION, "--offline").stdout
    [paper] = shelf(tmp_path)
    assert (paper["shelf"]["file"], paper["shelf"]["files"]) == (str(newer), [str(newer), str(older)])
    assert opened(tmp_path, ATTENTION)[1].startswith("https://arxiv.org/abs/")


def test_of_several_files_the_first_that_is_there_is_opened_and_the_others_are_named(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    gone, there = tmp_path / "gone.pdf", tmp_path / "there.pdf"
    for file in (gone, there):
        file.write_bytes(b"%PDF-1.7")
    spar(tmp_path, "mark", ATTENTION, "--pdf", str(gone), "--pdf", str(there))
    gone.unlink()
    assert opened(tmp_path, ATTENTION, "--pdf") == (0, str(there), f"spar: no such file: {gone}.\n")
    there.unlink()
    code, address, said = opened(tmp_path, ATTENTION, "--pdf")
    assert (code, address) == (0, "https://arxiv.org/pdf/1706.03762")
    assert (str(gone) in said, str(there) in said) == (True, True)
    spar(tmp_path, "mark", ATTENTION, "--pdf", "")
    assert opened(tmp_path, ATTENTION, "--pdf") == (0, "https://arxiv.org/pdf/1706.03762", "")


def test_a_paper_without_any_pdf_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    spar(tmp_path, "import", str(tmp_path / "refs.bib"))
    code, _, said = opened(tmp_path, "myKey", "--pdf")
    assert code == 1
    assert "no PDF of" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["mark", ATTENTION],
        ["mark", ATTENTION, "--like", "--dislike"],
        ["mark", ATTENTION, GAN, "--pdf", "a.pdf"],
        ["note", ATTENTION],
        ["note", ATTENTION, "text", "--show"],
        ["history", "forget"],
        ["history", "forget", "last", "--before", "2020"],
        ["history", "forget", "--reading", "--before", "soon"],
        ["history", "reading", "--limit", "0"],
        ["save"],
        ["import"],
        ["import", "missing.bib"],
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(arguments: list[str], tmp_path: Path) -> None:
    ran = spar(tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    [line] = ran.stderr.splitlines()
    assert line.startswith("spar: ")


def test_a_note_is_written_shown_read_from_a_pipe_and_erased(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    assert spar(tmp_path, "note", ATTENTION, "--show").returncode == 3
    spar(tmp_path, "note", ATTENTION, "One.")
    assert spar(tmp_path, "note", ATTENTION, "--show").stdout == "One.\n"
    spar(tmp_path, "note", ATTENTION, "-", stdin="Two.\n\nLines.\n")
    assert spar(tmp_path, "note", ATTENTION, "--show").stdout == "Two.\n\nLines.\n"
    spar(tmp_path, "note", ATTENTION, "")
    assert spar(tmp_path, "note", ATTENTION, "--show").stdout == ""
    assert "is not on the shelf" in spar(tmp_path, "note", GAN, "x").stderr


def test_a_note_is_written_in_the_persons_editor(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    spar(tmp_path, "note", ATTENTION, "Before.")
    assert spar_in_terminal(tmp_path, written_by(tmp_path / "an editor.py"), "note", ATTENTION).returncode == 0
    assert spar(tmp_path, "note", ATTENTION, "--show").stdout == "Before.\nAfter.\n"


@pytest.mark.parametrize(
    ("meanwhile", "left"),
    [(("note", ATTENTION, "Theirs."), "Theirs.\n\nBefore.\nAfter.\n"), (("unsave", ATTENTION), "Before.\nAfter.\n")],
)
def test_what_another_process_does_while_a_note_is_edited_erases_no_text(
    meanwhile: tuple[str, ...], left: str, tmp_path: Path
) -> None:
    save(tmp_path, ATTENTION)
    spar(tmp_path, "note", ATTENTION, "Before.")
    editor = written_by(tmp_path / "editor.py", f"subprocess.run({forked(*meanwhile)!r}, check=True)")
    ran = spar_in_terminal(tmp_path, editor, "note", ATTENTION)
    assert (ran.returncode, "changed elsewhere meanwhile" in ran.stderr) == (0, meanwhile[0] == "note")
    assert spar(tmp_path, "note", ATTENTION, "--show").stdout == left


def test_a_note_that_cannot_be_stored_is_printed(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    database = tmp_path / "spar" / "spar.db"
    editor = written_by(tmp_path / "editor.py", f"os.rename('{database}', '{database}.away'); os.mkdir('{database}')")
    ran = spar_in_terminal(tmp_path, editor, "note", ATTENTION)
    assert (ran.returncode, ran.stdout) == (1, "After.\n")


@pytest.mark.parametrize("editor", ["false", "/no/such/editor", "'unbalanced"])
def test_an_editor_that_fails_leaves_the_note_as_it_was(editor: str, tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    spar(tmp_path, "note", ATTENTION, "Before.")
    assert spar_in_terminal(tmp_path, editor, "note", ATTENTION).returncode == 1
    assert spar(tmp_path, "note", ATTENTION, "--show").stdout == "Before.\n"


def test_what_is_done_with_papers_enters_the_reading_history_and_can_be_forgotten(tmp_path: Path) -> None:
    run = answer(tmp_path, "search", "attention is all you need", "--offline")["run"]
    save(tmp_path, RESNET)
    assert spar(tmp_path, "show", "@1", "--offline").returncode == 0
    running.spar(tmp_path, "open", GAN, "--offline", more={"BROWSER": "true"})
    done = interactions(tmp_path)
    assert [act for act, _ in done] == ["opened", "viewed", "saved"]
    assert done[0][1] == GAN
    assert answer(tmp_path, "history", "reading")["acts"][1]["run"] == run
    assert spar(tmp_path, "history", "forget", "--reading", "--paper", GAN).stdout.startswith("forgot 1 act ")
    assert spar(tmp_path, "history", "forget", "--reading", "--before", "2020").stdout.startswith("forgot 0 acts ")
    assert [act for act, _ in interactions(tmp_path)] == ["viewed", "saved"]
    assert spar(tmp_path, "history", "forget", "--reading").returncode == 0
    assert interactions(tmp_path) == []
    assert len(shelf(tmp_path)) == 1
    assert answer(tmp_path, "history")["runs"][0]["run"] == run


BIB = r"""
@article{myKey, title={Notes on the {E}ngine}, author={Lovelace, Ada}, year=1843, groups={History}, annote={Read.}}
@article{broken, title={Open
@misc{none, year=2000}
"""


def test_a_bibliography_is_imported_and_its_keys_name_the_papers(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    ran = spar(tmp_path, "import", str(tmp_path / "refs.bib"), "--tag", "thesis")
    assert ran.returncode == 0
    assert ran.stdout == f"{tmp_path / 'refs.bib'}: 1 new paper, 2 skipped\n"
    assert [line.split(": ")[1].rsplit(":", 1)[1] for line in ran.stderr.splitlines()] == ["3", "4"]
    [paper] = shelf(tmp_path)
    assert paper["title"] == "Notes on the Engine"
    assert paper["shelf"]["key"] == "myKey"
    assert paper["shelf"]["tags"] == ["History", "thesis"]
    assert answer(tmp_path, "show", "MYKEY", "--offline")["paper"]["title"] == paper["title"]
    assert spar(tmp_path, "note", "myKey", "--show").stdout == "Read.\n"


def test_an_import_tells_programs_what_became_of_each_file(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    [file] = answer(tmp_path, "import", str(tmp_path / "refs.bib"))["files"]
    assert (file["entries"], file["papers"], file["new"]) == (1, 1, 1)
    assert [(one["line"], one["entry"], one["taken"]) for one in file["problems"]] == [
        (3, "broken", False), (4, "none", False),
    ]  # fmt: skip


def test_standard_input_is_imported_and_nothing_new_is_told(tmp_path: Path) -> None:
    ris = "TY  - JOUR\nTI  - A Title\nAU  - Lovelace, Ada\nPY  - 1843\nER  - \n"
    assert spar(tmp_path, "import", "-", stdin=ris).stdout == "-: 1 new paper\n"
    assert spar(tmp_path, "import", "-", stdin=ris).stdout == "-: 1 saved before\n"


def test_names_of_no_paper_are_reported_in_the_order_in_which_they_were_given(tmp_path: Path) -> None:
    lines = spar(tmp_path, "save", "@1", "@2", "@3", "--offline").stderr.splitlines()
    assert [line.split()[1] for line in lines] == ["@1", "@2", "@3"]


def test_with_one_wrong_file_among_them_nothing_is_imported(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    assert spar(tmp_path, "import", str(tmp_path / "refs.bib"), str(tmp_path / "gone.bib")).returncode == 2
    assert shelf(tmp_path) == []


def test_a_file_of_which_nothing_can_be_taken_fails_and_an_empty_one_is_empty(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@misc{none, year=2000}")
    (tmp_path / "b.bib").write_text("")
    assert spar(tmp_path, "import", str(tmp_path / "a.bib")).returncode == 1
    empty = spar(tmp_path, "import", str(tmp_path / "b.bib"))
    assert empty.returncode == 3
    assert "has no entries" in empty.stderr
    assert "- has no entries" in spar(tmp_path, "import", "-").stderr


def test_a_pdf_that_is_not_there_changes_nothing_and_fails(tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    ran = spar(tmp_path, "mark", ATTENTION, "--read", "--pdf", str(tmp_path / "a.pdf"))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert f"no such file: {tmp_path / 'a.pdf'}. Nothing was changed." in ran.stderr
    assert "unread" in spar(tmp_path, "shelf").stdout


@pytest.mark.parametrize("name", ["page.html", "page.pdf"])
def test_a_file_that_is_no_pdf_is_not_taken_for_one(name: str, tmp_path: Path) -> None:
    save(tmp_path, ATTENTION)
    (tmp_path / name).write_text("<html>Log in</html>")
    ran = spar(tmp_path, "mark", ATTENTION, "--read", "--pdf", str(tmp_path / name))
    assert (ran.returncode, "is not a PDF; spar opens only PDFs. Nothing was changed." in ran.stderr) == (2, True)
    assert "unread" in spar(tmp_path, "shelf").stdout


def test_a_tag_is_renamed_on_all_papers_and_undone_at_once(tmp_path: Path) -> None:
    spar(tmp_path, "save", "arxiv:1706.03762", "arxiv:1512.03385", "--tag", "flu", "--offline")
    ran = spar(tmp_path, "tag", "rename", "flu", "Flu")
    assert (ran.returncode, ran.stdout) == (0, "2 papers: flu is now Flu\n")
    assert spar(tmp_path, "tag").stdout.split() == ["2", "Flu"]
    assert spar(tmp_path, "tag", "rename", "FLU", "influenza").returncode == 0
    assert spar(tmp_path, "tag").stdout.split() == ["2", "influenza"]
    assert spar(tmp_path, "undo").returncode == 0
    assert spar(tmp_path, "tag").stdout.split() == ["2", "Flu"]
    spar(tmp_path, "tag", "arxiv:1706.03762", "--add", "flu/avian", "--remove", "flu")
    assert len(spar(tmp_path, "shelf", "--tag", "FLU", "--format", "{title}").stdout.splitlines()) == 2
    assert spar(tmp_path, "tag", "rename", "flu", "virus").returncode == 0
    assert spar(tmp_path, "tag").stdout.split() == ["1", "virus", "1", "virus/avian"]
    spar(tmp_path, "tag", "arxiv:1706.03762", "--add", "Größe/Tiefe")
    assert spar(tmp_path, "tag", "rename", "grosse", "size").returncode == 0
    assert "size/Tiefe" in spar(tmp_path, "tag").stdout.split()
    missing = spar(tmp_path, "tag", "rename", "none", "b")
    assert (missing.returncode, "no saved paper has the tag none" in missing.stderr) == (3, True)
    assert spar(tmp_path, "tag", "rename", "flu").returncode == 2
    assert spar(tmp_path, "tag", "rename", "size", "").returncode == 2
    assert "size/Tiefe" in spar(tmp_path, "tag").stdout.split()


@pytest.mark.parametrize("words", [("tag", "{keys}", "--add", "new"), ("unsave", "{keys}")])
def test_a_change_of_many_papers_is_seen_whole_or_not_at_all(words: tuple[str, ...], tmp_path: Path) -> None:
    many = 80
    keys = [f"work{number}" for number in range(many)]
    entries = (f"@misc{{{key}, title = {{Birds of sea {key}}}, keywords = {{old}}}}\n" for key in keys)
    (tmp_path / "a.bib").write_text("".join(entries), "utf-8")
    assert spar(tmp_path, "import", str(tmp_path / "a.bib")).returncode == 0
    given = [word for part in words for word in (keys if part == "{keys}" else [part])]
    seen = set()
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        before = shelf_of.tags(store)
        with subprocess.Popen(forked(*given), env=environment(tmp_path), stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                seen.add(tuple(shelf_of.tags(store)))
        after = shelf_of.tags(store)
    assert process.returncode == 0
    assert before != after
    assert seen <= {tuple(before), tuple(after)}
