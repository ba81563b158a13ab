"""Each work is in the library once, with all that was ever told about it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import papers
from cache.store import Store
from connectors.paper import Paper
from connectors.records.matching import same_work
from tests import strategies
from tests.cache.conftest import make_paper, name


def test_a_paper_is_found_under_each_of_its_names(store: Store) -> None:
    paper = make_paper("Attention", "10.1000/a", "1706.03762")
    papers.remember(store, [paper])
    assert papers.find(store, [name("doi:10.1000/A")]) == paper
    assert papers.find(store, [name("pmid:99"), name("arxiv:1706.03762v5")]) == paper
    assert papers.find(store, [name("doi:10.48550/arXiv.1706.03762")]) == paper
    assert papers.find(store, [name("pmid:99")]) is None


def test_records_of_one_work_become_one_paper_that_bears_all_names(store: Store) -> None:
    [first] = papers.remember(store, [make_paper("Attention", "10.1000/a")])
    [second] = papers.remember(store, [make_paper("Attention", "10.1000/a", "pmid:7", abstract="All you need.")])
    found = papers.find(store, [name("pmid:7")])
    assert first == second
    assert found is not None
    assert found.abstract == "All you need."


def test_without_a_shared_name_title_author_and_year_tell_that_works_are_one(store: Store) -> None:
    one = make_paper("A Study of Analytical Engines", "10.1000/a", year=2020)
    other = make_paper("A study of analytical engines.", "pmid:7", year=2021)
    later = make_paper("A study of analytical engines.", "pmid:8", year=2031)
    numbers = papers.remember(store, [one, other, later])
    assert numbers[0] == numbers[1] != numbers[2]


def test_a_record_that_bears_the_names_of_two_papers_joins_them(store: Store) -> None:
    first, second, citing = papers.remember(
        store,
        [
            make_paper("Engines, a preprint", "2001.00001", author="Byron"),
            make_paper("Engines", "pmid:5"),
            make_paper("A Later Paper", "pmid:9", author="Noether", cites="pmid:5"),
        ],
    )
    assert papers.remember(store, [make_paper("Engines", "2001.00001", "pmid:5")]) == [first]
    assert papers.by_ids(store, [second]) == []
    assert papers.references_of(store, citing) == papers.by_ids(store, [first])
    assert papers.find(store, [name("pmid:5")]) == papers.find(store, [name("2001.00001")])


def test_numbers_of_one_call_point_to_papers_that_are_there_after_it(store: Store) -> None:
    numbers = papers.remember(
        store,
        [
            make_paper("Engines", "2001.00001"),
            make_paper("On the Engines of Mr Babbage", "pmid:5"),
            make_paper("Engines", "2001.00001", "pmid:5"),
        ],
    )
    assert numbers == [numbers[0]] * 3
    assert len(papers.by_ids(store, numbers)) == 3


def test_a_name_that_two_strangers_claim_stays_with_the_first(store: Store) -> None:
    first, second = papers.remember(
        store, [make_paper("Whales of the Arctic", "10.1000/a"), make_paper("Tax Law", "10.1000/a", author="Grotius")]
    )
    assert first != second
    assert papers.find(store, [name("10.1000/a")]) == papers.by_ids(store, [first])[0]


@pytest.mark.parametrize("author", ["", "Lovelace", "王"])
@pytest.mark.parametrize("title", ["Notes", "???"])
@pytest.mark.parametrize("year", [1843, None])
def test_a_record_without_any_identifier_is_not_stored_twice(
    store: Store, title: str, author: str, year: int | None
) -> None:
    paper = make_paper(title, author=author, year=year)
    assert papers.remember(store, [paper]) == papers.remember(store, [paper])


def test_without_identifiers_short_titles_of_others_or_of_another_year_are_other_works(store: Store) -> None:
    found = [
        make_paper("Editorial", year=None), make_paper("Editorial", year=None, author="Babbage"),
        make_paper("Editorial", year=1843), make_paper("???", year=None), make_paper("!!!", year=None),
    ]  # fmt: skip
    assert len(set(papers.remember(store, found))) == len(found)


def test_a_record_without_identifier_does_not_join_two_works_with_names_of_their_own(store: Store) -> None:
    first, second = papers.remember(store, [make_paper("Editorial", "pmid:1"), make_paper("Editorial", "pmid:2")])
    assert papers.remember(store, [make_paper("Editorial")]) == [first]
    assert [one.identifier("pmid") for one in papers.by_ids(store, [first, second])] == ["1", "2"]


def test_links_lead_from_a_paper_to_its_references_and_back(store: Store) -> None:
    old, citing, unknown = papers.remember(
        store,
        [
            make_paper("Old", "10.1000/old"),
            make_paper("New", "pmid:2", cites="10.1000/old 10.1000/elsewhere"),
            make_paper("Alone", "pmid:3"),
        ],
    )
    assert [one.title for one in papers.references_of(store, citing)] == ["Old"]
    assert [one.title for one in papers.citing(store, old)] == ["New"]
    assert papers.references_of(store, unknown) == papers.citing(store, citing) == []


def test_a_reference_is_linked_as_soon_as_the_cited_paper_is_known(store: Store) -> None:
    [citing] = papers.remember(store, [make_paper("New", "pmid:2", cites="10.1000/old")])
    papers.remember(store, [make_paper("Old", "10.1000/old")])
    assert [one.title for one in papers.references_of(store, citing)] == ["Old"]


@given(found=st.lists(strategies.papers(), max_size=5))
def test_what_is_remembered_again_changes_nothing(store: Store, found: list[Paper]) -> None:
    papers.remember(store, found)
    settled = papers.by_ids(store, papers.remember(store, found))
    assert papers.by_ids(store, papers.remember(store, found)) == settled


@given(found=strategies.papers())
def test_a_remembered_paper_is_found_as_the_same_work(store: Store, found: Paper) -> None:
    [number] = papers.remember(store, [found])
    [stored] = papers.by_ids(store, [number])
    assert set(found.identifiers) <= set(stored.identifiers)
    assert same_work(stored, found) or not (found.identifiers and found.authors)


def test_a_shared_name_within_a_call_of_many_batches_is_still_one_work(store: Store) -> None:
    many = [
        make_paper(f"Paper number {n % 600} of all", f"pmid:{n % 600 + 1}", author=f"A{n % 600}") for n in range(1200)
    ]
    numbers = papers.remember(store, many)
    assert numbers[:600] == numbers[600:]
    assert len(set(numbers)) == 600


def test_a_record_that_is_told_again_is_of_the_work_that_it_became_however_far_that_has_grown(store: Store) -> None:
    reports = [make_paper("Annual report", author="Agency", year=year) for year in (2018, 2019, 2020, 2021)]
    numbers = papers.remember(store, reports)
    assert papers.remember(store, reports) == numbers
    assert papers.number_of(store, reports[0]) == numbers[0]


def test_what_came_after_a_moment_is_told_and_what_was_only_seen_again_is_not(store: Store) -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    old, fresh = make_paper("Attention", "10.1000/a"), make_paper("Whales", "10.1000/b", author="Melville")
    papers.remember(store, [old], noon)
    [_, number] = papers.remember(store, [old, fresh], noon + timedelta(days=1))
    assert papers.first_seen_after(store, noon) == {number}


def test_of_many_papers_at_once_it_is_known_which_the_library_has(store: Store) -> None:
    attention = make_paper("Attention is all you need", "10.1000/a", year=2017)
    nameless = make_paper("Notes on engines")
    volumes = [make_paper("Physics Reports", f"10.1000/v{number}", author="Editor", year=1990) for number in (1, 2)]
    papers.remember(store, [attention, nameless, *volumes])
    papers.remember(store, [make_paper("Attention is all you need", "10.1000/a", abstract="It is.")])
    asked = [
        attention,
        nameless,
        *volumes,
        make_paper("Attention is all you need.", "pmid:7", year=2017),
        make_paper("Another title", "10.1000/a", author="Somebody"),
        make_paper("A paper that nobody has", "10.1000/new"),
        make_paper("A paper that nobody has", "pmid:8", author="Stranger"),
    ]
    assert papers.numbers_of(store, asked) == [papers.number_of(store, paper) for paper in asked]
    assert papers.numbers_of(store, asked[-2:]) == [None, None]
    assert None not in papers.numbers_of(store, asked[:3])
