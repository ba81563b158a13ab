"""The library is searched with plain words, whatever they look like."""

import json
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cache import fulltext, papers
from cache.conditions.filters import parsed
from cache.conditions.scopes import LIBRARY
from cache.paper_json import to_json
from cache.schema import make_schema
from cache.store import PaperId, Store
from connectors.paper import Author, Paper
from tests.cache.conftest import make_paper

BAD_INPUTS = Path(__file__).parents[3] / "shared" / "faults" / "bad-inputs.json"
HOSTILE = [
    "(",
    "AND",
    "a OR",
    "NOT",
    "^x",
    "{a b}: c",
    "--help",
    "a\0b",
    "';DROP TABLE papers;--",
    "~/x",
    '"',
    "x" * 9999,
]


def _titles(store: Store, text: str, since: date | None = None, until: date | None = None) -> list[str]:
    return [paper.title for paper in fulltext.search(store, text, since, until)]


def test_words_are_found_in_every_form_and_without_their_accents(store: Store) -> None:
    papers.remember(store, [make_paper("Editing knowledge", author="Gödel"), make_paper("Whales", "pmid:1")])
    assert _titles(store, "knowledge edits") == ["Editing knowledge"]
    assert _titles(store, "godel") == ["Editing knowledge"]
    assert _titles(store, "GÖDEL's work") == ["Editing knowledge"]


@pytest.mark.parametrize(
    ("written", "asked"),
    [("Søren", "soren"), ("ØRSTED", "orsted"), ("Łukasz", "lukasz"), ("Straße", "strasse"), ("Đorđe", "dorde"),
     ("Ærø", "aero"), ("ışık", "isik"), ("Þórður", "thordur"), ("Ħal", "hal")],
)  # fmt: skip
def test_letters_with_strokes_and_joined_letters_match_however_they_are_written(
    store: Store, written: str, asked: str
) -> None:
    papers.remember(store, [make_paper(f"On {written}", "pmid:1"), make_paper("Whales", "pmid:2", author=written)])
    for typed in (asked, written, asked.upper(), written.lower()):
        assert sorted(_titles(store, typed)) == sorted([f"On {written}", "Whales"])
        assert [one.title for one in fulltext.chosen(store, parsed(f"author:{typed}", LIBRARY))] == ["Whales"]
        assert len(fulltext.chosen(store, parsed(typed, LIBRARY))) == 2
    papers.correct(store, PaperId(1), make_paper("Other", "pmid:1"))
    assert _titles(store, asked) == ["Whales"]


def test_a_library_of_before_is_indexed_anew(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        make_schema(db, 14)
        for number, family in enumerate(("sørensen", "smith"), 1):
            paper = make_paper("Straße der Wale und ihrer Lieder", f"pmid:{number}", author=family.title())
            columns = (number, family, "strasse der wale und ihrer lieder", paper.title, to_json(paper))
            db.execute(
                "INSERT INTO papers (id, first_author, title_key, title, record, authors, date, year, venue, abstract,"
                " first_seen, last_seen) VALUES (?, ?, ?, ?, ?, '[]', '2020', 2020, '', '', '', '')", columns
            )  # fmt: skip
            db.execute("INSERT INTO identifiers VALUES ('pmid', ?, ?)", (str(number), number))
    with Store.open(path) as store:
        assert len(_titles(store, "strasse")) == 2
        again = make_paper("Straße der Wale und ihrer Lieder", "doi:10.1234/w", author="Sorensen")
        assert papers.remember(store, [again]) == [1]
        with store.writing() as db:
            db.execute("INSERT INTO papers_fts (papers_fts, rank) VALUES ('integrity-check', 1)")


def test_a_word_in_the_title_counts_for_more_than_one_in_the_abstract(store: Store) -> None:
    papers.remember(
        store,
        [
            make_paper("Sea mammals", "pmid:1", abstract="On whales."),
            make_paper("On whales", "pmid:2", abstract="Sea mammals."),
        ],
    )
    assert _titles(store, "whales") == ["On whales", "Sea mammals"]


def test_a_paper_with_one_of_the_words_is_found_and_one_with_more_goes_first(store: Store) -> None:
    papers.remember(store, [make_paper("Graph colouring", "pmid:1"), make_paper("Graph rewriting systems", "pmid:2")])
    assert _titles(store, "Which studies use graph rewriting?") == ["Graph rewriting systems", "Graph colouring"]


def test_bounds_are_inclusive_and_a_date_known_in_part_counts_if_it_can_be_within(store: Store) -> None:
    dates = {"day": "2020-05-17", "month": "2020-05", "year": "2020", "later": "2021", "never": None}
    for number, (title, when) in enumerate(dates.items(), 1):
        papers.remember(store, [Paper(f"Whales {title}", "", (Author(f"A{number}"),), when)])
    within = _titles(store, "whales", since=date(2020, 5, 17), until=date(2020, 5, 17))
    assert sorted(within) == ["Whales day", "Whales month", "Whales year"]
    assert sorted(_titles(store, "whales", since=date(2020, 5, 18))) == ["Whales later", "Whales month", "Whales year"]


def test_a_changed_paper_is_found_by_its_new_words_and_not_by_the_old(store: Store) -> None:
    papers.remember(store, [make_paper("Whales", "pmid:1", abstract="Short")])
    papers.remember(store, [make_paper("Whales", "pmid:1", abstract="Considerably longer")])
    assert _titles(store, "considerably") == ["Whales"]
    assert _titles(store, "short") == []
    with store.writing() as db:
        db.execute("INSERT INTO papers_fts (papers_fts) VALUES ('integrity-check')")


def test_common_words_alone_still_find_papers(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fulltext, "POSTINGS", 30)
    papers.remember(store, [make_paper(f"Deep learning {n}", f"pmid:{n}", author=f"A{n}") for n in range(1, 60)])
    papers.remember(store, [make_paper("Learning", "pmid:99", abstract="deep")])
    assert len(_titles(store, "deep learning")) == 25


def test_words_that_say_nothing_are_used_only_when_there_are_no_others(store: Store) -> None:
    assert fulltext.words_of("Which papers are about the Whales of the sea?") == ["whales", "sea"]
    assert fulltext.words_of("What is this about?") == ["what", "is", "this", "about"]


@pytest.mark.parametrize("text", HOSTILE)
def test_the_syntax_of_the_index_is_only_words_to_it(store: Store, text: str) -> None:
    papers.remember(store, [make_paper("An ordinary paper")])
    fulltext.search(store, text)
    assert _titles(store, "ordinary " + text) == ["An ordinary paper"]


@pytest.mark.skipif(not BAD_INPUTS.exists(), reason="needs ../shared")
def test_no_known_hostile_query_breaks_a_search(store: Store) -> None:
    papers.remember(store, [make_paper("An ordinary paper")])
    found = json.loads(BAD_INPUTS.read_text(encoding="utf-8"))
    cases = [case for case in found if case["class"] == "fts_query"]
    assert cases
    for case in cases:
        assert _titles(store, f"ordinary {case['payload']}") == ["An ordinary paper"]


@settings(max_examples=2 * settings().max_examples)
@given(text=st.text(st.characters(), max_size=40))
def test_any_text_at_all_can_be_searched_for(store: Store, text: str) -> None:
    fulltext.search(store, text)
