"""LaTeX that means what the record says and never breaks the file around it."""

import re

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.latex import encode, verbatim
from spar_tui.bibliography.markup import plain, tidy
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.latex import decode
from tests.rows import each

TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*"{}\\$%&#_^~-'`\"<>@ aZé", "$x_1$", "\\{", "<i>", "</i>", "$$", "--"]), max_size=25).map(
        "".join
    ),
)


def depth_is_sound(text: str) -> bool:
    """Whether braces are balanced as biber and BibTeX count them: escaped ones too."""
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


@given(TEXTS, st.booleans(), st.booleans())
def test_braces_are_balanced_whatever_the_text(text: str, ascii_only: bool, protect: bool) -> None:
    assert depth_is_sound(encode(text, ascii_only=ascii_only, protect=protect).text)


@given(TEXTS, st.booleans())
def test_nothing_is_left_that_tex_would_read_as_a_comment_a_column_or_a_parameter(text: str, protect: bool) -> None:
    assert not re.search(r"(?<!\\)(?:\\\\)*[%&#]", encode(text, protect=protect).text)


@given(TEXTS)
def test_a_field_stays_on_one_line(text: str) -> None:
    assert not re.search(r"[\n\r\x00-\x08]", encode(text).text)


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=0x24F), max_size=40))
def test_what_stays_beyond_ascii_is_named(text: str) -> None:
    encoded = encode(text, ascii_only=True)
    assert set(encoded.text) - set(map(chr, range(128))) == set("".join(encoded.kept))


@given(st.text(alphabet="abcXYZ áéíóúäöüßøåæłňčžőşãñ,.;:()", max_size=40))
def test_latin_letters_become_ascii_and_lose_nothing(text: str) -> None:
    encoded = encode(text, ascii_only=True, protect=True)
    assert encoded.text.isascii()
    assert not encoded.kept
    assert decode(encoded.text) == tidy(text)


@given(st.lists(st.sampled_from(["‘Reeds’", "‘don't’", "“‘Été’ b”", "O'Neil", "`x'", "?", "a", "<i>‘x’</i>", "$y'$"])))
def test_single_quotation_marks_and_apostrophes_come_back_through_ascii(words: list[str]) -> None:
    text = " ".join(words)
    for protect in (False, True):
        encoded = encode(text, ascii_only=True, protect=protect)
        assert encoded.text.isascii()
        assert decode(encoded.text) == plain(text)


@each(
    ("text", "latex"),
    [
        ("for 50% of cases", r"for 50\% of cases"),
        ("R&D in C# of x_1 for $5", r"R\&D in C\# of x\_1 for \$5"),
        ("a~b^c\\d", r"a\textasciitilde{}b\textasciicircum{}c\textbackslash{}d"),
        ("a { b", r"a {\textbraceleft} b"),
        (r"decay $B^0_s \to \mu$ at 5%", r"decay $B^0_s \to \mu$ at 5\%"),
        ("$5 and $10", r"\$5 and \$10"),
        ("$open { brace$", r"\$open {\textbraceleft} brace\$"),
        (r"$\input{x}$", r"\$\textbackslash{}input{\textbraceleft}x{\textbraceright}\$"),
        ("<i>E. coli</i> H<sub>2</sub>O", r"\emph{E. coli} H\textsubscript{2}O"),
        ("<jats:italic>x</jats:italic> a &amp; b", r"\emph{x} a \& b"),
        ("a<b and c>d", "a<b and c>d"),
        ("a -- b", "a -{}- b"),
    ],
)
def test_special_text_is_escaped(text: str, latex: str) -> None:
    assert encode(text).text == latex


@each("text", ["Þór Ðóra þð", "Nguyễn ặ ế", "Ștefan Țepeș", "Đặng đ ŋ"])
def test_all_macros_of_latex_leave_nothing_beyond_ascii_and_are_read_back(text: str) -> None:
    latex = encode(text, ascii_only="all").text
    assert (latex.isascii(), decode(latex)) == (True, text)


@each(
    ("text", "latex"),
    [
        ("Erdős", r"Erd{\H{o}}s"),
        ("García", r"Garc{\'{i}}a"),
        ("Łukasz ß ø", r"{\L}ukasz {\ss} {\o}"),
        ("Đặng", "Đặng"),
        ("обзор — α", "обзор --- α"),
    ],
)
def test_ascii_mode_uses_only_the_macros_that_every_reader_knows(text: str, latex: str) -> None:
    assert encode(text, ascii_only=True).text == latex


@each(
    ("title", "latex"),
    [
        ("BERT in NYC: mRNA", "{BERT} in {NYC}: {mRNA}"),
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("GPT-4 and I/O", "{GPT}-4 and I/O"),
        ("ALL THE CAPITALS OF THE WORLD", "ALL THE CAPITALS OF THE WORLD"),
    ],
)
def test_only_words_with_inner_capitals_are_protected(title: str, latex: str) -> None:
    assert encode(title, protect=True).text == latex


@given(TEXTS)
def test_an_address_is_only_encoded_where_it_would_break_the_field(text: str) -> None:
    written = verbatim(text)
    assert not re.search(r"[{}\\\s]", written)
    assert verbatim(written) == written


def test_an_address_keeps_its_percent_signs_and_underlines() -> None:
    assert verbatim("https://x.org/a_b%20c?d&e#f {g}") == "https://x.org/a_b%20c?d&e#f%20%7Bg%7D"


@given(TEXTS)
def test_tidy_text_is_tidy(text: str) -> None:
    assert tidy(tidy(text)) == tidy(tidy(tidy(text)))
    assert "\n" not in plain(text)


def test_html_entities_of_an_imported_field_go_out_as_characters_and_each_ampersand_of_text_escaped() -> None:
    [read] = read_bibtex(
        "@book{k, title={A &amp; B \\&amp; caf&eacute; at https://e.org/?a&b & C}, url={e.org/?a&amp;b}}"
    ).entries
    text = bib_entry(Entry("k", "book", "A & B", original=read.original), "biblatex").text
    assert "title = {A \\& B \\& café at https://e.org/?a&b \\& C}," in text
    assert "url = {e.org/?a&b}," in text


def test_fields_that_no_style_prints_go_out_as_they_came() -> None:
    fields = {name: f"{name} A & B &amp; C" for name in ("abstract", "keywords", "sorttitle", "usera", "x-linkout")}
    written = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    [read] = read_bibtex(f"@book{{k,\n  title = {{T}},\n{written}}}").entries
    assert written in bib_entry(Entry("k", "book", "T", original=read.original), "biblatex").text


def test_a_bare_ampersand_of_an_imported_field_goes_out_escaped_but_for_tables_math_and_addresses() -> None:
    [read] = read_bibtex(
        "@book{k, publisher={Wiley & Sons}, title={Law \\& Order}, note={$a & b$}, annote={\\url{www.e.org/?a&b}},\n"
        "abstract={\\begin{tabular}{cc}1&2\\end{tabular}}, url={https://e.org/?a&b}}"
    ).entries
    text = bib_entry(Entry("k", "book", "Law & Order", original=read.original), "biblatex").text
    assert "publisher = {Wiley \\& Sons}," in text
    assert "title = {Law \\& Order}," in text
    assert all(f"{{{kept}}}" in text for kept in ("$a & b$", "\\url{www.e.org/?a&b}", "https://e.org/?a&b"))
    assert "1&2" in text
