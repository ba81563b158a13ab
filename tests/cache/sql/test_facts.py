"""What SQL reads of papers is made when it is asked for, and is never older than the papers."""

from dataclasses import replace

import pytest

from cache import papers
from cache.errors import SqlRefused
from cache.sql.facts import complete
from cache.sql.reading import SqlBounds, read_sql
from cache.store import Store
from tests.cache.sql.conftest import NOW, made


def _kept(store: Store) -> int:
    with store.reading() as db:
        return int(db.execute("SELECT count(*) FROM paper_facts").fetchone()[0])


def test_keeping_papers_does_not_wait_for_what_sql_may_ask(library: Store) -> None:
    kept = _kept(library)
    papers.remember(library, map(made, range(100, 150)), NOW)
    assert _kept(library) == kept


def test_papers_that_came_since_are_there_when_sql_is_asked_next(library: Store) -> None:
    assert read_sql(library, "SELECT count(*) FROM papers").rows == [(20,)]
    papers.remember(library, map(made, range(100, 150)), NOW)
    assert read_sql(library, "SELECT count(*) FROM papers").rows == [(70,)]


def test_a_query_waits_for_new_papers_no_longer_than_for_itself(library: Store) -> None:
    papers.remember(library, map(made, range(100, 150)), NOW)
    with pytest.raises(SqlRefused, match="ask again"):
        read_sql(library, "SELECT count(*) FROM papers", bounds=SqlBounds(seconds=-1))
    assert complete(library)
    assert _kept(library) == 70


def test_a_paper_that_changed_is_read_as_it_is_now(library: Store) -> None:
    papers.remember(library, [replace(made(7), citation_count=987_654)], NOW)
    assert read_sql(library, "SELECT citations FROM papers WHERE id = 7").rows == [(987_654,)]
