"""Authors are read as BibTeX reads them, and groups stay whole."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.reading.files import found_in
from spar_tui.bibliography.reading.names import misread_names, people_of
from tests.rows import each
from tests.spar_tui.bibliography.validators import bibtex_complaints, needed


def names(latex: str) -> list[tuple[str, ...]]:
    parts = [(one.family, one.given, one.suffix) for one in people_of(latex).named]
    return [told if told[2] else told[:2] for told in parts]


@each(
    ("latex", "expected"),
    [
        ("Vaswani, Ashish and Shazeer, Noam", [("Vaswani", "Ashish"), ("Shazeer", "Noam")]),
        ("Donald E. Knuth and Leslie Lamport", [("Knuth", "Donald E."), ("Lamport", "Leslie")]),
        ("van der Waals, Johannes Diderik", [("van der Waals", "Johannes Diderik")]),
        ("Johannes Diderik van der Waals", [("van der Waals", "Johannes Diderik")]),
        (r"de la Vall{\'e}e Poussin, Charles", [("de la Vallée Poussin", "Charles")]),
        ("King, Jr., Martin Luther", [("King", "Martin Luther", "Jr.")]),
        ("King, Martin Luther, Jr.", [("King", "Martin Luther", "Jr.")]),
        ("Guy L. Steele Jr. and Henry Kyburg, Jr.", [("Steele", "Guy L.", "Jr."), ("Kyburg", "Henry", "Jr.")]),
        ("von Hicks, III, Michael", [("von Hicks", "Michael", "III")]),
        (r"Dumas, p{\`e}re, Alexandre", [("Dumas", "Alexandre", "père")]),
        ("Minikel, Eric V and Li, Yang I", [("Minikel", "Eric V"), ("Li", "Yang I")]),
        ("Arthur, V, John and Ivanov, II", [("Arthur", "John V"), ("Ivanov", "II")]),
        ("Thomas, Dave, and Fowler, Chad,", [("Thomas", "Dave"), ("Fowler", "Chad")]),
        ("Ann Lee, Bo Im, Cy Ode", [("Ann Lee, Bo Im, Cy Ode", "")]),
        ("Chambers, J., Cleveland, W., Tukey, P.", [("Chambers, J., Cleveland, W., Tukey, P.", "")]),
        ("{van Gogh}, Vincent and Ludwig {van Beethoven}", [("van Gogh", "Vincent"), ("van Beethoven", "Ludwig")]),
        ("{Barnes and Noble, Inc.} and {OpenAI}", [("Barnes and Noble, Inc.", ""), ("OpenAI", "")]),
        ("Sukarno", [("Sukarno", "")]),
        (
            "Reed Water Board and A. B. Board and Board, Ann and {Water Board}",
            [("Reed Water Board", ""), ("Board", "A. B."), ("Board", "Ann"), ("Water Board", "")],
        ),
        (r"{\"O}zg{\"u}r, Ali and {\L}ukasz Kaiser", [("Özgür", "Ali"), ("Kaiser", "Łukasz")]),
        ("Anna Smith  AND\n  Bob Jones", [("Smith", "Anna"), ("Jones", "Bob")]),
        ("Smith, Anna and others", [("Smith", "Anna")]),
        ("id=testid, given=Alfred, family=Adler, family-i=A", [("Adler", "Alfred")]),
        ("family=King, given=Martin, suffix=Jr.", [("King", "Martin", "Jr.")]),
        ("family=Waals, given=Johannes, prefix=van der", [("van der Waals", "Johannes")]),
        ("Ferdinand Anderson and Sandy Holland", [("Anderson", "Ferdinand"), ("Holland", "Sandy")]),
        ("Smith, Anna, and Jones, Bob", [("Smith", "Anna"), ("Jones", "Bob")]),
        ("{Team} and{Other Team}", [("Team", ""), ("Other Team", "")]),
        (r"Knuth, D.\,E. and D.\,E. Knuth", [("Knuth", "D. E."), ("Knuth", "D. E.")]),
        ("李, 明", [("李", "明")]),
        ("鈴木，一郎", [("鈴木", "一郎")]),
        ("Ann Roe; Bob Poe", [("Ann Roe; Bob Poe", "")]),
        ("Roe, Ann & Bob Poe", [("Roe, Ann & Bob Poe", "")]),
        ("", []),
        (" and ", []),
        ("Ann Roe and and Bob Poe and", [("Roe", "Ann"), ("Poe", "Bob")]),
    ],
)
def test_each_form_of_a_name_is_read(latex: str, expected: list[tuple[str, ...]]) -> None:
    assert names(latex) == expected


@each(
    ("latex", "et_al"),
    [
        ("Smith, Anna and others", True), ("Smith, Anna and OTHERS", True), ("Smith, Anna and {et al.}", True),
        ("Dowty, D. R., et al.", True), ("Smith, Anna et~al", True), ("Smith, Anna and {others}", False),
        ("Smith, Anna", False), ("others", False), ("Smith, Etal", False),
    ],
)  # fmt: skip
def test_a_list_that_goes_on_is_known_as_one(latex: str, et_al: bool) -> None:
    assert people_of(latex).et_al is et_al


def test_a_paper_of_3_000_authors_is_read() -> None:
    assert len(people_of(" and ".join(f"Family{n}, Given" for n in range(3000))).named) == 3000


@given(st.text())
def test_any_text_gives_authors_with_a_name(latex: str) -> None:
    assert all(one.family for one in people_of(latex).named)


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        ("Roe, Ann, and Poe, Bob", "cannot read the name “Roe, Ann,”: a comma"),
        ("Roe, A., Poe, B., Doe, C.", "more than two commas"),
    ],
)
@needed("bibtex")
def test_a_name_that_bibtex_stops_at_is_named(latex: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(f"@misc{{a, author = {{{latex}}}, title = {{T}}, year = 2001}}")
    assert bibtex_complaints(tmp_path / "refs.bib")
    assert [said in fault for fault in misread_names(latex)] == [True]


@each(
    ("latex", "said"),
    [
        ("Ann Roe, Bob Poe, Carl Doe", "as one person"),
        ("Roe, A.; Poe, B.", "as one person"),
        ("Roe A; Poe B", "as one name"),
        ("Ann Roe & Bob Poe", "as one name"),
        (r"Knuth, D.\,E.", r"the comma of \, in"),
        (", Ann", "a comma begins or ends it"),
        ("Roe, Ann and and Poe, Bob", "an empty name"),
        ("Roe, Ann and", "an empty name"),
        ("King, Martin Luther, Jr.", "Jr. in “King, Martin Luther, Jr.” as the given name"),
        ("Doe, Jan et al.", "as part of a name"),
        ("Roe, Ann and others and Poe, Bob", "“others” here as a name"),
    ],
)
def test_a_name_that_bibtex_takes_for_another_is_named(latex: str, said: str) -> None:
    assert [said in fault for fault in misread_names(latex)] == [True]


@each(
    "latex",
    [
        "Roe, Ann and Poe, Bob and others", "King, Jr., Martin Luther", "de la Cruz, III, Juan and Li, Y.",
        "{Smith, Sons, and Co} and {Roe \\& Poe}", r"M{\"u}ller, J{\"o}rg and Smith \& Sons",
        "family=Gogh, given=Vera, prefix=van, useprefix=true and Roe, Ann",
        "family=Fenn, given={Ada Maria}, suffix=Sr.",
        "given=Ada Maria, family=van Dorn", "prefix=de la, given=Ann B., family=Roe", "Alexander Andersen",
    ],
)  # fmt: skip
def test_names_that_bibtex_reads_are_not_named(latex: str) -> None:
    assert misread_names(latex) == []


def test_a_number_of_dblp_is_no_part_of_a_name_and_nobody_is_no_author() -> None:
    names = people_of("Ann Roe 0002 and Poe, Bob and [No author name available]").named
    assert [(name.family, name.given) for name in names] == [("Roe", "Ann"), ("Poe", "Bob")]


@given(
    st.lists(st.sampled_from(["Ada Marsh", "Bo Reed", "Cy van Dorn"]), min_size=1, max_size=3, unique=True),
    st.sampled_from(["Jr.", "Sr.", "III", "fils"]),
    st.sampled_from(["", "%A Fenn, Di\n%A Loch, Ed\n%A Burn, Flo\n"]),
)
def test_the_comma_before_a_generation_says_nothing_of_the_order(names: list[str], suffix: str, others: str) -> None:
    people = [*names, f"Guy Weir, {suffix}"]
    first = f"%0 Book\n%T Mud\n{others}\n" if others else ""
    refer = first + "%0 Book\n%T Tar\n" + "".join(f"%A {name}\n" for name in people)
    ris = "TY  - BOOK\nTI  - Tar\n" + "".join(f"AU  - {name}\n" for name in people) + "ER  - \n"
    for text in (refer, ris):
        authors = found_in(text, "x").entries[-1].paper.authors
        assert [(person.given, bool(person.family), person.suffix) for person in authors] == [
            *((name.partition(" ")[0], True, "") for name in names), ("Guy", True, suffix)]  # fmt: skip
