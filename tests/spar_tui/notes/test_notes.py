"""`spar notes` as a person with a folder of notes uses it."""

import json
import re
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import papers, shelf
from cache.store import Store
from connectors.paper import Paper
from spar_tui.files import stem_of
from spar_tui.notes.note_folder import MARK, read
from tests.agents.scripted import paper
from tests.spar_tui.in_process import spar

HOSTILE = '--> [[x]] <script>alert(1)</script> # `rm` ![](http://evil.example/a.png) \\ --- "q": |'
ATTENTION = paper("Attention Is All You Need", "arxiv:1706.03762", author="Ashish Vaswani", date="2017-06-12",
                  abstract="We propose a new simple network architecture.")  # fmt: skip
BERT = paper("BERT: Pre-training", "arxiv:1810.04805", author="Jacob Devlin", date="2018")


def store_of(home: Path) -> Store:
    return Store.open(home / "spar" / "spar.db")


def on_shelf(home: Path, found: list[Paper], tags: tuple[str, ...] = (), note: str = "") -> None:
    with store_of(home) as store:
        for number in shelf.save(store, found, tags):
            if note:
                shelf.set_note(store, number, note)


def notes(home: Path, *more: str) -> CompletedProcess[str]:
    return spar(home, "notes", "--to", str(home / "vault"), *more)


def files(home: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in sorted((home / "vault").glob("*.md"))}


def front(text: str) -> dict[str, object]:
    """The fields at the head: each line a name and a value that YAML reads as JSON does."""
    lines = text.removeprefix("---\n").partition("\n---\n")[0].splitlines()
    return {name: json.loads(value) for line in lines if (name := line.partition(": ")[0]) != "spar"
            for value in [line.partition(": ")[2]]}  # fmt: skip


def test_each_saved_paper_gets_a_file_with_what_is_known_of_it(tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION], ("deep learning", "rag"), "Read §3 *again*.")
    ran = notes(tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("vault: 1 new, 0 updated, 0 unchanged\n")
    [(name, text)] = files(tmp_path).items()
    assert name == "vaswaniAttentionAllYou2017.md"
    told = front(text)
    assert told["title"] == "Attention Is All You Need"
    assert told["tags"] == ["deep-learning", "rag"]
    assert told["arxiv"] == "1706.03762"
    assert "## Note\n\nRead §3 *again*." in text
    assert "> We propose a new simple network architecture." in text
    assert text.endswith(f"{MARK}\n")


ACTIVE = "```dataviewjs\napp.vault.delete()\n```\n![[secrets]] <script>alert(1)</script>\n\n# Heading `=this.x`"


def test_a_note_of_a_bibliography_is_quoted_and_the_persons_own_stays_live(tmp_path: Path) -> None:
    item = {"id": "k", "type": "book", "title": "Title", "annote": ACTIVE}
    (tmp_path / "refs.json").write_text(json.dumps([item]), "utf-8")
    assert spar(tmp_path, "import", str(tmp_path / "refs.json")).returncode == 0
    with store_of(tmp_path) as store:
        [saved] = shelf.shelf(store)
        assert "dataviewjs" in saved.note
        shelf.set_note(store, saved.number, f"My [[link]] and `code`.\n\n{saved.note}\nMy end.")
    notes(tmp_path)
    [text] = files(tmp_path).values()
    note = text.partition("## Note\n\n")[2].partition(f"\n\n{MARK}")[0].splitlines()
    assert (note[0], note[-1]) == ("My [[link]] and `code`.", "My end.")
    assert "> \\`\\`\\`dataviewjs" in note
    assert r"> \!\[\[secrets\]\] &lt;script\>alert(1)&lt;/script\>" in note
    assert all(line.startswith(">") or not line for line in note[1:-1])


def test_a_second_run_changes_nothing_and_what_is_below_the_mark_stays(tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION])
    notes(tmp_path)
    [file] = (tmp_path / "vault").glob("*.md")
    file.write_bytes(file.read_bytes() + "my words\r\n\n\tüber [[x]]".encode())
    before = file.read_bytes()
    assert "1 unchanged" in notes(tmp_path).stdout
    assert file.read_bytes() == before
    on_shelf(tmp_path, [ATTENTION], ("new",))
    assert "1 updated" in notes(tmp_path).stdout
    assert front(file.read_text("utf-8"))["tags"] == ["new"]
    assert file.read_bytes().endswith(f"{MARK}\n".encode() + "my words\r\n\n\tüber [[x]]".encode())


def test_what_was_changed_above_the_mark_is_left_alone_and_told(tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION])
    notes(tmp_path)
    [file] = (tmp_path / "vault").glob("*.md")
    file.write_text(file.read_text("utf-8").replace("We propose", "They propose"), "utf-8")
    ran = notes(tmp_path)
    assert ran.returncode == 1
    assert "edited by hand, so it was not changed; --replace rewrites it." in ran.stderr
    assert "They propose" in file.read_text("utf-8")
    assert notes(tmp_path, "--replace").returncode == 0
    assert "We propose" in file.read_text("utf-8")


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION])
    (tmp_path / "vault").mkdir()
    mine = tmp_path / "vault" / "vaswaniAttentionAllYou2017.md"
    mine.write_text("my own file", "utf-8")
    assert notes(tmp_path).returncode == 0
    assert mine.read_text("utf-8") == "my own file"
    assert len(files(tmp_path)) == 2


def test_a_file_is_found_again_under_another_name_and_after_the_key_has_changed(tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION])
    notes(tmp_path)
    [file] = (tmp_path / "vault").glob("*.md")
    file.rename(tmp_path / "vault" / "Attention (2017).md")
    assert spar(tmp_path, "key", "vaswaniAttentionAllYou2017", "attention").returncode == 0
    assert "1 updated" in notes(tmp_path).stdout
    assert list(files(tmp_path)) == ["Attention (2017).md"]
    assert front(files(tmp_path)["Attention (2017).md"])["key"] == "attention"


@pytest.mark.parametrize(
    ("kind", "link"),
    [("wiki", "[[devlinBERTPreTraining2018|BERT: Pre-training]]"),
     ("markdown", "[BERT: Pre-training](devlinBERTPreTraining2018.md)")],
)  # fmt: skip
def test_notes_lead_to_those_of_saved_papers_that_cite_them(kind: str, link: str, tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION, BERT])
    with store_of(tmp_path) as store:
        papers.link(store, [BERT], [ATTENTION])
    notes(tmp_path, "--links", kind)
    told = files(tmp_path)
    assert f"## Cited by\n\n- {link}" in told["vaswaniAttentionAllYou2017.md"]
    assert "## Cites\n\n- [" in told["devlinBERTPreTraining2018.md"]


def test_notes_of_papers_taken_off_the_shelf_are_named_and_stay(tmp_path: Path) -> None:
    on_shelf(tmp_path, [ATTENTION, BERT])
    notes(tmp_path)
    spar(tmp_path, "unsave", "arxiv:1810.04805")
    ran = notes(tmp_path)
    assert "unchanged, because their papers are not on the shelf: devlinBERTPreTraining2018.md." in ran.stderr
    assert len(files(tmp_path)) == 2


def test_a_hostile_title_draws_nothing_and_ends_no_field(tmp_path: Path) -> None:
    on_shelf(tmp_path, [paper(HOSTILE, "10.1000/evil", abstract=HOSTILE)], note=f"a\n{MARK}\nb")
    notes(tmp_path)
    [text] = files(tmp_path).values()
    assert front(text)["title"] == paper(HOSTILE).title
    assert "<script" not in text
    assert text.count(f"\n{MARK}\n") == 1
    assert read(text.encode()).untouched


@pytest.mark.parametrize("template", ["<% tp.system.x() %>", "{{ x }}", "{% include x %}"])
def test_a_paper_brings_no_template_that_another_program_fills_in(tmp_path: Path, template: str) -> None:
    told = paper(f"{template} ![i](http://evil.invalid/i.png) [[other]]", "10.1000/evil", abstract=template)
    on_shelf(tmp_path, [told])
    notes(tmp_path)
    [text] = files(tmp_path).values()
    assert front(text)["title"] == told.title
    assert not [mark for mark in ("<%", "{{", "{%", "](", "[[") if mark in re.sub(r"\\[][]", "", text)]
    assert read(text.encode()).untouched


def test_an_empty_shelf_and_a_missing_folder_are_said(tmp_path: Path) -> None:
    assert notes(tmp_path).returncode == 3
    assert spar(tmp_path, "notes").returncode == 2
    on_shelf(tmp_path, [ATTENTION])
    (tmp_path / "vault").write_text("no folder")
    ran = notes(tmp_path)
    assert (ran.returncode, "cannot be used" in ran.stderr) == (1, True)


@given(st.text(min_size=1, max_size=200))
def test_any_key_gives_a_name_that_file_systems_take(key: str) -> None:
    stem = stem_of(key)
    assert stem
    assert not set(stem) & set('/\\:*?"<>|\x00')
    assert stem not in (".", "..")


@given(st.binary(max_size=300), st.sampled_from(["", '---\nkey: "a"\nspar: 1\n---\n', f"\n{MARK}\n"]))
def test_any_file_of_a_folder_is_read(data: bytes, before: str) -> None:
    assert not read(before.encode() + data).untouched
