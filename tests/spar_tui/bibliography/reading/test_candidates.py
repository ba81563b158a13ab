"""Which works an entry is compared with: all that it can be of, and of many others few."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from cache import papers
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper
from connectors.records.build import build_paper
from connectors.records.matching import same_work
from spar_tui.bibliography.candidates import MOST_COMPARED, Candidates, Describe
from spar_tui.bibliography.one_work import describe
from spar_tui.bibliography.reading.entries_read import FoundEntry
from tests.library import copied

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ("growth", "northern", "birds", "harbour", "1", "ii")


TITLE = st.lists(st.sampled_from(WORDS), min_size=5, max_size=6).map(" ".join)
WORK = st.tuples(TITLE, st.sampled_from(["", "10.3000/a", "10.3000/b"]), st.integers(2000, 2002))


def paper(source: str, title: str, doi: str = "", year: int = 2000) -> Paper:
    names = [Identifier("doi", doi)] if doi else []
    return build_paper(source, title=title, authors=[Author("Weiss", "A")], date=str(year), identifiers=names)


def described(work: Paper) -> tuple[Paper, Describe]:
    return work, partial(describe, FoundEntry(0, "", work))


@contextmanager
def library() -> Iterator[Store]:
    with TemporaryDirectory() as folder, Store.open(copied(Path(folder) / "library.db")) as store:
        yield store


def test_an_entry_is_compared_with_few_of_many_near_titles() -> None:
    with library() as store:
        candidates = Candidates(store)
        for number in range(300):
            entry = paper("import", f"A long title about the growth of birds part {number}", f"10.3000/{number}")
            assert candidates.of(*described(entry)) == []
            candidates.add(papers.remember_as(store, entry, None, NOW), *described(entry))


def test_of_many_works_of_one_title_those_with_the_same_rare_values_are_compared() -> None:
    with library() as store:
        candidates, title = Candidates(store), "Editorial of this journal"
        for number in range(3 * MOST_COMPARED):
            entry = paper("import", title, f"10.3000/{number}", 1950 + number)
            assert len(candidates.of(*described(entry))) <= MOST_COMPARED
            candidates.add(papers.remember_as(store, entry, None, NOW), *described(entry))
        [work] = papers.bearers(store, [Identifier("doi", "10.3000/10")])
        assert work in candidates.of(*described(paper("import", title, "", 1960)))


@given(st.lists(WORK, max_size=8), TITLE)
def test_every_work_of_sources_that_an_entry_is_of_is_a_candidate(
    works: list[tuple[str, str, int]], title: str
) -> None:
    entry = paper("import", title, "", 2001)
    with library() as store:
        told = [paper("crossref", *work) for work in works]
        numbers = {papers.remember_as(store, one, None, NOW) for one in told if same_work(one, entry)}
        assert numbers <= set(Candidates(store).of(*described(entry)))


def test_a_work_that_others_add_meanwhile_is_a_candidate() -> None:
    with library() as store:
        candidates = Candidates(store)
        entry = paper("import", "A long title about the growth of birds")
        assert candidates.of(*described(entry)) == []
        number = papers.remember_as(store, paper("crossref", entry.title), None, NOW)
        candidates.read_new([])
        assert candidates.of(*described(entry)) == [number]
