"""`spar key`: the person's word on what a paper is cited as."""

from pathlib import Path

import pytest

from spar_tui.bibliography.reading.files import found_in
from tests.library import home_after
from tests.spar_tui.in_process import spar

BIB = """@article{first1843, title={Notes on the Engine}, author={Lovelace, Ada}, year=1843, doi={10.1000/notes}}
@article{other1936, title={On Computable Numbers}, author={Turing, Alan}, year=1936}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_after(import_two, tmp_path)


def import_two(home: Path) -> None:
    (home / "refs.bib").write_text(BIB)
    assert spar(home, "import", str(home / "refs.bib")).returncode == 0


def exported(home: Path) -> dict[str, str]:
    """The titles of the shelf by their keys in an export."""
    ran = spar(home, "export", "--shelf", "--offline")
    return {entry.key: entry.paper.title for entry in found_in(ran.stdout, "refs.bib").entries}


def test_a_saved_paper_is_exported_under_the_key_that_it_was_given(home: Path) -> None:
    ran = spar(home, "key", "first1843", "lovelace:Notes")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == (
        "lovelace:Notes  doi:10.1000/notes  Notes on the Engine  (the old key first1843 still works)\n"
    )
    assert exported(home) == {"lovelace:Notes": "Notes on the Engine", "other1936": "On Computable Numbers"}


def test_the_old_key_goes_on_naming_the_paper_and_can_be_had_back(home: Path) -> None:
    spar(home, "key", "doi:10.1000/notes", "new")
    assert "Notes on the Engine" in spar(home, "show", "FIRST1843", "--offline").stdout
    assert spar(home, "key", "other1936", "first1843").returncode == 1
    assert spar(home, "key", "new", "First1843").returncode == 0
    assert set(exported(home)) == {"First1843", "other1936"}


def test_a_key_that_another_paper_has_is_refused_by_naming_that_paper(home: Path) -> None:
    ran = spar(home, "key", "first1843", "OTHER1936")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "names another paper: “On Computable Numbers”" in ran.stderr
    assert set(exported(home)) == {"first1843", "other1936"}


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("two words", "a space"), ("a,b", ","), ("a{b", "{"), ("a#b", "#"), ("a%b", "%"), ("a~b", "~"),
        ("", "one character"),
        ("@3", "letter"), ("a\u200bb", "invisible"), ("x" * 201, "200"), ("10.1000/other", "doi:10.1000/other"),
        ("1706.03762", "arxiv:1706.03762"), ("12345", "pmid:12345"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_key_is_refused_with_the_reason(key: str, why: str, home: Path) -> None:
    ran = spar(home, "key", "first1843", key)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert why in ran.stderr
    assert set(exported(home)) == {"first1843", "other1936"}


@pytest.mark.parametrize("key", ["a:b.c_d+e-f/g", "Gödel1931", "2019kim", "DBLP:conf/nips/VaswaniSPUJGKP17", "a&b;c*d"])
def test_what_bibtex_and_biber_read_can_be_a_key(key: str, home: Path) -> None:
    assert spar(home, "key", "first1843", key).returncode == 0
    assert f"{{{key}," in spar(home, "export", "--shelf", "--offline").stdout


def test_a_paper_that_is_not_on_the_shelf_gets_no_key(home: Path) -> None:
    ran = spar(home, "key", "arxiv:1706.03762", "vaswani")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "arxiv:1706.03762" in ran.stderr
