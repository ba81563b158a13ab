"""Filters, orders and templates of `spar shelf`, `spar library` and the other lists, as a person types them."""

from pathlib import Path

import pytest

from cache import papers, shelf
from cache.store import Store
from tests.agents.scripted import paper
from tests.library import copied
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.tui.world import settings_at

FOUND = [
    paper("Dense passage retrieval", "10.1000/a", author="Vladimir Karpukhin", date="2020", venue="EMNLP",
          citation_count=900),
    paper("A survey of river fish", "10.1000/b", author="Ada Zebra", date="2011", venue="Rivers", citation_count=3),
    paper("Retrieval by fish", "10.1000/c", author="Stephen Müller", date="2009", venue="Foundations",
          pdf="https://example.org/c.pdf"),
]  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A library of three papers, of which the first two are saved and the second is read."""
    copied(settings_at(tmp_path / "spar").places.database, fill)
    return tmp_path


def fill(store: Store) -> None:
    numbers = papers.remember(store, FOUND)
    for number in numbers[:2]:
        shelf.put(store, [number], ["to read"] if number == numbers[0] else [])
    shelf.mark_read(store, numbers[1], True)


def titles(home: Path, verb: str, *arguments: str) -> list[str]:
    ran = spar(home, verb, "--format", "{title}", *arguments)
    assert ran.returncode == (0 if ran.stdout else 3), ran.stderr
    return ran.stdout.splitlines()


DENSE, RIVER, BY_FISH = (one.title for one in FOUND)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ([], [RIVER, DENSE]),
        (["retrieval"], [DENSE]),
        (["unread"], [DENSE]),
        (["-unread"], [RIVER]),
        (["-is:read"], [DENSE]),
        (["is:read", "fish"], [RIVER]),
        (["-fish"], [DENSE]),
        (["-passage", "-k"], [RIVER]),
        (["-passage", "-n", "1"], [RIVER]),
        (["--", "-passage", "-n"], [RIVER]),
        (["year:2015.."], [DENSE]),
        (["cited:..10"], [RIVER]),
        (['tag:"to read"'], [DENSE]),
        (["#to*"], [DENSE]),
        (["#to"], []),
        (['"river fish"'], [RIVER]),
        (["author:zebra", "--sort", "year"], [RIVER]),
        (["--sort", "citations"], [DENSE, RIVER]),
        (["--sort", "title", "--limit", "1"], [RIVER]),
        (["--sort", "year", "--reverse"], [RIVER, DENSE]),
        (["--sort", "oldest"], [RIVER, DENSE]),
        (["author:zeb"], []),
        (["author:zeb*"], [RIVER]),
        (["--", "-fish"], [DENSE]),
    ],
)
def test_the_shelf_is_narrowed_and_put_in_order(home: Path, words: list[str], left: list[str]) -> None:
    assert titles(home, "shelf", *words) == left


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["retrieval"], {DENSE, BY_FISH}),
        (["retrieval", "-is:saved"], {BY_FISH}),
        (["-retrieval"], {RIVER}),
        (["author:muller"], {BY_FISH}),
        (["is:open"], {BY_FISH}),
        (["year:..2011", "--sort", "year"], {RIVER, BY_FISH}),
        (["surveys"], {RIVER}),
    ],
)
def test_the_library_takes_the_same_terms(home: Path, words: list[str], left: set[str]) -> None:
    assert set(titles(home, "library", *words)) == left


def test_an_order_of_the_library_is_what_it_says(home: Path) -> None:
    assert titles(home, "library", "year:1900..", "--sort", "year") == [DENSE, RIVER, BY_FISH]
    assert titles(home, "library", "year:1900..", "--sort", "citations") == [DENSE, RIVER, BY_FISH]
    assert titles(home, "library", "year:1900..", "--sort", "title", "--reverse") == [BY_FISH, DENSE, RIVER]
    assert titles(home, "library", "year:1900..", "--sort", "saved") == [RIVER, DENSE, BY_FISH]
    assert "the most cited first" in spar(home, "library", "retrieval", "--sort", "citations").stderr
    assert "the most relevant first" in spar(home, "library", "retrieval").stderr
    assert "the newest found first" in spar(home, "library", "is:open").stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["shelf", "is:foo"], "is:foo is not known; is: takes open, retracted, unread, read, saved,"),
        (["shelf", "is:relevant"], "is:relevant cannot be used on the shelf"),
        (["library", "x", "is:relevant"], "is:relevant cannot be used in the library"),
        (["library", "year:soon"], "year:soon is not understood"),
        (["shelf", "--sort", "score"], "--sort: unknown order 'score'; choose from saved, year"),
        (["library", "x", "--sort", "taste"], "--sort: unknown order 'taste'; choose from relevance, saved, year"),
        (["shelf", "--limit", "0"], "--limit must be 1 or more"),
        (["shelf", "--format", "{nothing}"], "--format: unknown field {nothing}; choose from rank, key"),
        (["shelf", "--format", "{key}", "--json"], "--format and --json cannot be combined"),
        (["search", "x", "--format", "{tags}"], "--format: unknown field {tags}"),
        (["search", "x", "--format", "{title}", "--jsonl"], "--format and --jsonl cannot be combined"),
        (["history", "--format", "{title}"], "choose from run, kind, question, state, started, papers"),
        (["refs", "10.1000/a", "--format", "{x}"], "--format: unknown field {x}"),
        (["shelf", "--unknown"], "--unknown"),
    ],
)
def test_what_is_not_understood_is_one_sentence_and_exit_code_2(home: Path, arguments: list[str], said: str) -> None:
    ran = spar(home, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    [line] = ran.stderr.splitlines()
    assert line.startswith("spar: ")
    assert said in line


def test_what_was_understood_and_how_many_there_are_is_said(home: Path) -> None:
    ran = spar(home, "shelf", "fish", "-is:unread")
    assert ran.stderr == "1 paper on the shelf for fish -is:unread\n"
    assert "2 papers on the shelf; the first is listed" in spar(home, "shelf", "--limit", "1").stderr
    none = spar(home, "shelf", "zyzzyva")
    assert (none.returncode, none.stdout) == (3, "")
    assert "no papers are on the shelf for zyzzyva" in none.stderr


def test_a_key_that_the_shelf_lists_is_the_one_that_an_export_gives(home: Path) -> None:
    [line] = spar(home, "shelf", "dense", "--format", r"{key}\t{year}").stdout.splitlines()
    key, year = line.split("\t")
    assert year == "2020"
    assert f"{{{key}," in spar(home, "export", "10.1000/a", "--format", "bibtex", "--offline").stdout
    assert titles(home, "library", "dense") == [DENSE]
    assert spar(home, "library", "dense", "--format", "{key}").stdout == f"{key}\n"
    assert spar(home, "library", "fish", "-is:saved", "--format", "[{key}]").stdout == "[]\n"


def test_each_list_has_the_same_templates(home: Path) -> None:
    search = answer(home, "search", "generative adversarial networks", "--offline")
    found = search["papers"]
    lines = spar(home, "search", "--resume", "last", "--offline", "--format", r"{rank}\t{id}\t{score}")
    assert lines.stdout.splitlines() == [f"{one['rank']}\t{one['id']}\t{one['score']}" for one in found]
    near = answer(home, "similar", "arxiv:1406.2661", "--offline")["papers"]
    told = spar(home, "similar", "arxiv:1406.2661", "--offline", "--format", "{id}")
    assert told.stdout.splitlines() == [one["id"] for one in near]
    assert "papers like" in told.stderr
    [run, *_] = spar(home, "history", "--format", r"{kind}\t{question}\t{papers}").stdout.splitlines()
    assert run == f"search\tgenerative adversarial networks\t{search['counts']['kept']}"
