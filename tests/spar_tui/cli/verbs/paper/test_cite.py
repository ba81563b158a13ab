"""`spar cite`: from some words to the key of a saved paper, for an editor."""

from pathlib import Path

import pytest

from tests.spar_tui.in_process import spar

BIB = """@article{notes, title={Notes on the Engine}, author={Lovelace, Ada}, journal={Memoirs}, year=1843,
  keywords={old}}
@article{turing1936, title={On Computable Numbers}, author={Turing, Alan}, year=1936, doi={10.1000/numbers}}
@article{lov, title={Turing and his machines: an engineer's view}, author={Gödel, Kurt}, year=1950}
@article{DBLP:conf/x, title={相互作用の研究}, author={Sato, K.}, year=1999}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "refs.bib").write_text(BIB)
    assert spar(folder, "import", str(folder / "refs.bib")).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["love", "eng"], "notes"), (["memoirs"], "notes"), (["1843"], "notes"), (["godel"], "lov"),
        (["turing", "1936"], "turing1936"), (["engine"], "notes"), (["研究"], "DBLP:conf/x"), (["tag:old"], "notes"),
        (["year:..1900"], "notes"), (["turing", "-machines"], "turing1936"), (['"computable numbers"'], "turing1936"),
        (["DBLP:conf/x"], "DBLP:conf/x"),
    ],
)  # fmt: skip
def test_words_of_a_saved_paper_or_their_beginnings_come_to_its_key(words: list[str], key: str, home: Path) -> None:
    ran = spar(home, "cite", *words)
    assert (ran.returncode, ran.stdout) == (0, f"{key}\n"), ran.stderr


def test_what_the_best_match_is_and_how_many_others_match_stands_beside_the_answer(home: Path) -> None:
    ran = spar(home, "cite", "turing")
    assert ran.stdout == "turing1936\n"  # by Turing rather than on him
    assert ran.stderr == "Alan Turing (1936) On Computable Numbers\n1 more match; -n 2 prints all\n"
    ran = spar(home, "cite", "turing", "-n", "5")
    assert ran.stdout == "turing1936\nlov\n"
    assert len(ran.stderr.splitlines()) == 2


def test_words_match_at_their_beginning_only(home: Path) -> None:
    assert spar(home, "cite", "gine").returncode == 3


def test_an_exact_key_comes_first(home: Path) -> None:
    assert spar(home, "cite", "LOV", "-n", "9").stdout.splitlines() == ["lov", "notes"]


@pytest.mark.parametrize(
    ("form", "written", "odd"),
    [
        ("latex", "\\cite{notes}", "\\cite{DBLP:conf/x}"),
        ("markdown", "[@notes]", "[@DBLP:conf/x]"),
        ("typst", "@notes", '#cite(label("DBLP:conf/x"))'),
        ("key", "notes", "DBLP:conf/x"),
    ],
)
def test_a_format_writes_what_the_text_needs(form: str, written: str, odd: str, home: Path) -> None:
    assert spar(home, "cite", "--format", form, "notes").stdout == f"{written}\n"
    assert spar(home, "cite", "DBLP:conf/x", "--format", form).stdout == f"{odd}\n"


def test_a_paper_without_a_key_gets_the_one_that_an_export_writes(tmp_path: Path) -> None:
    (tmp_path / "a.ris").write_text("TY  - JOUR\nAU  - Lovelace, Ada\nTI  - Notes on the Engine\nPY  - 1843\nER  - \n")
    assert spar(tmp_path, "import", str(tmp_path / "a.ris")).returncode == 0
    key = spar(tmp_path, "cite", "engine").stdout.strip()
    assert key.startswith("lovelace")
    assert f"{{{key}," in spar(tmp_path, "export", "--shelf").stdout
    assert spar(tmp_path, "cite", key).stdout.strip() == key


def test_where_nothing_matches_the_nearest_keys_are_named(home: Path) -> None:
    ran = spar(home, "cite", "turin1963")
    assert (ran.returncode, ran.stdout) == (3, "")
    assert "no saved paper matches turin1963; the nearest keys are turing1936" in ran.stderr
    assert "spar shelf lists" in spar(home, "cite", "qqqqqq").stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["x", "--format", "word"], "choose from key, latex"),
        (["is:odd"], "is:odd is not known"),
        (["x", "-n", "0"], "1 or"),
    ],
)
def test_what_is_not_understood_is_refused_with_a_sentence(given: list[str], said: str, home: Path) -> None:
    ran = spar(home, "cite", *given)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert said in ran.stderr
