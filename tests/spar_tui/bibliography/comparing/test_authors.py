"""Lists of authors compared person by person: initials and transliterations are nobody else, other people are."""

from dataclasses import replace

from connectors.paper import Author, Paper
from connectors.records.build import author_from_name
from spar_tui.bibliography.comparing.differences import author_changes
from tests.rows import each


def by(names: str, et_al: bool = False) -> Paper:
    people = [author for name in names.split(" and ") if (author := author_from_name(name))]
    return Paper("Notes", authors=tuple(people), et_al=et_al)


def names(authors: tuple[Author, ...]) -> list[str]:
    return [author.name for author in authors]


@each(
    ("yours", "theirs"),
    [
        ("A. Lovelace and C. Babbage", "Ada Lovelace and Charles Babbage"),
        ("A. A. Lovelace", "Ada Lovelace"),
        ("AA Lovelace", "Ada Augusta Lovelace"),
        ("Jun-Yan Zhu", "Junyan Zhu"),
        ("Zhang Wei", "Wei Zhang"),
        ("Jürgen Müller", "Juergen Mueller"),
        ("Søren Kierkegaard", "Soren Kierkegaard"),
        ("Christopher Manning", "Chris Manning"),
        ("Jan van der Berg", "Jan Van Der Berg"),
        ("Maria Garcia-Lopez", "Maria Garcia Lopez"),
        ("Ada Lovelace", "Ada Lovelace and The Analytical Engine Collaboration"),
        ("Lovelace AA and Babbage C", "Ada Augusta Lovelace and Charles Babbage"),
    ],
)
def test_another_spelling_of_a_name_is_the_same_person(yours: str, theirs: str) -> None:
    assert not author_changes(by(yours), by(theirs))
    assert not author_changes(by(theirs), by(yours))


def test_who_is_missing_and_who_is_added_is_named() -> None:
    changes = author_changes(by("Ada Lovelace and Mary Shelley"), by("Ada Lovelace and Charles Babbage"))
    assert (names(changes.missing), names(changes.added)) == (["Charles Babbage"], ["Mary Shelley"])
    assert not changes.strangers
    assert author_changes(by("Mary Shelley"), by("Ada Lovelace and Charles Babbage")).strangers


@each(("yours", "theirs"), [("Qi Chen", "Qi Cheng"), ("Wei Lin", "Wei Ling"), ("W. Li", "Wei Liu")])
def test_short_names_that_begin_alike_are_two_people(yours: str, theirs: str) -> None:
    assert author_changes(by(yours), by(theirs)).strangers


def test_et_al_stands_for_the_authors_behind_and_for_none_before() -> None:
    record = by("Ada Lovelace and Charles Babbage and Mary Shelley and Mary Somerville")
    assert not author_changes(by("Ada Lovelace", et_al=True), record)
    assert author_changes(by("Ada Lovelace"), record).missing
    assert names(author_changes(by("Mary Shelley and Lord Byron", et_al=True), record).added) == ["Lord Byron"]
    assert not author_changes(record, by("Ada Lovelace", et_al=True))


def test_a_group_stands_for_people_whom_the_other_list_names() -> None:
    people = by("Ada Lovelace and Charles Babbage and Mary Shelley")
    group = Paper("Notes", authors=(Author("Engine 1.0 Contributors"),))
    assert not author_changes(group, people)
    assert not author_changes(people, group)
    assert not author_changes(replace(people, authors=people.authors[:1] + group.authors), people)
    assert names(author_changes(replace(people, authors=people.authors[1:] + group.authors), people).missing) == [
        "Ada Lovelace"
    ]


def test_a_family_name_in_capitals_is_not_taken_for_initials() -> None:
    assert author_changes(by("Wei XU"), by("Wei Xiong")).strangers


def test_another_order_is_told_and_another_given_name_too() -> None:
    assert author_changes(by("Charles Babbage and Ada Lovelace"), by("Ada Lovelace and Charles Babbage")).order
    [pair] = author_changes(by("Bob Smith and Ada Lovelace"), by("Robert Smith and Ada Lovelace")).respelled
    assert names(pair) == ["Bob Smith", "Robert Smith"]


def test_nobody_named_is_no_difference() -> None:
    assert not author_changes(by(""), by("Ada Lovelace"))
    assert not author_changes(by("Ada Lovelace"), by(""))
