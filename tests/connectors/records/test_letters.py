"""Names and words match without diacritics, however they are written."""

import pytest

from connectors.paper import Author, Paper
from connectors.records.letters import PLAIN, folded, plain_letters
from connectors.records.matching import family_key, same_work, title_key

SPELLINGS = [
    ("Søren Ørsted", "soren orsted"), ("Łukasz Łódź", "lukasz lodz"), ("Đorđević", "dordevic"),
    ("IŞIK ışık", "isik isik"), ("Straße", "strasse"), ("ÆSIR Œuvre", "aesir oeuvre"),
    ("Þórður", "thordur"), ("Ġgantija Ħal", "ggantija hal"),
    ("Ǿ ǽ", "o ae"), ("São Tomé", "sao tome"), ("plain", "plain"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "plain"), SPELLINGS)
def test_a_text_is_folded_to_letters_without_marks(written: str, plain: str) -> None:
    assert folded(written) == plain
    assert title_key(written) == plain
    assert folded(plain_letters(written)) == plain


@pytest.mark.parametrize("letter", [form for one in PLAIN for form in (one, one.upper())])
def test_both_cases_of_a_letter_are_replaced(letter: str) -> None:
    assert plain_letters(letter).isascii()


def test_a_work_is_recognized_however_its_author_is_spelled() -> None:
    names = Author("Sørensen", "Åse"), Author("Sorensen", "Ase")
    one, other = (Paper("Whales of the northern seas and their songs", "", (name,), "2020") for name in names)
    assert family_key("Sørensen") == "sorensen"
    assert same_work(one, other)
