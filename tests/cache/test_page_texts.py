"""Full texts: what the pages of a saved paper's PDF say, kept as long as the shelf knows the file, and searched."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cache import fulltext, page_texts, papers, shelf
from cache.conditions.filters import parsed
from cache.conditions.scopes import LIBRARY
from cache.errors import DiskFull, NotOnShelf
from cache.page_texts import Coverage
from cache.shelf_undo import changed_by
from cache.store import PaperId, Store
from cache.taking_back import take_back
from tests.cache.conftest import make_paper

FILE = "/papers/a.pdf"
PAGES = ("We index dense passages.", "", "A zebrafish swims. State-of-the-art retrieval of naïve passages.")


def saved(store: Store, title: str = "Whales", name: str = "pmid:1", file: str = FILE, author: str = "A") -> PaperId:
    [number] = shelf.save(store, [make_paper(title, name, author=author)])
    shelf.set_files(store, number, [file])
    return number


def with_text(store: Store, *pages: str, title: str = "Whales", name: str = "pmid:1", file: str = FILE) -> PaperId:
    number = saved(store, title, name, file, author=title)
    page_texts.keep(store, number, file, b"digest", pages or PAGES)
    return number


def found(store: Store, typed: str) -> list[str]:
    return [one.title for one in fulltext.chosen(store, parsed(typed, LIBRARY))]


def shown(store: Store, number: int, typed: str) -> list[tuple[int, str]]:
    return [(one.page, one.text) for one in page_texts.passages(store, number, parsed(typed, LIBRARY))]


def rows(store: Store) -> tuple[int, int]:
    """How many texts and pages there are, after a check that the index has these pages and no others."""
    with store.writing() as db:
        db.execute("INSERT INTO page_texts_fts (page_texts_fts, rank) VALUES ('integrity-check', 1)")
        [texts] = db.execute("SELECT count(*) FROM full_texts").fetchone()
        [pages] = db.execute("SELECT count(*) FROM page_texts").fetchone()
        [indexed] = db.execute("SELECT count(*) FROM page_texts_fts WHERE page_texts_fts MATCH 'passages'").fetchone()
    assert bool(indexed) is bool(pages)
    return texts, pages


def test_what_was_kept_is_there_page_by_page(store: Store) -> None:
    number = with_text(store)
    assert page_texts.pages(store, number) == {1: PAGES[0], 3: PAGES[2]}
    assert page_texts.kept(store, number) == (FILE, b"digest", 3, 2, "")
    assert page_texts.kept(store, 999) is None


def test_a_passage_has_the_letters_of_the_page(store: Store) -> None:
    number = with_text(store, "Æsthetics of the Straße. Søren swam in Łódź’s œuvre of passages.")
    [page] = page_texts.pages(store, number).values()
    for typed in ("strasse soren", "lodz aesthetics", '"Soren swam in"'):
        [(_, text)] = shown(store, number, f"{typed} in:fulltext")
        assert text.removeprefix("… ") in page
    [passage] = page_texts.passages(store, number, parsed("strasse in:fulltext", LIBRARY))
    assert [passage.text[start:end] for start, end in passage.marks] == ["Straße"]
    assert rows(store) == (1, 1)


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("zebrafish in:fulltext", True),
        ("zebrafish", False),
        ("dense zebrafish in:fulltext", True),
        ("indexed passage in:fulltext", True),
        ("naive in:fulltext", True),
        ('"dense passages" in:fulltext', True),
        ('"dense passage" in:fulltext', False),
        ('"state of the art" in:fulltext', True),
        ('"passages a zebrafish" in:fulltext', False),
        ("zebrafish -dense in:fulltext", False),
        ("zebrafish -absent in:fulltext", True),
        ("whales in:fulltext", False),
        ("in:fulltext", True),
        ("-in:fulltext", False),
        ("whales -in:fulltext", False),
        ("?! in:fulltext", False),
        ('zebrafish" OR "x in:fulltext', False),
        ("in:fulltext year:2019..", True),
        ("in:fulltext year:2021..", False),
    ],
)
def test_words_are_looked_for_on_the_pages_of_full_texts(store: Store, typed: str, there: bool) -> None:
    with_text(store)
    papers.remember(store, [make_paper("No text", "pmid:2", author="B", year=1999)])
    assert ("Whales" in found(store, typed)) is there


def test_papers_whose_full_text_is_not_kept_are_told_by_the_negation(store: Store) -> None:
    with_text(store)
    scanned = saved(store, "Scanned", "pmid:2", "/papers/b.pdf", "B")
    page_texts.keep(store, scanned, "/papers/b.pdf", b"", (), "it is scanned")
    assert (found(store, "in:fulltext"), found(store, "-in:fulltext")) == (["Whales"], ["Scanned"])


def test_the_paper_whose_page_is_nearest_to_the_words_comes_first(store: Store) -> None:
    filler = "other words of all kinds " * 50
    with_text(store, f"{filler} passages {filler}", title="Once", name="pmid:2", file="/b.pdf")
    with_text(store, filler, "dense passages, dense passages", title="Often", name="pmid:3", file="/c.pdf")
    with_text(store, filler, title="Never", name="pmid:4", file="/d.pdf")
    assert found(store, "passages in:fulltext") == ["Often", "Once"]
    assert found(store, "dense passages in:fulltext") == ["Often"]


def test_passages_show_each_word_with_its_page(store: Store) -> None:
    number = with_text(store)
    assert shown(store, number, "index zebrafish in:fulltext") == [(1, PAGES[0]), (3, PAGES[2])]
    assert shown(store, number, '"dense passages" -zebrafish in:fulltext') == [(1, PAGES[0])]
    [passage] = page_texts.passages(store, number, parsed("retrieving in:fulltext", LIBRARY))
    assert [passage.text[slice(*mark)] for mark in passage.marks] == ["retrieval"]
    assert shown(store, number, "in:fulltext") == []


def test_passages_are_of_the_paper_that_was_asked_for(store: Store) -> None:
    first = with_text(store)
    other = with_text(store, "Other passages.", title="Other", name="pmid:2", file="/b.pdf")
    assert {page for page, _ in shown(store, first, "passages in:fulltext")} <= {1, 3}
    assert shown(store, other, "passages in:fulltext") == [(1, "Other passages.")]


def test_a_text_goes_with_the_papers_place_on_the_shelf(store: Store) -> None:
    number = with_text(store)
    assert rows(store) == (1, 2)
    shelf.unsave(store, [number])
    assert rows(store) == (0, 0)
    assert found(store, "in:fulltext") == []


def test_a_text_goes_with_the_paper(store: Store) -> None:
    with_text(store)
    with store.writing() as db:
        db.execute("DELETE FROM papers")
    assert rows(store) == (0, 0)


def test_a_text_goes_when_its_file_is_no_longer_the_papers(store: Store) -> None:
    number = with_text(store)
    shelf.set_files(store, number, ["/papers/other.pdf", FILE])
    shelf.set_note(store, number, "A note.")
    assert rows(store) == (1, 2)
    shelf.set_files(store, number, [f"{FILE}.bak", "/old/papers/a.pdf"])
    assert rows(store) == (0, 0)


def test_what_is_taken_back_of_the_shelf_leaves_no_text_of_another_file(store: Store) -> None:
    number = saved(store)
    change = changed_by(store, [number], lambda: shelf.set_files(store, number, ["/b.pdf", FILE]))
    page_texts.keep(store, number, "/b.pdf", b"", PAGES)
    take_back(store, change.recording)
    assert rows(store) == (0, 0)


def test_another_reading_takes_the_place_of_the_one_before(store: Store) -> None:
    number = with_text(store)
    page_texts.keep(store, number, FILE, b"other", ("New passages.",))
    assert rows(store) == (1, 1)
    assert found(store, "zebrafish in:fulltext") == []


def test_a_text_is_kept_only_of_a_file_that_the_shelf_knows(store: Store) -> None:
    number = saved(store)
    for paper, file in ((number, "/papers/b.pdf"), (number + 1, FILE)):
        with pytest.raises(NotOnShelf):
            page_texts.keep(store, paper, file, b"", PAGES)


def test_of_two_papers_that_become_one_the_pages_of_one_stay_and_none_are_mixed(store: Store) -> None:
    first = with_text(store, "Its passages.", title="Whales", name="pmid:5")
    second = with_text(store, *PAGES, title="Of whales", name="pmid:6", file="/b.pdf")
    with store.writing() as db:
        papers.repoint(db, second, first)
    assert page_texts.pages(store, first) == {1: "Its passages."}
    assert rows(store) == (1, 1)
    third = with_text(store, *PAGES, title="Krill", name="pmid:7", file="/c.pdf")
    [bare] = papers.remember(store, [make_paper("Krill too", "pmid:8")])
    with store.writing() as db:
        papers.repoint(db, third, bare)
    assert len(page_texts.pages(store, bare)) == 2


def test_a_disk_that_is_full_in_the_middle_leaves_what_was_kept_before(store: Store) -> None:
    number = with_text(store)
    with store.reading() as db:
        [used] = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {used + 4}")
    with pytest.raises(DiskFull):
        page_texts.keep(store, number, FILE, b"new", ["word " * 5000] * 50)
    assert page_texts.pages(store, number) == {1: PAGES[0], 3: PAGES[2]}
    assert rows(store) == (1, 2)


def test_how_much_of_the_shelf_can_be_searched_is_told(store: Store) -> None:
    assert page_texts.coverage(store) == Coverage(0, 0)
    with_text(store)
    saved(store, "Unread", "pmid:2", "/B.PDF", "B")
    saved(store, "A web page", "pmid:3", "/c.pdf.html", "C")
    scanned = saved(store, "Scanned", "pmid:4", "/d.pdf", "D")
    page_texts.keep(store, scanned, "/d.pdf", b"", (), "it is scanned")
    assert page_texts.coverage(store) == Coverage(1, 1)


def test_a_library_of_before_gets_its_place_for_texts(path: Path) -> None:
    from sqlite_utils import Database

    from cache.migrations import LIBRARY as STEPS

    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        STEPS.apply(Database(db), stop_before="0011_page_texts")
        db.execute("PRAGMA user_version = 10")
    with Store.open(path) as store:
        with_text(store)
        assert found(store, "zebrafish in:fulltext") == ["Whales"]
