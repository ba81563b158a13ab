"""Names in the parts that bibliographies keep apart."""

import re

from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import Author
from connectors.records.build import author_from_name
from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.names import Name, name_of
from tests.rows import each
from tests.strategies import clean


def in_bib(name: Name) -> str:
    text = bib_entry(Entry("k", "other", "", (name,)), "biblatex").text
    return text.split("author = {", 1)[1].rsplit("},\n}", 1)[0]


@each(
    ("author", "bib", "ris"),
    [
        (Author("Vaswani", "Ashish"), "Vaswani, Ashish", "Vaswani, Ashish"),
        (Author("van der Waals", "Johannes"), "van der Waals, Johannes", "van der Waals, Johannes"),
        (Author("de la Vallée Poussin", "C."), "de la {Vallée Poussin}, C.", "de la Vallée Poussin, C."),
        (Author("King Jr.", "Martin"), "King, Jr., Martin", "King, Martin, Jr."),
        (Author("King", "Jr., Martin"), "King, Jr., Martin", "King, Martin, Jr."),
        (Author("King", "Martin", suffix="Jr."), "King, Jr., Martin", "King, Martin, Jr."),
        (Author("King", "Martin Jr."), "King, Jr., Martin", "King, Martin, Jr."),
        (Author("Stevenson III", "Adlai"), "Stevenson, III, Adlai", "Stevenson, Adlai, III"),
        (Author("Arthur", "John V"), "Arthur, John V", "Arthur, John V"),
        (Author("Ivanov", "Ivan II"), "Ivanov, Ivan II", "Ivanov, Ivan II"),
        (Author("Thi Vi", "Lan"), "{Thi Vi}, Lan", "Thi Vi, Lan"),
        (Author("García Márquez", "Gabriel"), "{García Márquez}, Gabriel", "García Márquez, Gabriel"),
        (Author("Centers for Disease Control and Prevention"), "{Centers for Disease Control and Prevention}",
         "Centers for Disease Control and Prevention"),
        (Author("Board", "Mary Jane"), "Board, Mary Jane", "Board, Mary Jane"),
        (Author("Research Council", "Ann"), "{Research Council}, Ann", "Research Council, Ann"),
        (Author("Water Board"), "{Water Board}", "Water Board"),
        (Author("Sukarno"), "{Sukarno}", "Sukarno"),
        (Author("others", "Various"), "{others}, Various", "others, Various"),
        (Author("AT&T"), r"{AT\&T}", "AT&T"),
    ],
)  # fmt: skip
def test_each_kind_of_name_is_written_as_readers_take_it_apart(author: Author, bib: str, ris: str) -> None:
    assert in_bib(name_of(author)) == bib
    assert name_of(author).inverted == ris


@given(clean(30).filter(bool), clean(30))
def test_no_part_of_a_name_is_lost(family: str, given_name: str) -> None:
    name = name_of(Author(family, given_name))
    letters = sorted(re.sub(r"[\s,]", "", family + given_name))
    kept = name.family + name.given + name.particle + name.suffix + name.literal
    assert sorted(re.sub(r"[\s,]", "", kept)) == letters


@given(st.lists(clean(20).filter(bool), min_size=1, max_size=6))
def test_as_many_names_are_read_as_were_written(families: list[str]) -> None:
    """Whatever is in a name, BibTeX's own separator, an "and" outside of braces, stands only between names."""
    names = tuple(name_of(Author(family, "Given")) for family in families)
    text = bib_entry(Entry("k", "other", "", names), "biblatex").text
    value = text.split("author = {", 1)[1].rsplit("},\n}", 1)[0]
    while (shallower := re.sub(r"\{[^{}]*\}", "", value)) != value:
        value = shallower
    assert len(re.split(r"\sand\s", f" {value} ", flags=re.IGNORECASE)) == len(names)


def test_a_display_name_with_particles_keeps_them_with_the_family() -> None:
    author = author_from_name("Johannes Diderik van der Waals")
    assert author is not None
    assert name_of(author) == Name("Waals", "Johannes Diderik", "van der")


@each("told", ["Martin Luther King Jr.", "King, Martin Luther, Jr.", "King, Jr., Martin Luther"])
def test_the_generation_in_a_display_name_is_a_part_of_its_own(told: str) -> None:
    author = author_from_name(told)
    assert author == Author("King", "Martin Luther", suffix="Jr.")
    assert author.name == "Martin Luther King Jr."
    assert name_of(author).suffix == "Jr."
