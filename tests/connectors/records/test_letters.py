"""Names and words match without diacritics, however they are written."""

import unicodedata
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import Author, Paper
from connectors.records.letters import PLAIN, composed, folded, plain_letters
from connectors.records.matching import family_key, same_work, title_key
from tests.rows import each

SPELLINGS = [
    ("Søren Ørsted", "soren orsted"), ("Łukasz Łódź", "lukasz lodz"), ("Đorđević", "dordevic"),
    ("IŞIK ışık", "isik isik"), ("Straße", "strasse"), ("ÆSIR Œuvre", "aesir oeuvre"),
    ("Þórður", "thordur"), ("Ġgantija Ħal", "ggantija hal"),
    ("Ǿ ǽ", "o ae"), ("São Tomé", "sao tome"), ("plain", "plain"),
]  # fmt: skip


@each(("written", "plain"), SPELLINGS)
def test_a_text_is_folded_to_letters_without_marks(written: str, plain: str) -> None:
    assert folded(written) == plain
    assert title_key(written) == plain
    assert folded(plain_letters(written)) == plain


@each(
    ("plain", "formulas"),
    [
        (
            "Uptake of CO2 by reeds",
            ["CO$_2$", "$CO_2$", "CO$_{2}$", "$\\mathrm{CO}_2$", "$\\rm CO_2$", "${\\rm CO_2}$", "CO₂"],
        ),
        ("Uptake of α-β by reeds", ["$\\alpha$-$\\beta$", "$\\alpha-\\beta$", "$\\alpha{}$-β"]),
        ("Uptake of 10 3 m2 by reeds", ["10$^{-3}$ m$^2$", "$10^{-3}\\,$ m$^{2}$", "10⁻³ m²"]),
        ("Uptake of x y by reeds", ["$x \\to y$", "$x \\sim y$"]),
        ("Uptake of 5 and 6 by reeds", ["$5 and $6"]),
    ],
)
def test_a_formula_has_the_same_letters_however_it_is_written(plain: str, formulas: list[str]) -> None:
    written = [
        plain.replace(plain.removeprefix("Uptake of ").removesuffix(" by reeds"), formula) for formula in formulas
    ]
    assert {title_key(title) for title in written} == {title_key(plain)}


@each("letter", [form for one in PLAIN for form in (one, one.upper())])
def test_both_cases_of_a_letter_are_replaced(letter: str) -> None:
    assert plain_letters(letter).isascii()


def test_a_work_is_recognized_however_its_author_is_spelled() -> None:
    names = Author("Sørensen", "Åse"), Author("Sorensen", "Ase")
    one, other = (Paper("Whales of the northern seas and their songs", "", (name,), "2020") for name in names)
    assert family_key("Sørensen") == "sorensen"
    assert same_work(one, other)


@given(st.text())
def test_composed_is_the_normal_form_of_every_text_without_long_runs_of_marks(text: str) -> None:
    assert composed(text) == unicodedata.normalize("NFC", text)


@each("form", [composed, folded])
def test_no_run_of_marks_is_longer_than_unicode_allows_for_streams(form: Callable[[str], str]) -> None:
    written = form("e" + "\u0301\u0327\u0323" * 100_000 + "x")
    assert written.endswith("x")
    assert len(written) < 40
