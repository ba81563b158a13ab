"""What a person can rely on in every text that spar shows."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.records.clean import clean_text, harmless, styled_text, whole_text
from tests.rows import each
from tests.work import grows_evenly

BAD_INPUTS = Path(__file__).parents[4] / "shared" / "faults" / "bad-inputs.json"
MARKUP = st.sampled_from(
    [
        *("<i>", "</i>", "<jats:p>", "&lt;", "&amp;", "&gt;", "$", "<b", ">", "<script>", "</script>", "<!--", "-->"),
        *("\x1b[31m", "\x1b]0;t\x07", "\x9b2J", "\x00", "\u202e", "\u200b", "&#x202e;", "\ud800", "e" + "\u0301" * 5),
    ]
)
HOSTILE = st.lists(st.one_of(MARKUP, st.text(max_size=6)), max_size=30).map("".join)


@given(HOSTILE)
def test_cleaning_twice_changes_nothing(raw: str) -> None:
    once = clean_text(raw)
    assert clean_text(once) == once


@given(HOSTILE, st.integers(min_value=2, max_value=40))
def test_no_clean_text_is_longer_than_its_cap(raw: str, cap: int) -> None:
    assert len(clean_text(raw, cap)) <= cap


@given(HOSTILE)
def test_nothing_invisible_or_commanding_is_left(raw: str) -> None:
    categories = {unicodedata.category(character) for character in clean_text(raw)}
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Nd"], exclude_characters="$"), max_size=60))
def test_ordinary_words_are_left_as_they_are(words: str) -> None:
    assert clean_text(words) == unicodedata.normalize("NFC", words)


def test_a_tag_in_a_text_changes_nothing_of_the_rest() -> None:
    for code in range(0x3100):
        character = chr(code)
        if character not in "<>&;":
            assert clean_text(f"a {character} b") == clean_text(f"a<i></i> {character} b"), hex(code)


@given(HOSTILE)
def test_a_tag_before_a_text_changes_nothing_of_it(raw: str) -> None:
    assert clean_text(raw) == clean_text(f"<i></i>{raw}")


@each("opening", ["<!--", "<script>", "</script><style>", "<template></style>"])
def test_a_text_made_to_waste_time_is_no_more_work_than_any(opening: str) -> None:
    """What is opened a hundred thousand times and never closed took minutes."""
    clean_text(opening * 100_000, 50_000)
    assert grows_evenly(lambda times: clean_text(opening * times, 50_000), 1_000)


@each("depth", [2, 3, 20, 40_000])
@each(("outer", "inner"), [("<b", ">"), ("<i ", "/>"), ("&", "amp;lt;"), ("&#38;", "#38;")])
def test_markup_in_any_number_of_layers_ends_as_plain_text(outer: str, inner: str, depth: int) -> None:
    shown = clean_text(outer * depth + inner * depth)
    assert clean_text(shown) == shown
    assert not any(sign in shown for sign in ("<b>", "<i", "&amp;"))


def test_a_text_is_unwrapped_as_often_as_any_service_wraps_it() -> None:
    assert (
        clean_text("&amp;amp;lt;i&amp;amp;gt;in <b<b>> vitro&amp;amp;lt;/i&amp;amp;gt; x &#38;lt; y")
        == "in vitro x < y"
    )


def test_a_text_over_its_bound_is_cut_before_it_is_cleaned() -> None:
    assert clean_text("word " * 10_000_000, 50).startswith("word word")
    assert whole_text(" " * 10_000_000 + "word", 50) == ""


@each(
    ("raw", "shown"),
    [
        ("Role of <i>in vitro</i> x", "Role of in vitro x"),
        ("CO<sub>2</sub> in H<sub>2</sub>O", "CO2 in H2O"),
        ("<jats:p>One.</jats:p><jats:p>Two.</jats:p>", "One. Two."),
        ('<a href="https://evil.invalid" onclick="x()">Nature</a>', "Nature"),
        ("&lt;p&gt;double &amp;amp; escaped&lt;/p&gt;", "double & escaped"),
        ("p < 0.05 and q > 3", "p < 0.05 and q > 3"),
        ("if a<b and c>d", "if a<b and c>d"),
        ("the bound $a<b>c$ holds", "the bound $a<b>c$ holds"),
        ("AT&T R&D, fish&parasites", "AT&T R&D, fish&parasites"),
        ("costs $5 <i>and</i> $6", "costs $5 and $6"),
        ("line\nbreak\tand  spaces", "line break and spaces"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]52;c;UFdORUQ=\x07Clip", "Clip"),
        ("safe \u202egpj.exe", "safe gpj.exe"),
        ("soft\u00adhyphen and zero\u200bwidth", "softhyphen and zerowidth"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("a<script>alert(1)</script>b", "a b"),
        ("漢字 and Ωμέγα", "漢字 and Ωμέγα"),
        (None, ""),
        (17, ""),
    ],
)
def test_what_is_shown_of_a_foreign_text(raw: object, shown: str) -> None:
    assert clean_text(raw) == shown


def test_a_text_that_was_cut_says_so() -> None:
    assert clean_text("word " * 100, 50).endswith("…")


@given(st.text(), st.integers(1, 40))
def test_a_text_that_must_be_whole_is_there_whole_or_not_at_all(raw: str, cap: int) -> None:
    whole = clean_text(raw)
    assert whole_text(raw, cap) == (whole if len(whole) <= cap else "")


@pytest.mark.skipif(not BAD_INPUTS.exists(), reason="shared/faults/bad-inputs.json is not beside this checkout")
def test_known_hostile_texts_lose_their_commands_and_keep_their_words() -> None:
    read = json.loads(BAD_INPUTS.read_text("utf-8"))
    cases = read if isinstance(read, list) else read["cases"]
    hostile = [
        c for c in cases if c["class"] in ("term_escape", "unicode", "markup") and isinstance(c.get("payload"), str)
    ]
    assert hostile
    for case in hostile:
        shown = clean_text(case["payload"])
        assert all(unicodedata.category(char) not in ("Cc", "Cf", "Cs") for char in shown), case["id"]
        assert "\x1b" not in shown, case["id"]
        assert clean_text(shown) == shown, case["id"]


@each(
    ("raw", "styled"),
    [
        ("Role of <i>in vitro</i> x", "Role of <i>in vitro</i> x"),
        ("CO<sub>2</sub> in  H<sub>2</sub>O", "CO<sub>2</sub> in H<sub>2</sub>O"),
        ('On <span class="nocase">L</span>yapunov', 'On <span class="nocase">L</span>yapunov'),
        ("The <i> E. coli </i> strain", "The <i>E. coli </i>strain"),
        ("A <b>bold</b> <script>x</script>word", "A <b>bold</b> word"),
        ("plain", ""),
        ("a < b", ""),
        ("<p>One</p> two", ""),
        (None, ""),
    ],
)
def test_the_style_of_a_title_is_known_beside_its_text(raw: object, styled: str) -> None:
    assert styled_text(raw, clean_text(raw)) == styled


@given(HOSTILE)
def test_a_styled_text_is_the_clean_one_with_tags(raw: str) -> None:
    styled = styled_text(raw, clean_text(raw))
    assert styled == "" or clean_text(styled) == clean_text(raw)


def test_a_text_of_a_file_keeps_its_lines_and_loses_what_nobody_sees() -> None:
    hidden = "\u200b\u2060\ufeff\U000e0041\u202e\x1b[2J"
    assert harmless(f"one{hidden}\r\ntwo\t{hidden}x") == "one\ntwo\tx"
    assert harmless("می‌خواهم") == "می‌خواهم", "a joiner is how a word is spelled"
