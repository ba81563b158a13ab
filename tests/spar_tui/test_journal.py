"""Whatever changes papers can be taken back: every table is then as it was, row by row."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.tools.merging import merge_papers, take_apart
from agents.tools.shelf_actions import give_key
from cache import citation_keys, corrections, journal, papers, shelf
from cache.journal import as_one_step, recorded
from cache.paper_rows import DERIVED, referring
from cache.store import Store
from cache.taking_back import take_back_last
from connectors.paper import Paper
from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.shelving import put_on_shelf
from tests.cache.conftest import make_paper
from tests.cache.conftest import path as path
from tests.cache.conftest import store as store
from tests.library import copied

ENGINES = make_paper("Engines", "10.1000/a", abstract="Of engines.")
WHALES = make_paper("Whales", "pmid:2", author="Melville")
FILE = """@article{whale51, title={Whales}, author={Melville, H}, year={2020}, pmid={2}, note={Long.}, keywords={sea}}
@book{new99, title={A New Book}, author={Roe, Ann}, year={1999}}
@article{dup, title={Engines}, author={Lovelace, Ada}, year={2020}, doi={10.1000/a}}
"""


def every_row(store: Store) -> dict[str, list[str]]:
    """All rows about papers, but when a paper was seen last."""
    with store.reading() as db:
        names = sorted({table for table, _ in referring(db)} - DERIVED)
        rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}
        rows["citation_keys"] = db.execute("SELECT rowid, * FROM citation_keys").fetchall()
        rows["papers"] = db.execute(
            "SELECT id, first_seen, first_author, title, abstract, record FROM papers"
        ).fetchall()
    return {name: sorted(map(repr, some)) for name, some in rows.items()}


def imported(store: Store) -> object:
    return put_on_shelf(store, found_in(FILE, "refs.bib").entries, Path("/refs"), ["imported"])


def keyed(key: str) -> Callable[[Store], object]:
    return lambda store: give_key(store, ENGINES, key) if papers.number_of(store, ENGINES) else None


def edited(store: Store) -> object:
    number = papers.number_of(store, ENGINES)
    assert number
    return corrections.correct(store, number, {"title": "Motors", "doi": "10.1000/motors"})


CHANGES: Sequence[Callable[[Store], object]] = (
    edited,
    lambda store: corrections.take_back(store, papers.number_of(store, ENGINES) or 0),  # type: ignore[arg-type]
    keyed("mine"),
    lambda store: merge_papers(store, ENGINES, WHALES),
    lambda store: take_apart(store, ENGINES),
    imported,
)


@given(st.lists(st.integers(0, len(CHANGES) - 1), max_size=6))
def test_whatever_was_done_taken_back_step_by_step_leaves_what_was_there(
    tmp_path_factory: pytest.TempPathFactory, done: list[int]
) -> None:
    with Store.open(copied(tmp_path_factory.mktemp("journal") / "library.db")) as store:
        first, _ = shelf.save(store, [ENGINES, WHALES], ["old"], datetime(2026, 11, 21, tzinfo=UTC))
        shelf.set_note(store, first, "Mine.")
        citation_keys.keep(store, first, "lovelace20")
        stood = [every_row(store)]
        for place in done:
            CHANGES[place](store)
            now = every_row(store)
            stood += [now] if now != stood[-1] else []
        while len(stood) > 1:
            assert every_row(store) == stood.pop()
            step = take_back_last(store)
            assert step is not None
            assert step.back == step.rows.keys()
        assert every_row(store) == stood.pop()
        assert take_back_last(store) is None


def test_what_a_source_told_since_stays_with_the_papers_that_a_merge_had_joined(store: Store) -> None:
    first, second = papers.remember(store, [ENGINES, WHALES])
    merge_papers(store, ENGINES, WHALES)
    papers.remember(store, [replace(WHALES, citation_count=7)])
    step = take_back_last(store)
    assert step is not None
    assert step.back == {first, second}
    engines, whales = papers.by_ids(store, [first, second])
    assert engines == replace(ENGINES, citation_count=7)
    assert whales == WHALES


def test_what_the_person_corrected_since_is_not_overwritten(store: Store, path: Path) -> None:
    [number] = papers.remember(store, [ENGINES])
    corrections.correct(store, number, {"title": "Motors"})
    with store.writing() as db:
        corrections.correct(store, number, {"title": "Turbines"})
        journal.forget_part(db, journal._kept(db)[0][0].name)
    step = take_back_last(store)
    assert step is not None
    assert not step.back
    assert papers.by_ids(store, [number])[0].title == "Turbines"


def test_an_imported_paper_that_a_run_found_since_stays_in_the_library(store: Store) -> None:
    imported(store)
    number = citation_keys.paper_of(store, "new99")
    assert number
    with store.writing() as db:
        db.execute(
            "INSERT INTO runs (id, kind, question, parameters, state, started)"
            " VALUES ('r', 's', '', '{}', 'finished', '')"
        )
        db.execute("INSERT INTO run_papers VALUES ('r', 1, ?, '{}')", (number,))
    take_back_last(store)
    assert not shelf.numbers_on_shelf(store)
    assert [paper.title for paper in papers.by_ids(store, [number])] == ["A New Book"]


def test_the_last_steps_are_kept_and_one_of_too_many_papers_forgets_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [number] = papers.remember(store, [ENGINES])

    def saved(paper: Paper) -> None:
        with recorded(store):
            shelf.save(store, [paper], [f"t{number}"])

    for place in range(journal.MOST_KEPT + 3):
        saved(make_paper(f"Paper {place}", author=f"A{place}"))
    with store.reading() as db:
        assert len(journal._kept(db)) == journal.MOST_KEPT
    with as_one_step():
        for start in range(0, journal.MOST_PAPERS + 1, 500):
            with recorded(store):
                shelf.put(
                    store,
                    papers.remember(
                        store, (make_paper(f"No {start + one}", author=f"B{start + one}") for one in range(500))
                    ),
                )
    assert take_back_last(store) is None
