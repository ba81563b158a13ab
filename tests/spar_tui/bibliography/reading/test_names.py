"""Authors are read as BibTeX reads them, and groups stay whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.reading.names import authors_of


def names(latex: str) -> list[tuple[str, str]]:
    return [(one.family, one.given) for one in authors_of(latex)]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("Vaswani, Ashish and Shazeer, Noam", [("Vaswani", "Ashish"), ("Shazeer", "Noam")]),
        ("Donald E. Knuth and Leslie Lamport", [("Knuth", "Donald E."), ("Lamport", "Leslie")]),
        ("van der Waals, Johannes Diderik", [("van der Waals", "Johannes Diderik")]),
        ("Johannes Diderik van der Waals", [("van der Waals", "Johannes Diderik")]),
        (r"de la Vall{\'e}e Poussin, Charles", [("de la Vallée Poussin", "Charles")]),
        ("King, Jr., Martin Luther", [("King Jr.", "Martin Luther")]),
        ("{van Gogh}, Vincent and Ludwig {van Beethoven}", [("van Gogh", "Vincent"), ("van Beethoven", "Ludwig")]),
        ("{Barnes and Noble, Inc.} and {OpenAI}", [("Barnes and Noble, Inc.", ""), ("OpenAI", "")]),
        ("Sukarno", [("Sukarno", "")]),
        (r"{\"O}zg{\"u}r, Ali and {\L}ukasz Kaiser", [("Özgür", "Ali"), ("Kaiser", "Łukasz")]),
        ("Anna Smith  AND\n  Bob Jones", [("Smith", "Anna"), ("Jones", "Bob")]),
        ("Smith, Anna and others", [("Smith", "Anna")]),
        ("family=Waals, given=Johannes, prefix=van der", [("van der Waals", "Johannes")]),
        ("Ferdinand Anderson and Sandy Holland", [("Anderson", "Ferdinand"), ("Holland", "Sandy")]),
        ("Smith, Anna, and Jones, Bob", [("Smith Anna", ""), ("Jones", "Bob")]),
        ("{Team} and{Other Team}", [("Team", ""), ("Other Team", "")]),
        ("李, 明", [("李", "明")]),
        ("", []),
        (" and ", []),
    ],
)
def test_each_form_of_a_name_is_read(latex: str, expected: list[tuple[str, str]]) -> None:
    assert names(latex) == expected


def test_a_paper_of_3_000_authors_is_read() -> None:
    assert len(authors_of(" and ".join(f"Family{n}, Given" for n in range(3000)))) == 3000


@given(st.text())
def test_any_text_gives_authors_with_a_name(latex: str) -> None:
    assert all(one.family for one in authors_of(latex))
