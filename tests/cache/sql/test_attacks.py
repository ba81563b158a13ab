"""No statement does anything but read the views, however it is written; honest ones mean the same in any spelling.

`SPAR_SQL_MUTATIONS` says how many ways of writing are tried; a line of docs/reliability.md tries others.
"""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cache.errors import SqlRefused
from cache.sql.reading import read_sql
from cache.store import Store
from tests.cache.sql.attacks import FORBIDDEN, HONEST, otherwise, within
from tests.cache.sql.conftest import CANARY, contents

MUTATIONS = int(os.environ.get("SPAR_SQL_MUTATIONS", "300"))
CASES = Path(__file__).parents[4] / "shared" / "faults" / "bad-inputs.json"
OURS = {
    "history": "reading",
    "h.opened_at": "h.at",
    "h.paper_id": "h.paper",
    "paper_id": "paper",
    "settings": "profile",
    "SELECT value": "SELECT text",
    "group_concat(value)": "group_concat(text)",
    "scratch": "tags",
}
"""What the cases of the shared collection call differently."""


@pytest.fixture(autouse=True)
def unchanged(library: Store) -> Iterator[None]:
    """Whatever is asked, the library holds the same afterwards, and no file has come or gone."""
    folder = library.path.parent
    before, files = contents(library.path), sorted(folder.iterdir())
    yield
    assert contents(library.path) == before
    assert sorted(folder.iterdir()) == files


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_what_is_forbidden_is_refused(library: Store, statement: str) -> None:
    _refuse(library, _placed(statement, library))


def test_what_is_forbidden_is_refused_however_it_is_written(library: Store) -> None:
    chance = random.Random(20261122)
    for _ in range(MUTATIONS):
        statement = chance.choice(FORBIDDEN)
        for _ in range(chance.randrange(3)):
            statement = within(statement, chance)
        _refuse(library, _placed(otherwise(statement, chance), library))


def test_what_is_honest_means_the_same_however_it_is_written(library: Store) -> None:
    chance = random.Random(7)
    wanted = {statement: read_sql(library, statement).rows for statement in HONEST}
    for _ in range(MUTATIONS // 3):
        statement = chance.choice(HONEST)
        nested = chance.choice(("{}", "SELECT * FROM ({})", "WITH x AS ({}) SELECT * FROM x")).replace("{}", statement)
        assert read_sql(library, otherwise(nested, chance)).rows == wanted[statement], nested


def _shared(*classes: str) -> list[str]:
    if not CASES.exists():
        return []
    cases = json.loads(CASES.read_text("utf-8"))
    payloads = [case["payload"] for case in cases if case["class"] in classes]
    for theirs, ours in OURS.items():
        payloads = [payload.replace(theirs, ours) for payload in payloads]
    return payloads


needs_shared = pytest.mark.skipif(not CASES.exists(), reason="needs ../shared")


@needs_shared
def test_the_shared_cases_that_write_touch_files_or_pry_are_refused(library: Store) -> None:
    statements = _shared("sql_write", "sql_files", "sql_private")
    assert len(statements) == 28
    for statement in statements:
        _refuse(library, statement.replace("{TMP}", str(library.path.parent)))


@needs_shared
def test_the_shared_cases_that_are_honest_are_answered(library: Store) -> None:
    statements = _shared("sql_benign")
    assert len(statements) == 6
    for statement in statements:
        read_sql(library, statement)


@needs_shared
def test_the_shared_orders_that_stand_in_abstracts_are_no_questions(library: Store) -> None:
    orders = _shared("inj_sql_assistant")
    assert len(orders) == 10
    for order in orders:
        _refuse(library, order)


def _placed(statement: str, library: Store) -> str:
    return statement.replace("{folder}", str(library.path.parent)).replace("{FOLDER}", str(library.path.parent))


def _refuse(library: Store, statement: str) -> None:
    with pytest.raises(SqlRefused) as caught:  # noqa: PT012  # the message of a failure names the statement
        found = read_sql(library, statement)
        pytest.fail(f"{statement!r} was run: {found}")
    assert CANARY not in caught.value.sentence, statement
