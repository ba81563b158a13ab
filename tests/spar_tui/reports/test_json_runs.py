"""A kept run of every kind is one object, and one that came to nothing is no fault."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.run.kinds import KINDS
from cache import runs
from cache.errors import NoSuchRun
from cache.store import Store
from spar_tui.reports.json_runs import run_object
from tests.library import copied
from tests.spar_tui.in_process import answer


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as opened:
        yield opened


def test_a_search_is_what_its_verb_printed(tmp_path: Path) -> None:
    told = answer(tmp_path, "search", "sparse retrieval", "--offline", "--no-model")
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        found = run_object(store, told["run"])
    assert found["answer"] == told
    assert [one["id"] for one in found["papers"]] == [one["id"] for one in told["papers"]]
    assert (found["kind"], found["state"], found["question"]) == ("search", "finished", "sparse retrieval")


@pytest.mark.parametrize("kind", [*KINDS, "a kind of a later version"])
def test_a_run_that_had_not_begun_has_no_answer(store: Store, kind: str) -> None:
    found = run_object(store, runs.start(store, kind, "whales"))
    assert (found["question"], found["state"], found["answer"], found["papers"]) == ("whales", "running", None, [])


def test_a_run_that_nobody_began_is_said_to_be_none(store: Store) -> None:
    with pytest.raises(NoSuchRun):
        run_object(store, "20260101-0000-none")
