"""What the shell offers while a word is typed: quickly, of what is here, and nothing where nothing is."""

import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from cache import citation_keys, papers, runs, shelf
from cache.store import Store
from cache.watches import set_watch
from tests.agents.scripted import paper
from tests.spar_tui import running
from tests.spar_tui.in_process import spar

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / "spar").mkdir()
    with Store.open(home / "spar" / "spar.db") as store:
        number = papers.remember(store, [paper("Dense retrieval", "10.1000/a")])[0]
        shelf.put(store, [number], ["thesis", "to-read"])
        citation_keys.keep(store, number, "karpukhinDense2020")
        set_watch(store, "dense", "dense retrieval", {})
        runs.start(store, "search", "what is new?", {})
    return home


def asking(words: Sequence[str], shell: str = "bash") -> dict[str, str]:
    """The environment in which the shell's script asks what the last of `words` may be."""
    line = " ".join(("spar", *words))
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words)), "_TYPER_COMPLETE_ARGS": line}
    asked["_SPAR_COMPLETE"] = f"complete_{shell}"
    if shell == "fish":
        asked["_TYPER_COMPLETE_FISH_ACTION"] = "get-args"
    return asked


def completed(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a process of its own offers for the last of `words`."""
    return running.spar(home, more=asking(words), new=True)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("search", "x", "--source", "open"), "openalex"),
        (("export", "--format", "bibl"), "biblatex"),
        (("export", "--style", "van"), "vancouver"),
        (("shelf", "--tag", "the"), "thesis"),
        (("show", "karp"), "karpukhinDense2020"),
        (("export", "karp"), "karpukhinDense2020"),
        (("search", "--resume", "la"), "last"),
        (("shelf", "--sort", "cit"), "citations"),
        (("config", "set", "ncbi"), "ncbi_email"),
        (("log", "2"), "-"),
        (("history", "forget", "2"), "-"),
        (("watch", "de"), "dense"),
        (("history", "forg"), "forget"),
    ],
)
def test_values_are_offered(home: Path, words: tuple[str, ...], offered: str, shell: str) -> None:
    ran = spar(home, more=asking(words, shell))
    assert offered in ran.stdout
    assert ran.stderr == ""


def test_a_library_that_is_not_there_or_is_held_offers_nothing_and_nothing_is_said(home: Path, tmp_path: Path) -> None:
    none = completed(tmp_path, "show", "karp")
    assert (none.stdout.strip(), none.stderr) == ("", "")
    assert not (tmp_path / "spar").exists()
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "spar.db").write_text("no library")
    broken = completed(tmp_path, "show", "karp")
    assert (broken.stdout.strip(), broken.stderr) == ("", "")
    held = sqlite3.connect(home / "spar" / "spar.db")
    held.execute("PRAGMA locking_mode = EXCLUSIVE")
    held.execute("BEGIN EXCLUSIVE")
    try:
        locked = completed(home, "show", "karp")
    finally:
        held.close()
    assert locked.stderr == ""
    assert locked.stdout.strip() in ("", "karpukhinDense2020")
