"""`spar lsp` beside a document: what an editor is offered, shown and told."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.services import Services
from tests.spar_tui.in_process import spar
from tests.spar_tui.lsp.editor import Editor, editing
from tests.spar_tui.running import PATIENCE, environment, forked

pytest.importorskip("pygls", reason="needs the extra lsp")
pytestmark = pytest.mark.usefixtures("quick_pace")

REFS = """@article{smith2020, title={Contrastive Learning of Things}, author={Smith, Anna}, year=2020, journal={J}}
@article{jones, title={Tides of the North Sea}, author={Jönes, Bob}, journal={Journal of Tides},
  abstract={We measured <script>tides</script> at eleven harbours.}}
@article{smith2020b, title={Contrastive Learning of Things}, author={Smith, Anna}, year=2020, journal={J}}
"""
PAPER = r"""\documentclass{article}\begin{document}
Things \cite{smith2021} and 𝛼-tides \cite{jones}.
\citep[see][p.~3]{smith2020,contr
\end{document}
"""
BIRDS = "TY  - JOUR\nTI  - Sea birds follow harbours\nAU  - Lee, Ann\nPY  - 2016\nDO  - 10.1000/b1\nER  - \n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A document with its bibliography."""
    (tmp_path / "refs.bib").write_text(REFS)
    (tmp_path / "paper.tex").write_text(PAPER)
    return tmp_path


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One editor for the documents of many tests, each in a folder of its own."""
    with editing(tmp_path_factory.mktemp("home"), "--offline") as one:
        yield one


def completed(editor: Editor, file: Path, line: int, column: int) -> list[dict[str, Any]]:
    place = {"line": line, "character": column}
    found = editor.ask("textDocument/completion", textDocument={"uri": file.as_uri()}, position=place)
    items: list[dict[str, Any]] = found["items"] if found else []
    return items


def test_a_key_is_completed_by_words_of_the_title_and_by_the_author(folder: Path, editor: Editor) -> None:
    tex = folder / "paper.tex"
    editor.open(tex)
    line = PAPER.splitlines()[2]
    assert [one["label"] for one in completed(editor, tex, 2, len(line))] == ["smith2020", "smith2020b"]
    for text, keys in [
        (r"\textcite{north jon", ["jones"]), (r"\cite{jönes", ["jones"]), (r"\cite{zebra", []), (r"\cite{a} b", []),
    ]:  # fmt: skip
        change(editor, tex, text)
        assert [one["label"] for one in completed(editor, tex, 0, len(text))] == keys
    for name, text in (("a.md", "as told [@smith2020; @tid"), ("a.typ", "as told @tid")):
        (folder / name).write_text(text)
        editor.open(folder / name)
        assert [one["label"] for one in completed(editor, folder / name, 0, len(text))] == ["jones"]


def change(editor: Editor, file: Path, text: str) -> None:
    editor.tell("textDocument/didChange", textDocument={"uri": file.as_uri(), "version": 2},
                contentChanges=[{"text": text}])  # fmt: skip


def test_a_paper_of_the_shelf_is_offered_and_added_to_the_bibliography(folder: Path) -> None:
    (folder / "birds.ris").write_text(BIRDS)
    assert spar(folder, "import", str(folder / "birds.ris")).returncode == 0
    with editing(folder, "--offline") as editor:
        tex = folder / "paper.tex"
        editor.open(tex)
        change(editor, tex, r"\cite{birds")
        [offer] = completed(editor, tex, 0, 11)
        assert offer["detail"] == "Sea birds follow harbours"
        for typed, offered in (("maritime fowl", [offer["label"]]), ("transistors", [])):
            change(editor, tex, rf"\cite{{{typed}")
            assert [one["label"] for one in completed(editor, tex, 0, 6 + len(typed))] == offered
        editor.do(offer["command"])
        told = editor.notification(lambda one: one["method"] == "window/showMessage")
        assert "1 entry added" in told["params"]["message"]
    text = (folder / "refs.bib").read_text()
    assert text.startswith(REFS)
    assert offer["label"] in text
    with editing(folder, "--offline") as editor:
        editor.open(tex)
        change(editor, tex, r"\cite{birds")
        [entry] = completed(editor, tex, 0, 11)
        assert entry["label"] == offer["label"]
        assert "command" not in entry


def test_what_a_key_cites_is_shown_with_its_texts_as_letters(folder: Path, editor: Editor) -> None:
    tex = folder / "paper.tex"
    editor.open(tex)
    column = len("Things \\cite{smith2021} and ") + 2 + len("-tides \\cite{jo")  # the protocol counts 𝛼 as two
    place = {"line": 1, "character": column}
    shown = editor.ask("textDocument/hover", textDocument={"uri": tex.as_uri()}, position=place)["contents"]["value"]
    assert "Tides of the North Sea" in shown
    assert "<script>" not in shown
    assert (
        editor.ask("textDocument/hover", textDocument={"uri": tex.as_uri()}, position={"line": 0, "character": 2})
        is None
    )


def test_a_key_that_no_bibliography_has_is_marked_where_it_stands(folder: Path, editor: Editor) -> None:
    tex = folder / "paper.tex"
    [told] = [one for one in editor.open(tex) if one["code"] == "unknown-key"]
    assert told["message"] == "No bibliography has the key smith2021."
    assert told["range"] == {"start": {"line": 1, "character": 13}, "end": {"line": 1, "character": 22}}
    action = editor.actions(tex, 1, [told])["Cite smith2020"]
    [edit] = action["edit"]["changes"][tex.as_uri()]
    assert (edit["newText"], edit["range"]) == ("smith2020", told["range"])


def test_a_bibliography_is_checked_without_a_network_and_mended(folder: Path, editor: Editor) -> None:
    bib = folder / "refs.bib"
    assert {one["code"] for one in editor.open(bib)} == {"incomplete", "duplicate"}
    [title] = [one for one in editor.actions(bib, 3) if one.startswith("Fix smith2020b")]
    [edit] = editor.actions(bib, 3)[title]["edit"]["changes"][bib.as_uri()]
    assert "smith2020b" in title
    lines = REFS.splitlines(keepends=True)
    begin, end = edit["range"]["start"]["line"], edit["range"]["end"]["line"]
    mended = "".join([*lines[:begin], edit["newText"], *lines[end:]])
    assert mended.count("@article") == 2
    assert "tides" in mended


def test_a_finding_that_is_accepted_is_marked_no_more(folder: Path, editor: Editor) -> None:
    bib = folder / "refs.bib"
    before = editor.open(bib)
    assert "duplicate" in {one["code"] for one in before}
    editor.do(editor.actions(bib, 3)["Accept: smith2020b, there twice"]["command"])
    assert [one["code"] for one in editor.diagnostics(bib)] == [
        one["code"] for one in before if one["code"] != "duplicate"
    ]
    assert not [title for title in editor.actions(bib, 3) if title.startswith("Accept")]
    assert 'reason = "accepted in the editor"' in (folder / "refs.bib.accepted.toml").read_text()
    assert spar(folder, "check", str(bib), "--offline", "--json").stdout.count('"finding": "duplicate"') == 2


def test_the_sources_are_asked_where_a_person_wants_it(tmp_path: Path) -> None:
    with Services(rules=False) as services:
        work = next(one for one in services.corpus.works
                    if one.doi and one.openalex and one.s2 and one.year and one.preprint is None and not one.arxiv
                    and not one.retracted and one.venue and "odd" not in one.doi)  # fmt: skip
        bib = tmp_path / "refs.bib"
        people = " and ".join(f"{one.family}, {one.given}" for one in work.authors)
        bib.write_text(f"@article{{k, title={{{work.title}}}, author={{{people}}}, year=1901, doi={{{work.doi}}},\n"
                       f"  journal={{{work.venue}}}}}\n")  # fmt: skip
        with editing(tmp_path, more=services.environment) as editor:
            assert not editor.open(bib)
            editor.do(editor.actions(bib, 0)["Check the references with the sources"]["command"])
            [told] = editor.diagnostics(bib)
            assert told["code"] == "fields-differ"
            assert str(work.year) in told["message"]
            action = next(one for title, one in editor.actions(bib, 0).items() if title.startswith("Fix k"))
            [edit] = action["edit"]["changes"][bib.as_uri()]
            assert str(work.year) in edit["newText"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_ends_it_though_the_editor_says_nothing(folder: Path) -> None:
    process = subprocess.Popen(forked("lsp", "--offline"), env=environment(folder), stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)  # fmt: skip
    try:
        editor = Editor(process)
        editor.ask("initialize", processId=None, rootUri=None, capabilities={})
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == -signal.SIGINT
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


def test_a_check_shows_how_far_it_is_to_an_editor_that_can_show_it(tmp_path: Path) -> None:
    bib = tmp_path / "refs.bib"
    bib.write_text(REFS)
    with editing(tmp_path, "--offline", capabilities={"window": {"workDoneProgress": True}}) as editor:
        editor.open(bib)
        editor.do(editor.actions(bib, 0)["Check the references with the sources"]["command"])
        told = editor.notification(
            lambda one: one["method"] == "$/progress" and one["params"]["value"]["kind"] == "end"
        )
        assert told
    with editing(tmp_path, "--offline") as editor:
        editor.open(bib)
        editor.do(editor.actions(bib, 0)["Check the references with the sources"]["command"])
        editor.diagnostics(bib)
        assert not [one for one in editor.told if one["method"] == "$/progress"]
