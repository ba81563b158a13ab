"""Papers are shared between two libraries through a file, and a file of a stranger does no harm."""

import asyncio
import io
import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agents.run.runner import Runner
from agents.search.events import PaperScreened
from agents.search.kind import SEARCH
from cache.store import Store
from tests.library import home_after
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import environment, forked

ATTENTION, RESNET = "arxiv:1706.03762", "arxiv:1512.03385"
MANIFEST = {"format": "spar-pack", "version": 1, "by": "Ann"}
WHALES = {"paper": {"title": "Whales", "id": "10.1234/w"}, "tags": ["sea"], "notes": [{"by": "Ann", "text": "Good."}]}


def kept(home: Path) -> dict[str, Any]:
    """What the shelf says of each paper, without when it was saved."""
    found = json.loads(spar(home, "shelf", "--json").stdout)["papers"]
    return {one["title"]: {name: value for name, value in one["shelf"].items() if name != "saved"} for one in found}


def shared(home: Path, file: Path, *arguments: str) -> Path:
    ran = spar(home, "share", *arguments, "-o", str(file))
    assert ran.returncode == 0, ran.stderr
    return file


def pack(file: Path, parts: Mapping[str, object]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, part if isinstance(part, str) else json.dumps(part))
    return file


@pytest.fixture
def homes(tmp_path: Path) -> tuple[Path, Path]:
    """Ann's library, with two papers, and Bob's, with a note of his own about one of them."""
    home_after(furnish, tmp_path)
    return tmp_path / "ann", tmp_path / "bob"


def furnish(folder: Path) -> None:
    ann, bob = folder / "ann", folder / "bob"
    for home in (ann, bob):
        home.mkdir()
        spar(home, "save", ATTENTION, "--tag", "rag", "--offline")
    spar(ann, "save", RESNET, "--tag", "rag", "--offline")
    spar(ann, "note", ATTENTION, "Strong on method.")
    spar(ann, "mark", ATTENTION, "--like")
    spar(bob, "note", ATTENTION, "Hard to read.")


def test_papers_tags_notes_and_ratings_reach_another_library_once(homes: tuple[Path, Path], tmp_path: Path) -> None:
    ann, bob = homes
    file = shared(ann, tmp_path / "pack.zip", "--tag", "rag", "--by", "Ann")
    [first] = answer(bob, "import", str(file))["files"]
    assert first["new"] == {"paper": 1, "tag": 1, "note": 1, "rating": 1}
    assert first["there"] == {"paper": 1, "tag": 1}
    after = kept(bob)
    assert len(after) == 2
    [attention] = (one for title, one in after.items() if title.startswith("Attention"))
    assert attention["note"] == "Hard to read.\n\nNote by Ann:\nStrong on method."
    assert (attention["rating"], attention["tags"]) == (1, ["rag"])
    ran = spar(bob, "import", str(file))
    assert "nothing new from Ann; already there: 2 papers, 2 tags, 1 note, 1 rating" in ran.stdout
    assert kept(bob) == after


def test_what_comes_back_keeps_its_author_and_does_not_come_twice(homes: tuple[Path, Path], tmp_path: Path) -> None:
    ann, bob = homes
    spar(bob, "import", str(shared(ann, tmp_path / "to-bob.zip", "--shelf", "--by", "Ann")))
    back = shared(bob, tmp_path / "to-ann.zip", "--shelf", "--by", "Bob")
    [came] = answer(ann, "import", str(back))["files"]
    assert (came["new"], came["there"]["note"]) == ({"note": 1}, 1)
    [attention] = (one for title, one in kept(ann).items() if title.startswith("Attention"))
    assert attention["note"] == "Strong on method.\n\nNote by Bob:\nHard to read."


def test_a_pack_goes_through_a_pipe(homes: tuple[Path, Path]) -> None:
    ann, bob = homes
    pipe = {"capture_output": True, "check": True}
    sent = subprocess.run([*forked("share", "--shelf", "-o", "-")], env=environment(ann), **pipe)  # type: ignore[call-overload]
    subprocess.run([*forked("import", "-")], env=environment(bob), input=sent.stdout, **pipe)  # type: ignore[call-overload]
    assert len(kept(bob)) == 2


def test_an_import_is_taken_back(homes: tuple[Path, Path], tmp_path: Path) -> None:
    ann, bob = homes
    before = kept(bob)
    spar(bob, "import", str(shared(ann, tmp_path / "pack.zip", "--shelf")))
    assert kept(bob) != before
    assert spar(bob, "undo").returncode == 0
    assert kept(bob) == before


def test_decisions_of_a_search_come_along_signed(homes: tuple[Path, Path], tmp_path: Path) -> None:
    ann, bob = homes
    run = answer(ann, "search", "attention is all you need", "--offline")["run"]
    [database] = ann.rglob("*.db")

    async def decide() -> None:
        with Store.open(database) as store:
            runner = Runner.taken_up(SEARCH, store, run)
            for work, found in runner.state.found.items():
                if found.paper.title.startswith("Attention"):
                    runner.keep(PaperScreened(work, "excluded", "wrong subject"))
            await asyncio.sleep(0)

    asyncio.run(decide())
    file = shared(ann, tmp_path / "pack.zip", "--shelf", "--by", "Ann")
    for new in (1, None):
        [came] = answer(bob, "import", str(file))["files"]
        assert came["new"].get("decision") == new
    [attention] = (one for title, one in kept(bob).items() if title.startswith("Attention"))
    assert "Ann excluded it from “attention is all you need”: wrong subject." in attention["note"]


def test_a_stored_search_is_stored_and_another_of_its_name_stays(homes: tuple[Path, Path], tmp_path: Path) -> None:
    ann, bob = homes
    spar(ann, "search", "attention", "--offline", "--watch", "mine")
    spar(bob, "search", "residual networks", "--offline", "--watch", "mine")
    file = shared(ann, tmp_path / "pack.zip", "--watch", "mine", "--by", "Ann")
    for new in ({"watch": 1}, {}):
        [came] = answer(bob, "import", str(file))["files"]
        assert came["new"] == new
    listed = spar(bob, "watch", "--list").stdout
    assert "mine (Ann)" in listed
    assert "residual networks" in listed


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"manifest.json": MANIFEST, "papers.jsonl": WHALES, "../../evil": "x"}, "it contains '../../evil'"),
        ({"manifest.json": MANIFEST, "papers.jsonl": WHALES, "/etc/x": "x"}, "it contains '/etc/x'"),
        ({"manifest.json": MANIFEST}, "a part is missing"),
        ({"manifest.json": MANIFEST | {"version": 2}, "papers.jsonl": WHALES}, "its format is version 2"),
        ({"manifest.json": MANIFEST | {"format": "x"}, "papers.jsonl": WHALES}, "not a pack from spar share"),
        ({"manifest.json": "{", "papers.jsonl": WHALES}, "its manifest cannot be read"),
        ({"manifest.json": MANIFEST, "papers.jsonl": '{"paper": {"title": '}, "papers.jsonl, line 1 is not a record"),
        ({"manifest.json": MANIFEST, "papers.jsonl": "[" * 100_000}, "papers.jsonl, line 1 is not a record"),
        ({"manifest.json": MANIFEST, "papers.jsonl": {"paper": {"title": 7}}}, "line 1 is not a record of a pack"),
        ({"manifest.json": MANIFEST, "papers.jsonl": WHALES | {"tags": 7}}, "line 1 is not a record of a pack"),
        ({"manifest.json": MANIFEST, "papers.jsonl": WHALES,
          "decisions.jsonl": {"paper": 9, "decision": "included", "question": "q"}}, "1 is not a record of a pack"),
        ({"manifest.json": MANIFEST, "papers.jsonl": WHALES,
          "watches.jsonl": {"name": "w", "question": "q", "parameters": {"limit": "x"}}}, "cannot run the watch"),
        ({"manifest.json": MANIFEST, "papers.jsonl": " " * (64 * 1024 * 1024 + 1)}, "has more than 64 MB"),
        ({"manifest.json": MANIFEST, "papers.jsonl": "{}\n" * 20_001}, "more than 20,000 lines"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_whole_pack_is_refused_and_nothing_is_imported(
    tmp_path: Path, parts: dict[str, object], said: str
) -> None:
    ran = spar(tmp_path, "import", str(pack(tmp_path / "pack.zip", parts)))
    assert ran.returncode == 2
    assert said in ran.stderr
    assert kept(tmp_path) == {}
    assert not list(tmp_path.parent.rglob("evil"))


def test_a_zip_that_is_cut_off_or_of_other_bytes_is_refused(tmp_path: Path) -> None:
    file = pack(tmp_path / "pack.zip", {"manifest.json": MANIFEST, "papers.jsonl": WHALES})
    whole = file.read_bytes()
    for number, raw in enumerate((whole[:-30], whole[:60] + b"\xff" * 30 + whole[90:], b"PK\x03\x04" + b"\0" * 99)):
        broken = tmp_path / f"{number}.zip"
        broken.write_bytes(raw)
        ran = spar(tmp_path, "import", str(broken))
        assert (ran.returncode, kept(tmp_path)) == (2, {})


def test_texts_of_a_pack_are_cleaned(tmp_path: Path) -> None:
    told = {
        "paper": {"title": "Wh\x1b[31males\u202e", "id": "10.1234/w", "authors": ["A\x07da", 7], "year": "x"},
        "tags": ["se\x1b]0;ka"], "notes": [{"by": "An\x1b[2Jn\nx", "text": "Go\x1b[2Jod."}], "rating": 5,
    }  # fmt: skip
    file = pack(tmp_path / "pack.zip", {"manifest.json": MANIFEST, "papers.jsonl": told})
    assert spar(tmp_path, "import", str(file)).returncode == 0
    assert kept(tmp_path).keys() == {"Whales"}
    assert not set("\x1b\x07\u202e") & set(json.dumps(kept(tmp_path), ensure_ascii=False))


def test_a_file_that_is_no_pack_is_not_overwritten(tmp_path: Path) -> None:
    spar(tmp_path, "save", ATTENTION, "--offline")
    thesis = pack(tmp_path / "thesis.docx", {"word/document.xml": "work of years"})
    before = thesis.read_bytes()
    assert spar(tmp_path, "share", "--shelf", "-o", str(thesis)).returncode == 2
    assert thesis.read_bytes() == before
    assert (
        spar(tmp_path, "share", "--shelf", "-o", str(shared(tmp_path, tmp_path / "p.zip", "--shelf"))).returncode == 0
    )


def test_the_same_papers_make_the_same_parts(homes: tuple[Path, Path], tmp_path: Path) -> None:
    ann, _ = homes
    one, other = (shared(ann, tmp_path / f"{name}.zip", "--shelf", "--by", "Ann").read_bytes() for name in "ab")
    papers = [zipfile.ZipFile(io.BytesIO(raw)).read("papers.jsonl") for raw in (one, other)]
    assert papers[0] == papers[1]
