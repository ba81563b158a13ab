"""Line 7: what SQL of a model or a person can do: statements that must never do what they say, and honest queries."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from cache.errors import SqlRefused
from cache.sql.facts import complete
from cache.sql.reading import read_sql
from cache.store import Store
from tests.cache.sql.attacks import FORBIDDEN, HONEST, otherwise, within
from tests.cache.sql.conftest import CANARY, contents, fill
from tests.cache.sql.test_attacks import _shared as shared_cases
from tests.cache.sql.test_exhaustion import BOUNDED, STOPPED, asked, fill_large
from tests.reliability.line import Figure, Line, Trial, harm

MORE = (
    "SELECT count(*) FROM papers",
    "SELECT title FROM papers ORDER BY year DESC LIMIT 5",
    "SELECT venue, count(*) FROM papers GROUP BY venue HAVING count(*) > 1",
    "SELECT DISTINCT first_author FROM papers ORDER BY 1",
    "SELECT avg(citations), max(citations) FROM papers",
    "SELECT title FROM papers WHERE abstract LIKE '%ways%' LIMIT 3",
    "SELECT title FROM papers WHERE open_access = 1 AND retracted = 0",
    "SELECT doi FROM papers WHERE doi IS NOT NULL",
    "SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY 2 DESC",
    "SELECT s.title, group_concat(t.tag, ', ') FROM shelf s JOIN tags t USING (paper) GROUP BY s.paper",
    "SELECT act, count(*) FROM reading GROUP BY act",
    "SELECT date(at), count(*) FROM reading GROUP BY 1",
    "SELECT question, state FROM runs ORDER BY started DESC",
    "SELECT key FROM shelf WHERE key IS NOT NULL",
    "SELECT note FROM shelf WHERE note <> ''",
    "SELECT rank() OVER (ORDER BY citations DESC), title FROM papers LIMIT 10",
    "SELECT year, sum(count(*)) OVER (ORDER BY year) FROM papers GROUP BY year",
    "WITH old AS (SELECT * FROM papers WHERE year < 2015) SELECT count(*) FROM old",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT sum(x) FROM n",
    "SELECT title FROM papers WHERE id IN (SELECT paper FROM shelf)",
    "SELECT CASE WHEN year > 2015 THEN 'new' ELSE 'old' END, count(*) FROM papers GROUP BY 1",
    "SELECT substr(title, 1, 20), length(abstract) FROM papers LIMIT 4",
    "SELECT year / 10 * 10 AS decade, count(*) FROM papers GROUP BY decade",
    "SELECT title FROM papers WHERE title LIKE 'Study%' EXCEPT SELECT title FROM shelf",
    "SELECT coalesce(citations, 0) FROM papers ORDER BY 1 LIMIT 200",
)
QUERIES = (*HONEST, *MORE)


def measure(trial: Trial) -> Line:
    mutations = trial.many(300, 10_000)
    folder = trial.folder / "library"
    with Store.open(folder / "library.db") as store:
        fill(store)
        complete(store)
        before, files = contents(store.path), sorted(folder.iterdir())
        run = [statement for statement in attacks(trial, mutations, folder) if runs(store, statement)]
        honest = sum(runs(store, query) for query in QUERIES)
        changed = (contents(store.path) != before) + (sorted(folder.iterdir()) != files)
        plain = run_plainly(store.path, trial.folder / "plain")
    figures = [
        Figure("forbidden statements that ran or revealed a secret", len(run)),
        Figure("changes to the library or its folder", changed),
        Figure("legitimate queries that ran", honest, len(QUERIES), least=True),
    ]
    greedy = (*STOPPED.values(), *BOUNDED.values(), *shared_cases("sql_exhaust")) if trial.full else ()
    if greedy:
        figures += exhaustion(trial, greedy)
    return Line(
        7, "SQL", f"{len(FORBIDDEN)} forbidden statements, the cases of a shared collection, and {mutations:,} "
        f"rewritten forms of them; {len(QUERIES)} legitimate queries; {len(greedy)} queries that would run forever or "
        "use all memory",
        tuple(figures),
        (harm("forbidden statements that run on a read-only connection with query_only", plain),),
        tests=("tests/cache/sql/test_attacks.py", "tests/cache/sql/test_exhaustion.py"),
    )  # fmt: skip


def attacks(trial: Trial, mutations: int, folder: Path) -> list[str]:
    dice = trial.dice
    shared = shared_cases("sql_write", "sql_files", "sql_private", "inj_sql_assistant")
    statements = [*_placed(FORBIDDEN, folder), *(one.replace("{TMP}", str(folder)) for one in shared)]
    for _ in range(mutations):
        statement = dice.choice(FORBIDDEN)
        for _ in range(dice.randrange(3)):
            statement = within(statement, dice)
        statements += _placed([otherwise(statement, dice)], folder)
    return statements


def _placed(statements: Sequence[str], folder: Path) -> list[str]:
    return [one.replace("{folder}", str(folder)).replace("{FOLDER}", str(folder)) for one in statements]


def runs(store: Store, statement: str) -> bool:
    """Whether the door lets the statement through, or its refusal tells what it must not."""
    try:
        read_sql(store, statement)
    except SqlRefused as refused:
        return CANARY in refused.sentence
    return True


def run_plainly(path: Path, folder: Path) -> int:
    """How many of the forbidden statements run on a copy that is merely opened for reading."""
    folder.mkdir()
    copy, run = folder / "library.db", 0
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(copy)) as target:
        db.backup(target)
    for statement in _placed(FORBIDDEN, folder):
        with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True, isolation_level=None)) as db:
            db.execute("PRAGMA query_only = 1")
            with suppress(sqlite3.Error, sqlite3.Warning):
                db.execute(statement).fetchall()
                run += 1
    return run


def exhaustion(trial: Trial, greedy: Sequence[str]) -> list[Figure]:
    path = trial.folder / "large.db"
    with Store.open(path) as store:
        fill_large(store)
    told = [asked(path, query) for query in greedy]
    return [
        Figure("longest time of a query", round(max(one["seconds"] for one in told), 2), 2, unit=" s"),
        Figure("most memory of a query", round(max(one["mebibytes"] for one in told)), 200, unit=" MiB"),
        Figure("most rows returned", max(one.get("rows", 0) for one in told), 200),
    ]
