"""Citation keys: readable, in the characters that every program takes, and the same for good."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.paper import Author, Paper
from spar_tui.bibliography.citation_key import PRESETS, base_key, key_pattern, new_keys, unused_key
from spar_tui.errors import UsageError
from tests.rows import each
from tests.spar_tui.bibliography.edge_records import CDC, EDGE_PAPERS, PUBLISHED, paper
from tests.strategies import papers

KEY = re.compile(r"[A-Za-z][A-Za-z0-9:._+/-]*")


@each(
    ("preset", "key"),
    [
        ("better-bibtex", "vaswaniAttentionAllYou2017"),
        ("scholar", "vaswani2017attention"),
        ("jabref", "Vaswani2017"),
        ("{Author}:{yy}-{Word}", "Vaswani:17-Attention"),
        ("{author}{words2}", "vaswaniattentionall"),
    ],
)
def test_presets_and_patterns_make_the_keys_that_they_are_known_for(preset: str, key: str) -> None:
    assert base_key(PUBLISHED, key_pattern(preset)) == key


@each("pattern", ["", "key", "{nobody}", "{author} {year}", "{author}{", "{year3}", "{author}%"])
def test_a_pattern_that_cannot_be_used_is_refused_in_a_sentence(pattern: str) -> None:
    with pytest.raises(UsageError):
        key_pattern(pattern)


@each(
    ("author", "start"),
    [
        (Author("Gödel", "Kurt"), "godel"),
        (Author("Łukasz", "Jan"), "lukasz"),
        (Author("Groß", "Anna"), "gross"),
        (Author("Þórsson", "Ari"), "thorsson"),
        (Author("van der Waals", "J."), "vanderwaals"),
        (Author("O'Neil", "P."), "oneil"),
        (Author("Иванов", "И."), "ivanov"),
        (Author("Παπαδόπουλος", "Γ."), "papadopoulos"),
        (Author("Βούλγαρη", "Ε."), "voulgari"),
        (Author("ΟΥΡΑΝΗΣ", "Κ."), "ouranis"),
        (CDC, "centers"),
        (Author("The LHCb Collaboration"), "lhcb"),
        (Author("World Health Organization (WHO)"), "who"),
    ],
)
def test_names_are_folded_to_ascii_without_losing_a_letter(author: Author, start: str) -> None:
    assert base_key(paper("On x", author, date=None), "{author}") == start


def test_an_author_and_a_title_in_another_script_are_transliterated() -> None:
    assert base_key(paper("深度学习", Author("张伟"), of_doi="10.1000/x.1"), "{author}{year}") == "zhangwei2020"


def test_an_unknown_year_is_left_out() -> None:
    assert base_key(EDGE_PAPERS["no-year"], PRESETS["better-bibtex"]) == "lovelaceUndatedNotes"


def test_tex_and_stop_words_make_no_title_words() -> None:
    found = base_key(paper(r"On the $\alpha$ of <i>Things</i> and stuff", "A B"), "{author}{Words3}")
    assert found == "bThingsStuff"


@given(papers(), st.sampled_from(sorted(PRESETS.values())))
def test_every_key_is_made_of_allowed_characters_and_begins_with_a_letter(one: Paper, pattern: str) -> None:
    assert KEY.fullmatch(base_key(one, pattern))


@given(st.lists(papers(), max_size=6), st.randoms(use_true_random=False))
def test_keys_do_not_depend_on_the_order_and_never_differ_only_in_case(found: list[Paper], dice: object) -> None:
    numbered = dict(enumerate(found))
    keys = new_keys(numbered, PRESETS["jabref"], ["taken2020"])
    shuffled = list(numbered.items())
    getattr(dice, "shuffle")(shuffled)  # noqa: B009  # hypothesis gives it no type
    assert len({key.casefold() for key in keys.values()}) == len(found)
    assert new_keys(dict(shuffled), PRESETS["jabref"], ["taken2020"]) == keys


def test_three_papers_of_an_author_and_year_are_a_b_c_and_a_later_one_is_d() -> None:
    works = {n: paper(f"Title {n}", "Jane Doe", of_doi=f"10.1000/{n}") for n in range(4)}
    first = new_keys({n: works[n] for n in (2, 0, 1)}, PRESETS["jabref"], [])
    assert first == {0: "Doe2020a", 1: "Doe2020b", 2: "Doe2020c"}
    assert new_keys({3: works[3]}, PRESETS["jabref"], first.values()) == {3: "Doe2020d"}


def test_a_newcomer_takes_the_suffix_and_the_first_keeps_its_key() -> None:
    assert unused_key("Doe2020", {"doe2020"}) == "Doe2020a"
    assert unused_key("DOE2020", {"doe2020", "doe2020a"}) == "DOE2020b"
    assert unused_key("k", {"k", *(f"k{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")}) == "kaa"
