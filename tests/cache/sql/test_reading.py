"""The door for SQL: honest questions are answered, all else is refused in a sentence that says why and what is open."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cache import papers, shelf
from cache.errors import CacheError, SqlRefused, Vanished
from cache.sql.reading import SqlBounds, read_sql
from cache.sql.views import VIEWS
from cache.store import Store
from connectors.paper import Paper
from tests.cache.sql.conftest import CANARY, NOW, contents

HONEST: dict[str, Sequence[tuple[Any, ...]]] = {
    "SELECT count(*) FROM papers": [(20,)],
    "select COUNT(*) from Papers;": [(20,)],
    "SELECT id FROM papers WHERE year >= 2022 AND citations > 180": [(19,)],
    "SELECT id FROM papers WHERE citations IS NULL": [(20,)],
    "SELECT id FROM papers WHERE meets(id, 'author:family3 type:preprint')": [(8,), (18,)],
    "SELECT count(*) FROM papers WHERE meets(id, 'venue:nature') AND NOT meets(id, '-venue:nature')": [(10,)],
    "SELECT sum(meets(id, 'cited:181..') OR meets(id, 'is:retracted')) FROM papers WHERE id IN (7, 19)": [(2,)],
    "SELECT title FROM papers WHERE id = 7 AND retracted": [("Study 7 of retrieval of papers",)],
    "SELECT id, citations FROM papers ORDER BY citations DESC LIMIT 2": [(19, 190), (18, 180)],
    "SELECT id FROM papers WHERE doi = '10.1000/3'": [(3,)],
    "SELECT id FROM papers WHERE pmid = '4'": [(4,)],
    "SELECT count(*) FROM papers WHERE open_access": [(5,)],
    "SELECT venue, count(*) AS many FROM papers GROUP BY venue HAVING many > 1 ORDER BY venue": [
        ("Nature", 10),
        ("arXiv", 10),
    ],
    "SELECT year / 10 * 10 AS decade, count(*) FROM papers GROUP BY decade ORDER BY decade": [
        (2000, 5),
        (2010, 10),
        (2020, 5),
    ],
    "SELECT count(DISTINCT first_author) FROM papers": [(5,)],
    "SELECT id FROM papers WHERE authors LIKE '%family3%' AND type = 'preprint'": [(8,), (18,)],
    "SELECT min(year), max(year), round(avg(citations), 1), sum(citations) FROM papers": [(2005, 2024, 100.0, 1900)],
    "SELECT p.id FROM papers_fts f JOIN papers p ON p.id = f.rowid WHERE papers_fts MATCH 'vitamin' AND year > 2020": [
        (18,)
    ],
    "SELECT count(*) FROM papers_fts WHERE papers_fts MATCH 'graph AND networks'": [(5,)],
    "SELECT rowid FROM papers_fts('title : rewriting') ORDER BY bm25(papers_fts, 4, 1), rowid LIMIT 1": [(1,)],
    "SELECT rowid > 0 FROM papers_fts WHERE papers_fts MATCH 'vit*' ORDER BY rank LIMIT 1": [(1,)],
    "SELECT count(*) FROM papers_fts": [(20,)],
    "SELECT title FROM shelf WHERE read IS NULL AND rating = 1": [("Study 3 of retrieval of papers",)],
    "SELECT note, key FROM shelf WHERE note != ''": [("Ask about\nthe third figure.", "family2007")],
    "SELECT s.paper, t.tag FROM shelf s LEFT JOIN tags t ON t.paper = s.paper WHERE s.paper > 3 ORDER BY 1": [
        (4, "later"),
        (5, None),
        (6, None),
    ],
    "SELECT count(*) FROM shelf WHERE paper IN (SELECT paper FROM tags WHERE tag = 'RAG')": [(3,)],
    "SELECT count(*) FROM papers WHERE id NOT IN (SELECT paper FROM reading)": [(13,)],
    "SELECT p.title, r.at FROM papers p JOIN reading r ON r.paper = p.id WHERE r.act = 'opened'": [
        ("Study 9 of query rewriting", "2026-11-20T09:00:00.000000Z")
    ],
    "SELECT question FROM runs WHERE kind = 'search' AND started >= date('2026-11-13')": [
        ("graph networks since 2010",)
    ],
    "SELECT p.id FROM run_papers e JOIN papers p ON p.id = e.paper WHERE e.rank = 1": [(8,)],
    "SELECT c.citing FROM citations c WHERE c.cited = 1 ORDER BY c.citing DESC LIMIT 1": [(5,)],
    "WITH cited AS (SELECT cited AS id, count(*) AS n FROM citations GROUP BY cited) SELECT * FROM cited": [(1, 4)],
    "WITH RECURSIVE chain(id) AS (SELECT 5 UNION SELECT cited FROM citations JOIN chain ON citing = id)"
    " SELECT id FROM chain": [(5,), (1,)],
    "WITH recent AS (SELECT id FROM papers WHERE year > 2020) SELECT count(*) FROM recent": [(4,)],
    "SELECT id, row_number() OVER (ORDER BY citations DESC) AS place FROM papers WHERE saved LIMIT 1": [(6, 1)],
    "-- the unread ones\nSELECT count(*) /* of them */ FROM shelf WHERE read IS NULL": [(4,)],
    "SELECT 'drop table; delete' AS words FROM papers LIMIT 1": [("drop table; delete",)],
    "SELECT id FROM papers WHERE saved AND id > 4 UNION SELECT paper FROM run_papers WHERE paper < 8 ORDER BY 1": [
        (4,),
        (5,),
        (6,),
    ],
    "VALUES (1), (2)": [(1,), (2,)],
    "SELECT upper(substr(title, 1, 5)), instr(title, 'of'), trim('xax', 'x') FROM papers WHERE id = 1": [
        ("STUDY", 9, "a")
    ],
    "SELECT CASE WHEN read IS NULL THEN 'unread' ELSE 'read' END AS state, count(*) FROM shelf GROUP BY 1": [
        ("read", 2),
        ("unread", 4),
    ],
    "SELECT group_concat(tag, ', ') FROM (SELECT DISTINCT tag FROM tags WHERE tag = 'later')": [("later",)],
}


@pytest.mark.parametrize("sql", HONEST)
def test_an_honest_question_is_answered(library: Store, sql: str) -> None:
    assert read_sql(library, sql).rows == HONEST[sql]


def test_values_are_bound_by_place_and_by_name(library: Store) -> None:
    assert read_sql(library, "SELECT id FROM papers WHERE year = ?", (2010,)).rows == [(6,)]
    assert read_sql(library, "SELECT id FROM papers WHERE year = :year", {"year": 2010}).rows == [(6,)]


def test_every_table_of_the_file_is_closed_unless_it_is_listed(library: Store) -> None:
    with library.writing() as db:
        db.execute("CREATE TABLE of_tomorrow (secret TEXT)")
    with library.reading() as db:
        stored = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        columns = {name: [row[1] for row in db.execute(f"PRAGMA table_info('{name}')")] for name in stored}
    views = {view.name: {column.name for column in view.columns} for view in VIEWS}
    assert {"of_tomorrow", "model_replies", "answers", "papers_fts_data"} <= set(stored)
    for name in ["sqlite_master", "sqlite_schema", "sqlite_sequence", "sqlite_temp_master", *stored]:
        _refused(library, f"SELECT * FROM main.{name}")
        _refused(library, f"SELECT count(*) FROM main.{name}")
        _refused(library, f'WITH papers AS (SELECT * FROM main."{name}") SELECT * FROM papers')
        if name not in views and name != "papers_fts":
            _refused(library, f"SELECT count(*) FROM {name}")
            _refused(library, f"SELECT 1 FROM papers, {name.upper()}")
            _refused(library, f"SELECT EXISTS (SELECT 1 FROM {name})")
        for column in columns.get(name, ()):
            open_ = column in views.get(name, ()) or (name, column) == ("papers_fts", "rank")
            if not open_:
                _refused(library, f'SELECT "{name}"."{column}" FROM {name}')
            if name != "papers_fts":
                _refused(library, f'SELECT max("{column}") FROM main.{name}')


@pytest.mark.parametrize("view", [view.name for view in VIEWS])
@pytest.mark.parametrize("secret", ["model_replies", "runs", "papers", "answers"])
def test_a_name_that_a_query_gives_opens_nothing(library: Store, view: str, secret: str) -> None:
    """SQLite tells the authorizer such a name as if it were the view's."""
    for form in (
        f"WITH {view} AS (SELECT * FROM main.{secret}) SELECT * FROM {view}",
        f'WITH "{view}"(a) AS (SELECT rowid FROM main.{secret}) SELECT a FROM {view}',
        f"SELECT * FROM (WITH {view} AS (SELECT * FROM main.{secret}) SELECT * FROM {view}) AS {view}",
        f"SELECT * FROM (SELECT * FROM main.{secret}) AS {view}",
    ):
        _refused(library, form)


@pytest.mark.parametrize(
    "sql",
    [
        "EXPLAIN SELECT * FROM papers",
        "explain query plan SELECT 1",
        "/* */ EXPLAIN SELECT 1",
        "SELECT rowid FROM papers",
        "SELECT title FROM papers_fts",
        "SELECT snippet(papers_fts, 1, '', '', '', 64) FROM papers_fts('graph')",
        "SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'graph' AND rank MATCH 'highlight(1)' ORDER BY rank",
        "SELECT * FROM json_each('[1]')",
        "SELECT json_extract('[1]', '$')",
        "SELECT * FROM dbstat",
        "SELECT * FROM pragma_table_list",
        "SELECT * FROM generate_series(1, 5)",
        "SELECT printf('%d', 1)",
        "SELECT zeroblob(9)",
        "SELECT is_preprint_doi('10.1/x')",
        "SELECT sqlite_version()",
        "SELECT last_insert_rowid()",
        "SELECT 1; SELECT 2",
        "SELECT",
        "SELECT nought FROM papers",
        "SELECT * FROM papers WHERE",
        "SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'AND AND'",
        "SELECT 1 WHERE 1 = ?",
        "SELECT '\0'",
        "SELECT '\ud800'",
        "",
        "   ",
        "-- nothing",
        ";",
        "\ufeffEXPLAIN SELECT 1",
        "hello",
    ],
)
def test_what_is_no_question_over_the_views_is_refused_in_a_sentence(library: Store, sql: str) -> None:
    sentence = _refused(library, sql)
    assert sentence.startswith("The query was not run: ")
    assert "Only reading is allowed: one SELECT over papers, shelf, tags" in sentence
    assert sentence.isprintable()


def test_a_refusal_says_what_was_not_open(library: Store) -> None:
    assert "model_replies.answer is not allowed" in _refused(library, "SELECT answer FROM model_replies")
    assert "the function load_extension() is not allowed" in _refused(library, "SELECT load_extension('x')")
    assert "it would do more than read" in _refused(library, "SELECT * FROM pragma_database_list")
    assert "it is not a SELECT" in _refused(library, "DELETE FROM papers")
    assert "no such column: nought" in _refused(library, "SELECT nought FROM papers")


def test_no_inner_name_is_told_in_a_refusal(library: Store) -> None:
    for sql in ("SELECT x FROM papers", "SELECT papers.x FROM papers JOIN shelf", "SELECT title FROM papers, shelf"):
        assert "_" not in _refused(library, sql).partition("Only reading")[0]


def test_200_rows_come_and_a_mark_that_there_were_more(library: Store) -> None:
    found = read_sql(library, "SELECT a.id FROM papers a, papers b")
    assert (len(found.rows), found.cut) == (200, True)
    exactly = read_sql(library, "SELECT a.id FROM papers a, papers b LIMIT 200")
    assert (len(exactly.rows), exactly.cut) == (200, False)


def test_200_kilobytes_come_and_a_mark_that_there_were_more(library: Store) -> None:
    shelf.set_note(library, 4, "x" * 50_000)
    found = read_sql(library, "SELECT note FROM shelf, papers WHERE paper = 4")
    assert (len(found.rows), found.cut) == (4, True)
    assert read_sql(library, "SELECT note || note FROM shelf WHERE paper = 4").rows == [("x" * 100_000,)]


def test_our_own_code_gets_as_many_rows_as_it_says(library: Store) -> None:
    found = read_sql(library, "SELECT a.id FROM papers a, papers b", bounds=SqlBounds(rows=1_000))
    assert (len(found.rows), found.cut) == (400, False)
    assert len(read_sql(library, "SELECT id FROM papers", bounds=SqlBounds(rows=3)).rows) == 3


def test_answers_are_plain_values_that_can_be_shown(library: Store) -> None:
    with library.writing() as db:
        db.execute("UPDATE shelf SET note = ?", ("a\x1b[31mred\x07\nnext\u202eline",))
    assert read_sql(library, "SELECT note FROM shelf LIMIT 1").rows == [("a[31mred\nnextline",)]
    found = read_sql(library, "SELECT 9e999, CAST('abc' AS BLOB), CAST(x'ff' AS TEXT), NULL, 1 AS 'a\x1b[1m'")
    assert found.rows == [(None, "abc", "\ufffd", None, 1)]
    assert found.columns[-1] == "a[1m"
    json.dumps(found, allow_nan=False)


def test_text_in_a_library_is_data_whatever_it_says(library: Store) -> None:
    [number] = papers.remember(library, [Paper("'; DROP TABLE papers; --", "SELECT value FROM settings")], NOW)
    assert read_sql(library, "SELECT title FROM papers WHERE title = ?", ("'; DROP TABLE papers; --",)).rows
    assert read_sql(library, "SELECT abstract FROM papers WHERE id = ?", (number,)).rows == [
        ("SELECT value FROM settings",)
    ]


def test_two_threads_ask_at_once(library: Store) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: read_sql(library, "SELECT count(*) FROM papers").rows, range(40)))
    assert found == [[(20,)]] * 40


def test_a_library_that_is_being_written_is_read_as_it_was(library: Store) -> None:
    with library.writing() as db:
        db.execute("DELETE FROM shelf")
        assert read_sql(library, "SELECT count(*) FROM shelf").rows == [(6,)]
    assert read_sql(library, "SELECT count(*) FROM shelf").rows == [(0,)]


def test_an_empty_library_has_no_rows(tmp_path: Path) -> None:
    with Store.open(tmp_path / "library.db") as store:
        for view in VIEWS:
            assert read_sql(store, f"SELECT * FROM {view.name}").rows == []
        assert read_sql(store, "SELECT rowid FROM papers_fts('x') ORDER BY rank").rows == []


def test_a_path_is_as_good_as_an_open_library(library: Store) -> None:
    assert read_sql(library.path, "SELECT count(*) FROM papers").rows == [(20,)]


def test_a_library_that_is_gone_is_said_to_be_gone_and_not_made_anew(library: Store) -> None:
    library.path.unlink()
    with pytest.raises(Vanished):
        read_sql(library, "SELECT 1")
    assert not library.path.exists()


def test_a_damaged_library_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    path.write_bytes(b"no database" * 1_000)
    with pytest.raises(CacheError, match="damaged"):
        read_sql(path, "SELECT 1")


def test_asking_changes_nothing(library: Store) -> None:
    before, files = contents(library.path), sorted(library.path.parent.iterdir())
    for sql in HONEST:
        read_sql(library, sql)
    assert contents(library.path) == before
    assert sorted(library.path.parent.iterdir()) == files


def test_the_door_is_light() -> None:
    code = "import sys, cache.sql.reading; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "sqlite_utils", "rapidfuzz", "pydantic", "httpx", "lxml", "agents", "textual", "asyncio"}
    assert not heavy & set(loaded)


def _refused(store: Store, sql: str) -> str:
    with pytest.raises(SqlRefused) as caught:
        read_sql(store, sql)
    assert CANARY not in caught.value.sentence
    return caught.value.sentence


def test_sqlite_here_tells_a_named_expression_as_if_it_were_a_view() -> None:
    """The reason for the inner views, kept in sight."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE secret (word)")
    told: list[tuple[Any, ...]] = []

    def allow(*what: Any) -> int:
        told.append(what)
        return sqlite3.SQLITE_OK

    db.set_authorizer(allow)
    db.execute("WITH papers AS (SELECT word FROM secret) SELECT * FROM papers")
    db.set_authorizer(None)
    db.close()
    assert (sqlite3.SQLITE_READ, "secret", "word", "main", "papers") in told
