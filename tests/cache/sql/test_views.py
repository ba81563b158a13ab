"""What the views say is what the library's own functions say."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from cache import papers, reading_history, runs, shelf
from cache.migrations import LIBRARY
from cache.sql.reading import read_sql
from cache.sql.views import OPEN, VIEWS, described
from cache.store import PaperId, Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper, Provenance
from tests.cache.sql.conftest import NOW, made

ODD = [
    Paper("Nothing but a title"),
    Paper("With a note", described="What spar says of it.", authors=(Author("Noted", "N."),)),
    Paper("A note of earlier versions", "What the shelf says.", provenance=(Provenance("abstract", "starter"),)),
    Paper(
        "In print after all",
        "An abstract.",
        identifiers=(
            Identifier("doi", "10.1101/2020.01.02.123456"),
            Identifier("doi", "10.9999/print"),
            Identifier("arxiv", "2001.00001"),
        ),
        citation_count=0,
        authors=(Author("Ångström", "Anders"),),
    ),
]


def test_a_view_of_papers_says_of_each_paper_what_its_record_says(library: Store) -> None:
    numbers = papers.remember(library, ODD, NOW)
    _agree(library, [*map(PaperId, range(1, 21)), *numbers])


def test_a_note_of_spar_is_never_told_as_an_abstract(library: Store) -> None:
    numbers = papers.remember(library, ODD, NOW)
    for number in numbers[1:3]:
        assert _one(library, "SELECT abstract FROM papers WHERE id = ?", number) == ("",)


def test_what_is_learned_of_a_paper_later_is_in_the_view_at_once(library: Store) -> None:
    number = PaperId(5)
    changed = replace(made(5), title="Another title", citation_count=7_000, retracted=True, keywords=("new",))
    papers.correct(library, number, changed)
    _agree(library, [number])
    assert _one(library, "SELECT title, citations, retracted FROM papers WHERE id = 5") == ("Another title", 7_000, 1)


def test_two_works_that_become_one_are_one_row(library: Store) -> None:
    first, second = papers.remember(library, [Paper("One", identifiers=made(1).identifiers[:0]), Paper("Other")], NOW)
    papers.correct(library, first, Paper("One", identifiers=(Identifier("doi", "10.5/1"),)))
    papers.correct(library, second, Paper("One", identifiers=(Identifier("pmid", "555"),)))
    papers.remember(library, [Paper("One", identifiers=(Identifier("doi", "10.5/1"), Identifier("pmid", "555")))], NOW)
    assert _one(library, "SELECT count(*), min(id) FROM papers WHERE title IN ('One', 'Other')") == (1, first)


def test_a_library_of_an_earlier_version_is_told_as_a_new_one(tmp_path: Path) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    with Store.open(new) as store:
        papers.remember(store, [*map(made, range(1, 6)), *ODD], NOW)
        wanted = read_sql(store, "SELECT * FROM papers")
        columns = (
            "id, date, year, first_seen, last_seen, first_author, title_key, title, venue, authors, abstract, record"
        )
        with store.reading() as db:
            rows = db.execute(f"SELECT {columns} FROM papers").fetchall()
            names = db.execute("SELECT * FROM identifiers").fetchall()
    with closing(sqlite3.connect(old)) as db:
        LIBRARY.apply(Database(db), stop_before="0008_paper_facts")
        db.executemany(f"INSERT INTO papers ({columns}) VALUES ({', '.join('?' * 12)})", rows)
        db.executemany("INSERT INTO identifiers VALUES (?, ?, ?)", names)
        db.execute("PRAGMA user_version = 7")
        db.commit()
    with Store.open(old) as store:
        assert read_sql(store, "SELECT * FROM papers") == wanted


def test_the_shelf_is_told_as_it_is(library: Store) -> None:
    found = read_sql(library, "SELECT paper, title, read IS NOT NULL, rating, note FROM shelf ORDER BY paper").rows
    told = [
        (one.number, one.paper.title, int(one.read is not None), one.rating, one.note)
        for one in sorted(shelf.shelf(library), key=lambda one: one.number)
    ]
    assert found == told
    assert _one(library, "SELECT key FROM shelf WHERE paper = 3") == ("family2007",)


def test_tags_history_and_runs_are_told_as_they_are(library: Store) -> None:
    assert read_sql(library, "SELECT tag, count(*) FROM tags GROUP BY tag").rows == [("later", 1), ("rag", 3)]
    acts = [(one.number, one.act) for one in reading_history.interactions(library)]
    assert sorted(read_sql(library, "SELECT paper, act FROM reading").rows) == sorted(acts)
    [run] = runs.recent(library)
    assert read_sql(library, "SELECT id, kind, question, state, shown FROM runs").rows == [
        (run.id, "search", "graph networks since 2010", "finished", 3)
    ]
    assert read_sql(library, "SELECT rank, paper FROM run_papers ORDER BY rank").rows == [(1, 8), (2, 4), (3, 12)]


def test_a_paper_that_is_cited_by_two_of_its_names_is_cited_once(library: Store) -> None:
    told = [(one, 1) for one in range(2, 6)]
    assert read_sql(library, "SELECT citing, cited FROM citations ORDER BY citing").rows == told


def test_every_column_that_is_promised_is_there_with_its_meaning(library: Store) -> None:
    text = described()
    for view in VIEWS:
        assert read_sql(library, f"SELECT * FROM {view.name}").columns == tuple(one.name for one in view.columns)
    for view in OPEN:
        assert f"{view.name}: {view.meaning}" in text
        for column in view.columns:
            assert f"  {column.name}: {column.meaning}" in text
            assert "\n" not in column.meaning


@pytest.mark.parametrize("view", [view.name for view in VIEWS])
def test_the_rows_of_each_view_can_be_counted_and_left_joined(library: Store, view: str) -> None:
    many = len(read_sql(library, f"SELECT * FROM {view}").rows)
    assert _one(library, f"SELECT count(*) FROM {view}") == (many,)
    assert read_sql(library, f"SELECT EXISTS (SELECT 1 FROM {view})").rows == [(1,)]
    joined = read_sql(library, f"SELECT count(*) FROM papers p LEFT JOIN {view} v ON p.id = -1")
    assert joined.rows == [(20,)]


def _agree(store: Store, numbers: list[PaperId]) -> None:
    for number, paper in zip(numbers, papers.by_ids(store, numbers), strict=True):
        found = read_sql(store, "SELECT * FROM papers WHERE id = ?", (number,))
        told: dict[str, Any] = dict(zip(found.columns, found.rows[0], strict=True))
        del told["first_author"], told["saved"], told["first_seen"]
        assert told == {
            "id": number,
            "title": paper.title,
            "year": paper.year,
            "date": paper.date,
            "venue": paper.venue,
            "authors": "; ".join(author.name for author in paper.authors),
            "type": paper.type,
            "citations": paper.citation_count,
            "open_access": int(paper.pdf is not None),
            "retracted": int(paper.retracted),
            "language": paper.language,
            "abstract": paper.abstract,
            "doi": paper.identifier("doi"),
            "arxiv": paper.identifier("arxiv"),
            "pmid": paper.identifier("pmid"),
            "keywords": "; ".join(paper.keywords),
        }


def _one(store: Store, sql: str, *values: int) -> tuple[Any, ...]:
    [row] = read_sql(store, sql, values).rows
    return row
