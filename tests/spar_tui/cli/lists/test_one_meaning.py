"""The same filter selects the same papers in every part of the program."""

from pathlib import Path

import pytest

from tests.library import home_after
from tests.spar_tui.in_process import answer, spar

ENTRIES = """
@article{a, author={Ann Lee}, title={Rivers and sand}, journal={Nature}, year={2020}}
@article{b, author={Bob van Leeuwen}, title={Counting cells}, journal={Nature Methods}, year={2021}}
@article{c, author={Carl Ashlee}, title={Stars and dust}, journal={Nature Communications}, year={2022}}
"""
LEE, LEEUWEN, ASHLEE = "Rivers and sand", "Counting cells", "Stars and dust"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_after(import_three, tmp_path)


def import_three(home: Path) -> None:
    file = home / "three.bib"
    file.write_text(ENTRIES, "utf-8")
    assert spar(home, "import", str(file)).returncode == 0


def titles(home: Path, verb: str, *words: str) -> list[str]:
    return sorted(paper["title"] for paper in answer(home, verb, *words)["papers"])


@pytest.mark.parametrize(
    ("term", "meant"),
    [
        ("author:lee", [LEE]),
        ("author:leeuwen", [LEEUWEN]),
        ('author:"van leeuwen"', [LEEUWEN]),
        ("author:lee*", [LEEUWEN, LEE]),
        ("author:ashlee|lee", [LEE, ASHLEE]),
        ("venue:nature", [LEE]),
        ("venue:nature*", [LEEUWEN, LEE, ASHLEE]),
    ],
)
def test_the_shelf_and_the_library_mean_the_same(home: Path, term: str, meant: list[str]) -> None:
    assert titles(home, "shelf", term) == titles(home, "library", term) == meant


@pytest.mark.parametrize("message", ["saved papers by Lee", "saved papers in Nature", "papers by Lee in Nature"])
def test_a_conversation_means_it_too(home: Path, message: str) -> None:
    told = spar(home, "chat", message, "--offline").stdout
    assert LEE in told
    assert LEEUWEN not in told
    assert ASHLEE not in told


def test_so_does_a_search(home: Path) -> None:
    [paper] = answer(home, "search", "papers by Lee in Nature", "--offline")["papers"]
    assert paper["title"] == LEE
    assert paper["relevance"] >= 0.5
    assert paper["reason"] == "meets all conditions; the question names no topic"


@pytest.mark.parametrize("reverse", [(), ("--reverse",)])
def test_a_search_is_listed_in_the_same_orders_with_its_places(home: Path, reverse: tuple[str, ...]) -> None:
    by_place = {paper["rank"]: paper["year"] for paper in answer(home, "search", "sand or dust", "--offline")["papers"]}
    arguments = ("search", "sand or dust", "--offline", "--sort", "year", *reverse)
    listed = answer(home, *arguments)["papers"]
    years = [paper["year"] for paper in listed]
    assert years == sorted(years, reverse=not reverse)
    assert {paper["rank"]: paper["year"] for paper in listed} == by_place


@pytest.mark.parametrize("verb", ["search", "refs", "cites", "similar"])
def test_an_order_that_a_list_cannot_have_is_refused_with_those_that_it_can(home: Path, verb: str) -> None:
    refused = spar(home, verb, "sand", "--sort", "saved", "--offline")
    assert refused.returncode == 2
    assert "choose from year, title, author, venue, citations" in refused.stderr
    assert "--reverse needs --sort" in spar(home, verb, "sand", "--reverse", "--offline").stderr
