"""Ids of people are read from every spelling, and nothing else is taken for one."""

import pytest

from connectors.person import parse_person_id


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("A5023888391", "openalex:A5023888391"),
        (" openalex:a5023888391 ", "openalex:A5023888391"),
        ("https://openalex.org/A5023888391", "openalex:A5023888391"),
        ("https://openalex.org/authors/a5023888391", "openalex:A5023888391"),
        ("https://api.openalex.org/people/A5023888391?x=1", "openalex:A5023888391"),
        ("s2:1741101", "s2:1741101"),
        ("semanticscholar:1741101", "s2:1741101"),
        ("https://www.semanticscholar.org/author/Oren-Etzioni/1741101", "s2:1741101"),
        ("https://www.semanticscholar.org/author/1741101/", "s2:1741101"),
    ],
)
def test_an_id_is_the_same_in_every_spelling(text: str, id: str) -> None:
    assert str(parse_person_id(text)) == id
    assert parse_person_id(id) == parse_person_id(text)


@pytest.mark.parametrize("text", ["", "Ada Lovelace", "1741101", "openalex:W123", "A", "s2:0", "s2:abc", None, 7])
def test_what_is_no_id_is_none(text: object) -> None:
    assert parse_person_id(text) is None
