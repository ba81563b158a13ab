"""A question with operators reaches each source as it was written, or the person is told what did not."""

import json
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from tests.services import Services
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import PATIENCE

QUESTION = "retrieval AND (dense OR sparse) NOT survey"
ALL = ("arxiv", "openalex", "semanticscholar", "pubmed", "europepmc", "crossref")


@pytest.fixture(autouse=True)
def _patient(tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text(f"source_seconds = {PATIENCE:g}\n")


def asked(services: Services) -> dict[str, list[str]]:
    """What each service was asked, decoded."""
    told: dict[str, list[str]] = {}
    for request in services.log:
        told.setdefault(request.service, []).append(unquote_plus(f"{request.target} {request.body.decode()}"))
    return told


def test_each_source_is_sent_the_operators_in_its_own_language_and_nothing_else(tmp_path: Path) -> None:
    sources = [part for name in ALL for part in ("--source", name)]
    with Services() as services:
        ran = spar(tmp_path, "search", QUESTION, *sources, "--no-refchain", "--json", more=services.environment)
        told = asked(services)
    assert "all:retrieval AND (all:dense OR all:sparse) ANDNOT all:survey" in told["arxiv"][0]
    assert "search=retrieval AND (dense OR sparse) NOT survey" in told["openalex"][0]
    assert "term=retrieval AND (dense OR sparse) NOT survey" in told["pubmed"][0]
    assert "TITLE_ABS:retrieval AND (TITLE_ABS:dense OR TITLE_ABS:sparse) NOT TITLE_ABS:survey" in told["europepmc"][0]
    searches = [request for request in told["semantic_scholar"] if "/paper/search" in request]
    assert len(searches) == 1
    assert "query=retrieval dense sparse" in searches[0]
    found = json.loads(ran.stdout)
    assert {way["query"] for paper in found["papers"] for way in paper["found_by"]} == {QUESTION}
    assert "cannot search for the whole query" in ran.stderr
    for paper in found["papers"]:
        assert "survey" not in f"{paper['title']} {paper['abstract']}".lower().split()


def test_the_log_has_what_each_source_was_sent(tmp_path: Path) -> None:
    with Services() as services:
        spar(tmp_path, "search", QUESTION, "--source", "arxiv", "--no-refchain", more=services.environment)
        log = spar(tmp_path, "log", "last", more=services.environment).stdout
    assert QUESTION in log
    assert "ANDNOT" in log


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("retrieval AND (dense OR", "A word is missing here (at character 24)"),
        ("dense OR sparse AND retrieval", "AND and OR are mixed: use parentheses to group them"),
    ],
)
def test_a_query_that_cannot_be_read_is_refused_with_its_place(question: str, sentence: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "search", question, "--offline")
    assert ran.returncode == 2
    assert sentence in ran.stderr
    lines = ran.stderr.splitlines()
    assert lines[1].strip() == question
    assert lines[2].endswith("^")


def test_a_source_is_sent_a_text_of_ones_own_as_it_stands(tmp_path: Path) -> None:
    own = "europepmc=TITLE_ABS:dense AND NOT retracted"
    with Services() as services:
        ran = spar(
            tmp_path, "search", "dense retrieval", "--source", "arxiv", "--query", own, "--no-evolution",
            "--no-refchain", "--json", more=services.environment,
        )  # fmt: skip
        told = asked(services)
    assert ran.returncode in (0, 3)
    assert len([request for request in told["europepmc"] if "/search?" in request]) == 1
    assert "(TITLE_ABS:dense AND NOT retracted)" in told["europepmc"][0]
    assert "all:dense" in told["arxiv"][0]


def test_a_source_is_given_one_text(tmp_path: Path) -> None:
    twice = ("--query", "pubmed=flu", "--query", "pubmed=measles")
    ran = spar(tmp_path, "search", "influenza", *twice, "--offline")
    assert ran.returncode == 2
    assert "--query names pubmed twice" in ran.stderr


@pytest.mark.parametrize("given", ["pubmed", "pubmed=", "nowhere=cat", "datacite=cat"])
def test_a_text_for_no_source_is_refused(given: str, tmp_path: Path) -> None:
    assert spar(tmp_path, "search", "dense retrieval", "--query", given, "--offline").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("library", "dense AND NOT sparse"), "AND and NOT are words here, not operators; all words must match"),
        (("library", "dense", "OR", "sparse"), "OR is a word here, not an operator; all words must match"),
        (("summarize", "dense AND sparse", "--offline", "--no-model"), "AND is a word here"),
        (("search", "attention not convolution", "--offline"), "“not” was searched as a word; NOT in capitals leaves"),
        (("search", "to be or not to be", "--offline"), "the question has only words that nearly every text has; add"),
    ],
)
def test_operators_that_are_not_read_are_said(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    assert sentence in spar(tmp_path, *arguments).stderr


@pytest.mark.parametrize(
    "arguments",
    [("library", '"dense AND sparse"'), ("library", "dense -sparse"), ("library", "NOT"),
     ("search", "why does attention not scale?", "--offline"), ("search", "attention NOT convolution", "--offline"),
     ("search", "attention, not by Lee", "--offline")],
)  # fmt: skip
def test_what_is_no_operator_is_not_remarked_on(arguments: tuple[str, ...], tmp_path: Path) -> None:
    told = spar(tmp_path, *arguments).stderr
    assert "word here" not in told
    assert "as a word" not in told


def test_a_source_that_can_take_no_part_of_a_query_is_told_as_not_asked(tmp_path: Path) -> None:
    with Services() as services:
        ran = spar(
            tmp_path, "search", "smog OR NOT haze", "--source", "arxiv", "--source", "semanticscholar", "--no-refchain",
            more=services.environment,
        )  # fmt: skip
        log = spar(tmp_path, "log", "last", more=services.environment).stdout
        assert "arxiv" not in asked(services)
    assert "spar: arxiv was not asked (it cannot search for any part of this query)." in ran.stderr
    assert "failed" not in ran.stderr
    assert "--source asks" not in ran.stderr
    assert "arXiv (arxiv): was not asked (it cannot search for any part of this query)" in log


def test_an_author_alone_decides_on_no_source(tmp_path: Path) -> None:
    """Which sources suit a question is told by its subject; a name has none."""
    with Services() as services:
        spar(tmp_path, "search", 'author:"Søren Bergström"', "--no-refchain", more=services.environment)
        assert {"arxiv", "openalex", "pubmed", "europepmc"} <= asked(services).keys()
