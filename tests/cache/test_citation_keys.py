"""A citation key, once issued, stays: other papers, other files and later knowledge do not move it."""

from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache import citation_keys, papers
from cache.citation_keys import ByKey, choose, issue, keep, keys_of, paper_of, taken
from cache.store import Store
from tests.cache.conftest import make_paper
from tests.work import grows_evenly

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def numbers(store: Store) -> list[int]:
    return [*papers.remember(store, [make_paper(f"Paper {n}", f"pmid:{n}", author=f"A{n}") for n in range(1, 4)])]


def lettered(used: AbstractSet[str]) -> str:
    """`Key2020a`, `Key2020b` …, the first that is free."""
    return next(key for letter in "abcdef" if (key := f"Key2020{letter}").casefold() not in used)


def test_an_issued_key_is_given_again_and_never_made_anew(store: Store, numbers: list[int]) -> None:
    first = issue(store, dict.fromkeys(numbers[:2], lettered))
    assert first == {numbers[0]: "Key2020a", numbers[1]: "Key2020b"}
    again = issue(store, {number: lambda used: "never asked" for number in reversed(numbers[:2])})
    assert again == first
    assert issue(store, dict.fromkeys(reversed(numbers), lettered)) == {**first, numbers[2]: "Key2020c"}


def test_a_made_key_that_is_taken_is_a_mistake_and_nothing_is_issued(store: Store, numbers: list[int]) -> None:
    keep(store, numbers[0], "taken")
    with pytest.raises(ValueError, match="TAKEN"):
        issue(store, {numbers[1]: lettered, numbers[2]: lambda used: "TAKEN"})
    assert taken(store) == {"taken"}


def test_a_key_names_its_paper_in_any_case_that_names_no_other(store: Store, numbers: list[int]) -> None:
    assert keep(store, numbers[0], "Vaswani2017")
    assert paper_of(store, "vAswani2017") == numbers[0]
    assert keep(store, numbers[0], "vaswani2017")
    assert paper_of(store, "vAswani2017") == numbers[0]
    assert keep(store, numbers[1], "VASWANI2017")
    assert not keep(store, numbers[2], "VASWANI2017")
    assert [paper_of(store, key) for key in ("Vaswani2017", "vaswani2017", "VASWANI2017")] == [
        *numbers[:1] * 2,
        numbers[1],
    ]
    assert paper_of(store, "vAswani2017") is None
    assert paper_of(store, "unknown") is None
    assert taken(store) == {"vaswani2017"}


@given(st.lists(st.tuples(st.text("aAbB", min_size=1, max_size=2), st.integers(1, 3)), max_size=6), st.text("aAbB"))
def test_a_key_in_another_case_is_found_unless_it_may_be_another(pairs: list[tuple[str, int]], key: str) -> None:
    exact = [value for own_key, value in pairs if own_key == key]
    first = dict(reversed(pairs))
    alike = {value for own_key, value in first.items() if own_key.lower() == key.lower()}
    assert ByKey(pairs).get(key) == (exact[0] if exact else alike.pop() if len(alike) == 1 else None)


def test_the_first_key_of_a_paper_is_its_own_and_the_others_stay_reserved(store: Store, numbers: list[int]) -> None:
    for minutes, key in enumerate(("first", "second", "third")):
        assert keep(store, numbers[0], key, NOON + timedelta(minutes=minutes))
    assert keys_of(store, numbers) == {numbers[0]: "first"}
    assert paper_of(store, "third") == numbers[0]
    assert not keep(store, numbers[1], "second")


def test_keys_of_many_papers_are_those_of_few(store: Store, numbers: list[int]) -> None:
    issue(store, dict.fromkeys(numbers, lettered))
    keep(store, numbers[0], "later")
    assert keys_of(store, range(1, 1000)) == keys_of(store, numbers)
    assert keys_of(store, []) == {}


def test_many_keys_are_issued_without_each_looking_at_all(store: Store) -> None:
    with store.writing() as db:
        db.executemany(
            "INSERT INTO papers (id, first_seen, last_seen, first_author, title_key, title, venue, authors, abstract,"
            " record) VALUES (?, '', '', '', '', '', '', '', '', '')",
            [(n,) for n in range(1, 9_001)],
        )

    def issue_keys(many: int) -> None:
        start = len(taken(store)) + 1
        wanted = {n: lambda used, n=n: f"Key{n}" for n in range(start, start + many)}
        assert len(citation_keys.issue(store, wanted)) == many

    assert grows_evenly(issue_keys, 2_500)


def test_the_key_that_a_person_chooses_becomes_the_papers_own_and_the_old_ones_still_name_it(
    store: Store, numbers: list[int]
) -> None:
    issue(store, dict.fromkeys(numbers, lettered))
    keep(store, numbers[1], "fromAFile")
    assert choose(store, numbers[1], "chosen")
    assert choose(store, numbers[0], "alsoChosen")
    assert keys_of(store, numbers) == {numbers[0]: "alsoChosen", numbers[1]: "chosen", numbers[2]: "Key2020c"}
    assert {paper_of(store, key) for key in ("Key2020b", "fromAFile", "chosen")} == {numbers[1]}
    assert not keep(store, numbers[2], "Key2020b")
    assert choose(store, numbers[1], "fromafile")
    assert keys_of(store, [numbers[1]]) == {numbers[1]: "fromafile"}
    assert keys_of(store, range(1, 1000)) == keys_of(store, numbers)


def test_a_key_that_names_another_paper_cannot_be_chosen(store: Store, numbers: list[int]) -> None:
    issue(store, dict.fromkeys(numbers, lettered))
    before = keys_of(store, numbers)
    assert not choose(store, numbers[0], "KEY2020B")
    assert keys_of(store, numbers) == before


def test_a_chosen_key_stays_when_its_paper_turns_out_to_be_an_older_one(store: Store) -> None:
    older, younger = papers.remember(store, [make_paper("One work", "pmid:1"), make_paper("Another?", "doi:10.1000/x")])
    issue(store, {older: lambda used: "made", younger: lambda used: "madeToo"})
    choose(store, younger, "chosen")
    [joined] = papers.remember(store, [make_paper("One work", "pmid:1", "doi:10.1000/x")])
    assert keys_of(store, [joined]) == {joined: "chosen"}
    assert {paper_of(store, key) for key in ("made", "madeToo")} == {joined}
