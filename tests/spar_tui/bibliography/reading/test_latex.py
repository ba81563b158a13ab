r"""LaTeX from any program's file is read as the text it stands for, and nothing in it is ever run."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.latex import encode
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.reading.bibtex import read_bibtex
from spar_tui.bibliography.reading.latex import decode, decode_styled
from tests.rows import each


@each(
    ("latex", "text"),
    [
        (r"G{\"o}del", "Gödel"),
        (r"G\"odel G\"{o}del {G\"{o}del}", "Gödel Gödel Gödel"),
        (r"\'{\i} \'\i n \'{i} {\'\i}", "í ín í í"),
        (r"\c{c} \c c {\c c} Erd{\H{o}}s \v{S} {\v s} \k{a} \r{a} \u{g} \d{a}", "ç ç ç Erdős Š š ą å ğ ạ"),
        (
            r"\L{}ukasz {\L}odz \o stergaard Sm\o{}rrebr{\o}d Stra\ss e \aa",
            "Łukasz Łodz østergaard Smørrebrød Straße å",
        ),
        (r"\'{\^{o}} {\d{\^{e}}}", "ố ệ"),
        (r"\O{}rsted \AE \DJ or{\dj}evi{\'c} \TH orn", "Ørsted ÆĐorđević Þorn"),
        ("pp. 1--9 --- so", "pp. 1–9 — so"),
        (r"\"o: 1--9 --- so", "ö: 1–9 — so"),
        ("``quoted'' ?`que? O'Neil", "“quoted” ¿que? O'Neil"),
        ("-{}- -{}-{}-", "-- ---"),
        (r"50\% \& \_ \# \$5 \{x\}", "50% & _ # $5 {x}"),
        (r"\textasciitilde{} \textasciicircum{} \textbackslash{} \^{} \~{}", "~ ^ \\ ^ ~"),
        (r"\textbraceleft{}x\textbraceright{}", "{x}"),
        ("{BERT} and m{RNA} {{NYC}}", "BERT and mRNA NYC"),
        (r"\emph{Drosophila} \textit{in vivo} H\textsubscript{2}O {\em so} {\bf b}", "Drosophila in vivo H2O so b"),
        (r"\url{http://x.org/a_b%20c} \href{http://x.org}{here}", "http://x.org/a_b%20c here"),
        (r"a~b\ c\,d", "a b c d"),
        (r"\ldots{} \textendash{} \textquoteright{} \texttrademark", "… – ’ ™"),
        (r"{\LaTeX} is \TeX", "LaTeX is TeX"),
    ],
)
def test_what_programs_write_is_the_text_it_stands_for(latex: str, text: str) -> None:
    assert decode(latex) == text


@each(
    ("latex", "text"),
    [
        ("The `view' from ``here''", "The ‘view’ from “here”"),
        (r"`d{\'e}j\`a vu' and `don't', {`Reeds'}: `{\'E}t{\'e}'", "‘déjà vu’ and ‘don't’, ‘Reeds’: ‘Été’"),
        (r"`{\em Reeds} ``here'' ' \enquote*{there}", "‘Reeds “here” ’ ‘there’"),
        ('"`Schilf "a und `Rohr\'"\' im Moor', '„Schilf "a und ‘Rohr’“ im Moor'),
        *((text, text) for text in ("Hawai`i", '"`x', "5\"'", "the dogs' life", "rock 'n' roll", "`code` of", "`x")),
    ],
)
def test_single_quotation_marks_are_pairs_and_apostrophes_stay(latex: str, text: str) -> None:
    assert decode(latex) == text


@each(
    ("latex", "text"),
    [
        (r"{$x_{1} \to \mu^2$}", r"$x_{1} \to \mu^2$"),
        (r"costs \$5 and $y_\$$", r"costs $5 and $y_\$$"),
        (r"\(a_{b}\) \ensuremath{\alpha}", r"$a_{b}$ $\alpha$"),
        ("$$E = mc^{2}$$", "$$E = mc^{2}$$"),
        ("one $ alone", "one $ alone"),
    ],
)
def test_mathematics_stays_as_it_was_written(latex: str, text: str) -> None:
    assert decode(latex) == text


@each(
    ("macro", "text"),
    [
        (r"\input{/etc/passwd}", r"\input{/etc/passwd}"),
        (r"\write18{rm -rf /}", r"\write{}18rm -rf /"),
        (r"\immediate\openout3=x", r"\immediate{}\openout{}3=x"),
        (r"\csname a\endcsname", r"\csname{}a\endcsname{}"),
        (r"\begin{document}", r"\begin{document}"),
    ],
)
def test_commands_are_only_text_and_are_never_written_as_commands(macro: str, text: str) -> None:
    assert decode(f"A {macro} title") == f"A {text} title".replace("{} title", "{}title")
    written = encode(decode(macro)).text
    assert not re.search(r"\\(?:input|write|immediate|openout|csname|endcsname|begin)(?![a-z])", written)


@each(
    ("latex", "text"),
    [
        (r"\ce{H2O} in \SI{5}{\kilo\gram}", r"\ce{H2O} in \SI{5}{\kilo\gram}"),
        (r"\foo[a]{b{c}} d", r"\foo[a]{b{c}} d"),
        (r"the \NTS team", r"the \NTS{}team"),
        (r"{\NTS} team", r"\NTS{} team"),
        (r"\mathbb{R}-trees", r"\mathbb{R}-trees"),
        (r"\foo{open", r"\foo{}open"),
    ],
)
def test_a_macro_that_nobody_knows_stays_with_its_arguments_and_is_written_again(latex: str, text: str) -> None:
    assert decode(latex) == text
    assert encode(text).text == text
    assert decode(encode(text, protect=True, ascii_only=True).text) == text


@each(
    ("latex", "text"),
    [
        (r"\alpha-helix, \textbaht", "α-helix, ฿"),
        (r"\enquote{so} \mkbibquote{De Motu}", "“so” “De Motu”"),
        (r"\enquote{a \emph{b \enquote{c \enquote{d}}} e} \enquote{f}", "“a b ‘c “d”’ e” “f”"),
        (r"\enquote*{a \enquote{b}} \mkbibparens{\enquote{c}}", "‘a “b”’ (“c”)"),
        (r"{\noopsort{1973c}}1981 \href{http://x.org/{a}}{here} \texorpdfstring{$x$}{x}", "1981 here x"),
        (r"Ro\textcommabelow sia P\a'erez", "Roșia Pérez"),
        (r"A \LaTeXe{} class\emdash so", "A LaTeX2e class—so"),
    ],
)
def test_macros_of_packages_are_the_text_that_they_show(latex: str, text: str) -> None:
    assert decode(latex) == text


@each(
    ("language", "text"),
    [
        ("ngerman", "„a ‚b „c“‘“ ‚d „e“‘"), ("french", "«a “b ‘c’”» “d ‘e’”"), ("english", "“a ‘b “c”’” ‘d “e”’"),
        ("", "“a ‘b “c”’” ‘d “e”’"),
    ],
)  # fmt: skip
def test_quotation_marks_are_those_of_the_works_language(language: str, text: str) -> None:
    title = r"\enquote{a \enquote{b \enquote{c}}} \enquote*{d \enquote{e}}"
    [entry] = read_bibtex(f"@misc{{k, title = {{{title}}}, langid = {{{language}}}}}").entries
    assert entry.paper.title == text


@each(
    ("latex", "styled"),
    [
        (r"\emph{Drosophila} \textbf{b}", "<i>Drosophila</i> <b>b</b>"),
        (
            r"H\textsubscript{2}O, 5\textsuperscript{th}, \textsc{Nasa}",
            "H<sub>2</sub>O, 5<sup>th</sup>, <scp>Nasa</scp>",
        ),
        (r"{\em so {\bf on}} on", "<i>so <b>on</b></i> on"),
        (r"all \em of it", "all <i>of it</i>"),
        ('A {"}strange{"} book {--} 3{,}5', 'A "strange" book – 3,5'),
        (r"{L}yapunov and {\"O}zg{\"u}r", '<span class="nocase">L</span>yapunov and Özgür'),
        (r"\mbox{A} \href{http://x.org}{B} {{\"O}zg} {$x$} {}y", 'A B <span class="nocase">Özg</span> $x$ y'),
        (r"\'{\emph{o}}", "<i>ó</i>"),
    ],
)
def test_emphasis_and_protecting_braces_are_tags_in_a_styled_title(latex: str, styled: str) -> None:
    assert decode_styled(latex).styled == styled
    assert decode_styled(encode(styled, protect=True, ascii_only=True).text).styled == styled


@each("broken", ["{", "}", "{{{x", "x}}}", "\\", '\\"', "$", "$x", r"\'", r"\'{", '{\\"', "\\url{", "\\href{x", "\\("])
def test_what_is_broken_is_read_as_far_as_it_goes(broken: str) -> None:
    assert decode(f"{broken} end").endswith("nd")


def test_the_deepest_nesting_costs_no_stack() -> None:
    assert decode("{" * 50_000 + "x" + "}" * 50_000) == "x"
    assert decode(r"\'{" * 50_000 + "o" + "}" * 50_000).startswith("ó")


@given(st.text(st.characters(exclude_characters="\\{}$~`'?!-", exclude_categories=["Cs"])))
def test_text_without_markup_is_itself(text: str) -> None:
    assert decode(text) == unicodedata.normalize("NFC", text)


@given(st.text(st.characters(codec="utf-8")))
def test_any_input_gives_text_in_composed_form(latex: str) -> None:
    text = decode(latex)
    assert unicodedata.is_normalized("NFC", text)


LATEX = st.lists(
    st.sampled_from(r"\ce{ \foo \foo[ \emph{ \em \bf \'{ \" \ss \alpha \url{ \enquote{ { } [ ] $ ~ \\ \{".split())
    | st.text("aBé -`'?", max_size=4),
    max_size=12,
).map("".join)  # fmt: skip


@given(LATEX)
def test_any_latex_is_read_and_read_the_same_after_it_was_written(latex: str) -> None:
    """Once read, text stays what it is: through LaTeX of ours and through reading it again."""
    text = plain(decode(latex))
    assert plain(decode(encode(text, ascii_only=True).text)) == text


@given(LATEX)
def test_style_is_all_that_a_styled_title_has_more(latex: str) -> None:
    assert re.sub(r"</?(?:i|b|span)(?: class=\"nocase\")?>", "", decode_styled(latex).styled) == decode(latex)


@given(st.text("abcÄé ,.:", max_size=30))
def test_protecting_braces_change_nothing(text: str) -> None:
    assert decode("{" + text + "}") == decode(text)


_ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
            "H": "\u030b", "c": "\u0327", "v": "\u030c", "u": "\u0306", "k": "\u0328", "r": "\u030a"}  # fmt: skip


@given(
    st.sampled_from(sorted(_ACCENTS)),
    st.sampled_from("aeoucnszAEOUCNSZ"),
    st.sampled_from([r"\%s{%s}", r"{\%s{%s}}", r"{\%s %s}"]),
)
def test_every_way_to_put_an_accent_on_a_letter_is_the_accented_letter(accent: str, letter: str, way: str) -> None:
    assert decode(way % (accent, letter)) == unicodedata.normalize("NFC", letter + _ACCENTS[accent])
