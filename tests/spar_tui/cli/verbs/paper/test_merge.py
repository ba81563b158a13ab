"""`spar merge`: the person's word that two papers are one."""

import json
from pathlib import Path

import pytest

from tests.library import home_after
from tests.spar_tui.in_process import spar

BIB = """@article{first1843, title={Notes on the Engine}, author={Lovelace, Ada}, year=1843, doi={10.1000/notes},
  keywords={engines}, note={Read twice.}}
@article{other1842, title={Sketch of the Analytical Engine}, author={Menabrea, Luigi}, year=1842, doi={10.1000/sketch},
  keywords={translated}}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_after(import_two, tmp_path)


def import_two(home: Path) -> None:
    (home / "refs.bib").write_text(BIB)
    assert spar(home, "import", str(home / "refs.bib")).returncode == 0


def shelf(home: Path) -> list[str]:
    return sorted(spar(home, "shelf", "--format", "{key} {tags}").stdout.splitlines())


def test_two_papers_become_one_and_what_they_say_differently_is_told(home: Path) -> None:
    ran = spar(home, "merge", "first1843", "10.1000/sketch")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("first1843  doi:10.1000/notes  ")
    assert ran.stdout.endswith("(one paper now)\n")
    told = dict(line.removeprefix("spar: ").split(": ", 1) for line in ran.stderr.splitlines())
    shown = json.loads(spar(home, "show", "other1842", "--offline", "--json").stdout)["paper"]
    assert repr(shown["title"]) in told["title"].partition(", dropped ")[0]
    assert f"kept '{shown['year']}', " in told["year"]
    assert told["doi"] == "kept '10.1000/notes', dropped '10.1000/sketch', which still names the paper."
    assert len(shelf(home)) == 1
    assert shown["id"] == json.loads(spar(home, "show", "10.1000/sketch", "--offline", "--json").stdout)["paper"]["id"]


def test_a_merge_as_json_has_the_paper_and_what_does_not_hold(home: Path) -> None:
    told = json.loads(spar(home, "merge", "other1842", "first1843", "--json").stdout)
    assert told["key"] == "other1842"
    assert told["paper"]["identifiers"]["doi"] == told["differences"]["doi"]["kept"]
    assert told["differences"]["doi"]["dropped"]
    assert set(told["differences"]) == {"title", "authors", "year", "doi"}


@pytest.mark.parametrize(
    "words", [("merge", "first1843", "--undo"), ("split", "first1843"), ("split", "10.1000/sketch")]
)
def test_what_was_merged_is_taken_apart_as_it_was(words: tuple[str, ...], home: Path) -> None:
    before, exported = shelf(home), spar(home, "export", "--shelf").stdout
    spar(home, "merge", "first1843", "other1842")
    ran = spar(home, *words)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == [
        "first1843  doi:10.1000/notes  Notes on the Engine  (a separate paper again)",
        "other1842  doi:10.1000/sketch  Sketch of the Analytical Engine  (a separate paper again)",
    ]
    assert (shelf(home), spar(home, "export", "--shelf").stdout) == (before, exported)


def test_a_merge_holds_against_what_is_imported_later(home: Path) -> None:
    spar(home, "merge", "first1843", "other1842")
    before = shelf(home)
    assert spar(home, "import", str(home / "refs.bib")).returncode == 0
    assert shelf(home) == before


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("first1843", "first1843"), 1, "are one paper already; nothing was changed"),
        (("first1843", "10.1000/notes"), 1, "are one paper already; nothing was changed"),
        (("first1843",), 2, "merge needs two papers"),
        (("first1843", "other1842", "--undo"), 2, "merge needs two papers"),
        (("first1843", "--undo"), 1, "nothing was merged into first1843"),
        (("first1843", "10.1000/absent"), 1, "is not in your library"),
    ],
)
def test_what_cannot_be_merged_or_taken_apart_is_refused_with_the_reason(
    words: tuple[str, ...], code: int, reason: str, home: Path
) -> None:
    before = shelf(home)
    ran = spar(home, "merge", *words)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert reason in ran.stderr
    assert shelf(home) == before
