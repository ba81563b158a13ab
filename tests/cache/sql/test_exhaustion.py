"""A query that would take for ever, or all memory, is stopped before it takes 200 MiB: each in its own process."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cache import papers
from cache.sql.facts import complete
from cache.store import Store
from tests.cache.sql.conftest import made
from tests.cache.sql.test_attacks import _shared, needs_shared

if not Path("/proc/self/status").exists():
    pytest.skip("needs a measure of memory", allow_module_level=True)

ROOT = Path(__file__).parents[3]
MEBIBYTES, ROWS, BYTES = 200, 200, 200_000

_ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
_LONG = "WITH RECURSIVE c(s, n) AS (SELECT 'aaaaaaaa', 1 UNION ALL SELECT s || s, n + 1 FROM c WHERE n < 13) "
_DEEP = range(1, 40)
_DOUBLED = "a0(x) AS (SELECT 1)" + "".join(f", a{n}(x) AS (SELECT 1 FROM a{n - 1}, a{n - 1} b)" for n in _DEEP)
STOPPED: dict[str, str] = {
    "an endless recursion that grows": "WITH RECURSIVE"
    " c(x, s) AS (SELECT 1, 'a' UNION SELECT x + 1, s || 'aaaaaaaaaaaa' FROM c) SELECT count(*) FROM c",
    "four tables crossed": "SELECT count(*) FROM papers a, papers b, papers c, papers d",
    "a joined text": "SELECT group_concat(a.abstract || b.abstract || c.abstract) FROM papers a, papers b, papers c",
    "named twice each, forty deep": f"WITH {_DOUBLED} SELECT 1 FROM a39",
    "a place looked for in what is alike": _LONG
    + "SELECT "
    + "+".join(f"instr(s, substr(s, 1, length(s) / 2) || 'b{n}')" for n in range(90))
    + " FROM c, papers WHERE n = 13",
    "many patterns": _LONG
    + "SELECT "
    + "+".join(f"(s LIKE '%{'a' * 90}b{n}%')" for n in range(60))
    + " FROM c WHERE n = 13",
    "nine hundred million letters": "SELECT printf('%.*c', 900000000, 'x')",
    "thousands of brackets": f"SELECT {'(' * 3000}1{')' * 3000}",
    "a query of a megabyte": f"SELECT {'1 + ' * 250_000}1",
}
BOUNDED = {
    "all pairs": "SELECT * FROM papers a, papers b",
    "sixty tables": f"SELECT 1 FROM {', '.join(f'papers p{n}' for n in range(60))}",
    "long texts kept": _LONG
    + ", d(s) AS MATERIALIZED (SELECT s FROM c WHERE n = 13) SELECT * FROM "
    + ", ".join(f"(SELECT s || '{n}' AS x{n} FROM d)" for n in range(60)),
    "patterns over all": "SELECT count(*) FROM papers WHERE abstract LIKE '%a%e%i%o%u%a%e%i%o%u%zzz%'",
    "thirty patterns": _LONG
    + "SELECT "
    + "+".join(f"(s LIKE '%{'a' * 90}b{n}%')" for n in range(30))
    + " FROM c WHERE n = 13",
    "words of any kind": "SELECT rowid FROM papers_fts"
    " WHERE papers_fts MATCH 'a* OR b* OR c* OR s* OR t*' ORDER BY rank",
}

_CHILD = """
import json, re, sys, time
from pathlib import Path
from cache.errors import SqlRefused
from cache.sql.reading import read_sql
sql = sys.stdin.read()
start = time.perf_counter()
try:
    found = read_sql(Path(sys.argv[1]), sql)
    told = {"rows": len(found.rows), "bytes": len(repr(found.rows)), "cut": found.cut}
except SqlRefused as refused:
    told = {"refused": refused.sentence}
told["seconds"] = time.perf_counter() - start
# What the system counts for a process can be what its parent held when it was forked.
told["mebibytes"] = int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 2**10
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A library of 600 papers with abstracts of two thousand letters."""
    path = tmp_path_factory.mktemp("large") / "library.db"
    with Store.open(path) as store:
        fill_large(store)
        yield path


def fill_large(store: Store) -> None:
    found = (
        replace(made(1 + n % 15), title=f"Paper {n}", abstract=f"{n} words " * 200, identifiers=(), references=())
        for n in range(600)
    )
    papers.remember(store, found)
    complete(store)


@pytest.mark.parametrize("name", STOPPED)
def test_what_takes_too_much_is_stopped(large: Path, name: str) -> None:
    told = _measured(large, STOPPED[name])
    assert "The query was" in told["refused"]


@pytest.mark.parametrize("name", BOUNDED)
def test_what_is_large_stays_within_its_bounds(large: Path, name: str) -> None:
    _measured(large, BOUNDED[name])


def test_what_is_stopped_says_so_and_what_to_do(large: Path) -> None:
    assert _measured(large, _ENDLESS)["refused"] == (
        "The query was stopped: it took longer than 1 s. Ask for less: fewer tables, a narrower WHERE, a LIMIT."
    )


@needs_shared
def test_the_shared_cases_of_exhaustion_are_stopped(large: Path) -> None:
    statements = _shared("sql_exhaust")
    assert len(statements) == 6
    for statement in statements:
        _measured(large, statement)


def asked(path: Path, sql: str) -> dict[str, Any]:
    """What a process of its own says of a query: its rows or its refusal, its seconds and its memory."""
    command = [sys.executable, "-c", _CHILD, str(path)]
    ran = subprocess.run(command, cwd=ROOT, input=sql, capture_output=True, text=True, check=True, timeout=60)
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def _measured(path: Path, sql: str) -> dict[str, Any]:
    told = asked(path, sql)
    assert told["mebibytes"] < MEBIBYTES, (sql[:200], told)
    assert told.get("rows", 0) <= ROWS
    assert told.get("bytes", 0) <= 2 * BYTES  # as Python writes them, with quotes and brackets
    return told
