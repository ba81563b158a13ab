"""Which keys a document cites, read as LaTeX and biber read it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.cited_in import MOST_FILES, cited_in
from spar_tui.errors import Failure, UsageError


def keys(folder: Path, text: str, name: str = "paper.tex") -> list[str]:
    file = folder / name
    file.write_text(text, "utf-8")
    return list(cited_in(file).keys)


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        (r"\cite{a}", "a"),
        (r"\cite{a, b,a} and \citep[see][p.~3]{c}", "a b c"),
        ("\\cite{%\n  a,\n  b }", "a b"),
        (r"\textcites(x)(y)[3]{d}[4]{e,f}{g}, {h}", "d e f g"),
        (r"\citet*{a} \Citeauthor{b} \autocite*[\emph{x} [y]]{c} \footfullcite{d} \nocite{e}", "a b c d e"),
        (r"100\% \cite{a} % \cite{b}", "a"),
        (r"\\% \cite{b}", ""),
        (r"\verb|\cite{a}| \begin{verbatim}\cite{b}\end{verbatim} \iffalse\cite{c}\fi \cite{d}", "d"),
        (r"\newcommand{\mine}[1]{\cite{#1}} \citestyle{authoryear} \setcitestyle{round}", ""),
        (r"\cite {a} \cite[] {b}", "a b"),
        (r"\cite{10.1000/x:1_2} \cite{müller2020}", "10.1000/x:1_2 müller2020"),
        (r"\begin{verbatim} \cite{a}", "a"),
        (r"\volcite{2}{a} \pvolcite[see]{3}[p.~1]{b} \volcites{1}{c}{2}[5]{d}", "a b c d"),
        (
            r"\citetext{priv.\ comm.} \citetalias{a} \defcitealias{b}{Paper I} \citeA<see>[p.~1]{c} \shortciteNP{d}",
            "a b c d",
        ),
        (r"\textcquote[p.~1]{a}{so} \foreignblockcquote{german}[5]{b}{so} \begin{displaycquote}[7]{c}", "a b c"),
        (r"\AtEveryCitekey{\clearfield{note}} \setlength{\citeskip}{1em} \bibentry{a} \citename{b}{author}", "a b"),
        (r"\begin{document}\cite{a}\end{document} \cite{b}", "a"),
        (r"\newcommand{\eg}[2]{(e.g.\ \citealt[#1]{#2})} \eg{p.~2}{a} \eg {{\em ch.}~3} {b,c}", "a b c"),
        (r"\newcommand\notecite[2][]{\footnote{\cite[#1]{#2}}} \notecite[p.~1]{a} \notecite{b}", "a b"),
        (r"\NewDocumentCommand{\pc}{s o m m}{\cite[#2]{#4}, #3} \pc*[x]{so}{a} \pc{so}{b}", "a b"),
        (r"\def\both#1#2{\cite{#1,seen,#2}} \both{a}{b}", "seen a b"),
        (
            r"\let\tc\textcite \newcommand{\pcs}{\parencite*} \newcommand{\two}[1]{\tc{#1}} \tc{a} \pcs{b} \two{c}",
            "a b c",
        ),
        (r"\newcommand{\unused}[2]{\cite{#2} \unended{x}", ""),
    ],
)
def test_the_keys_of_citing_commands_are_read_in_order_and_once(text: str, cited: str, tmp_path: Path) -> None:
    assert keys(tmp_path, text) == cited.split()


def test_files_taken_in_are_read_where_they_are_taken_in(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.tex").write_text(r"\cite{b}\input{parts/deep}", "utf-8")
    (tmp_path / "parts" / "deep.tex").write_text(r"\cite{c}", "utf-8")
    (tmp_path / "two.tex").write_text(r"\cite{e}", "utf-8")
    (tmp_path / "parts" / "three.tex").write_text(r"\cite{f}", "utf-8")
    text = r"\cite{a}\include{parts/one}\cite{d}\input two.tex \import{parts/}{three}"
    assert keys(tmp_path, text) == list("abcdef")


def test_a_command_defined_in_a_file_taken_in_cites_in_the_others(tmp_path: Path) -> None:
    (tmp_path / "commands.tex").write_text(r"\newcommand{\eg}[2]{\cite[#1]{#2}}", "utf-8")
    (tmp_path / "one.tex").write_text(r"\eg{p.~1}{b}", "utf-8")
    assert keys(tmp_path, r"\input{commands}\eg{}{a}\input{one}\eg{see}{c}") == list("abc")


def test_files_that_take_in_each_other_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "one.tex").write_text(r"\cite{b}\input{paper}\input{one}", "utf-8")
    assert keys(tmp_path, r"\cite{a}\input{one}\input{./one}\cite{c}") == list("abc")


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    file = tmp_path / "paper.tex"
    file.write_text(r"\input{gone}\cite{a}", "utf-8")
    found = cited_in(file)
    assert list(found.keys) == ["a"]
    assert found.missing == {"gone": f"no such file: {tmp_path / 'gone.tex'}."}


def test_everything_is_asked_for_by_a_star(tmp_path: Path) -> None:
    file = tmp_path / "paper.tex"
    file.write_text(r"\nocite{*}\cite{a}", "utf-8")
    found = cited_in(file)
    assert found.everything
    assert list(found.keys) == ["a"]


def test_an_aux_file_is_read_with_those_of_its_chapters(tmp_path: Path) -> None:
    (tmp_path / "one.aux").write_text("\\relax\n\\citation{b,c}\n", "utf-8")
    text = "\\citation{a}\n\\@input{one.aux}\n\\abx@aux@cite{0}{d}\n\\abx@aux@cite{e}\n\\citation{biblatex-control}\n"
    assert keys(tmp_path, text, "paper.aux") == list("abcde")


def test_bibers_file_is_read_without_the_sets_it_declares(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]>\n<bcf:controlfile><bcf:section number="0">'
        '<bcf:citekey order="1" intorder="1">a&amp;b</bcf:citekey><bcf:citekey type="set" members="c,d">e</bcf:citekey>'
        '<bcf:citekey order="2" nocite="1">c</bcf:citekey><bcf:citekey>*</bcf:citekey>'
    )
    file = tmp_path / "paper.bcf"
    file.write_text(text, "utf-8")
    found = cited_in(file)
    assert (list(found.keys), found.everything) == (["a&b", "c"], True)


def test_a_document_in_an_old_encoding_is_read(tmp_path: Path) -> None:
    file = tmp_path / "paper.tex"
    file.write_bytes("é \\cite{a}".encode("latin-1"))
    assert list(cited_in(file).keys) == ["a"]


@pytest.mark.parametrize("name", ["paper.pdf", "refs.bib", "paper"])
def test_other_files_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"citations can be read from \.tex"):
        keys(tmp_path, "", name)


def test_a_document_without_end_is_refused(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 1):
        (tmp_path / f"f{number}.tex").write_text(rf"\input{{f{number + 1}}}", "utf-8")
    with pytest.raises(Failure, match="includes more than"):
        cited_in(tmp_path / "f0.tex")


PIECES = (r"\begin{verbatim}", r"\end{verbatim}", r"\verb|", r"\cite", r"\input{", *"{}[]()%\n\\", "a,", "#1")


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_is_read(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    keys(tmp_path_factory.mktemp("any"), text)


def test_commands_that_only_begin_like_one_that_takes_a_file_in_take_none(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(
        "\\includeonly{one}\\includegraphics[width=1cm]{fig.png}\\includepdf[pages=-]{x.pdf}"
        "\\inputminted{python}{x.py}\\cite{k1}"
    )
    found = cited_in(tmp_path / "a.tex")
    assert (list(found.keys), found.missing) == (["k1"], {})


def test_a_file_that_may_be_missing_is_not_missed(tmp_path: Path) -> None:
    (tmp_path / "there.tex").write_text(r"\cite{b}")
    text = r"\IfFileExists{gone.tex}{\input{gone}}{} \InputIfFileExists{there}{}{} \InputIfFileExists{off}{}{}\cite{a}"
    (tmp_path / "a.tex").write_text(text)
    found = cited_in(tmp_path / "a.tex")
    assert (list(found.keys), found.missing) == (["b", "a"], {})


MARKDOWN = """As @a says [see @b, pp. 33; also -@c; @{https://x.org/d}], and @e. Not me@x.org, \\@f or `@g`.
```python
@decorator
```
<!-- @no --> [link](https://x.org/@user) https://x.org/@who [@a:b_1.2]
"""
TYPST = """#import "@preview/no:1.0.0": plot
@a, @b[p. 7] and #cite(<c>, form: "prose") #cite(label("DBLP:d/1")). // @no
= One <one>
@one `@no` @e.
"""
ORG = """[cite:@a] [cite/t:see @b p. 3;and @c] citep:d,e cite:&f;&g
# @no
#+begin_src python
[cite:@no]
#+end_src
#+begin_example
cite:no
#+end_example
: [cite:@no]
  : as [cite:@no] here
:
=[cite:@no]= [cite/nocite:@h] [[citet:see &i p. 3;&j]] [[cite:k,l][p. 3]]
"""


@pytest.mark.parametrize(
    ("name", "text", "cited"),
    [
        ("a.md", MARKDOWN, "a b c https://x.org/d e a:b_1.2"),
        ("a.qmd", "See @fig-one and [@a]. @sec:two {#sec:two}", "a"),
        ("a.typ", TYPST, "a b c DBLP:d/1 e"),
        ("a.org", ORG, "a b c d e f g h i j k l"),
    ],
)
def test_documents_in_other_languages_cite_as_these_do(name: str, text: str, cited: str, tmp_path: Path) -> None:
    assert keys(tmp_path, text, name) == cited.split()


@given(st.recursive(st.sampled_from(("@no", "// @no", " ", "*", "/")), lambda inner: st.lists(inner).map(
    lambda parts: f"/*{' '.join(parts)}\n*/"), max_leaves=8))  # fmt: skip
def test_comments_of_typst_in_comments_cite_nothing(tmp_path_factory: pytest.TempPathFactory, inside: str) -> None:
    text = f"@a /* {inside} /* @no */ @no */ @b /* @no"
    assert keys(tmp_path_factory.mktemp("typst"), text, "a.typ") == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "text"), [("a.qmd", "{{< include b.qmd >}}"), ("a.typ", '#include "b.typ"'), ("a.org", "#+include: b.org")]
)
def test_they_take_in_files_too(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name.replace("a", "b")).write_text("@b" if "org" not in name else "[cite:@b]")
    found = keys(tmp_path, text, name)
    assert found == ["b"]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("@a\n\n    @no\n\n    @no\n\n@b", "a b"),
        ("\t@no\n@a", "a"),
        ("@a\n    @b goes on", "a b"),
        ("- one\n\n    @a\n\n      @no\n- two\n\n  @b\n\n@c\n\n    @no", "a b c"),
        ("- one\n    - two\n\n      @a\n\n    @b", "a b"),
        ("12. one\n\n    @a\n\n        @no", "a"),
        ("[^1]: Note.\n\n    @a\n\nTerm\n\n:   Meaning\n\n    @b", "a b"),
        ("- one\n\n  ```\n  @no\n  ```\n\n  @a", "a"),
    ],
)
def test_indented_code_of_markdown_cites_nothing_but_indented_text_does(text: str, cited: str, tmp_path: Path) -> None:
    assert keys(tmp_path, text, "a.md") == cited.split()


def test_everything_is_asked_for_in_the_references_of_markdown(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nnocite: |\n  @*\n---\n@a")
    assert cited_in(tmp_path / "a.md").everything


@pytest.mark.parametrize("name", ["a.md", "a.typ", "a.org"])
@given(
    st.lists(
        st.sampled_from(("@", "[cite:", "`", "~", "=", "a", "]", "<", ">", "/*", "{", "\n", "#+begin_src", " ")),
        max_size=30,
    )
)
def test_any_text_of_theirs_is_read(tmp_path_factory: pytest.TempPathFactory, name: str, text: list[str]) -> None:
    keys(tmp_path_factory.mktemp("any"), "".join(text), name)
