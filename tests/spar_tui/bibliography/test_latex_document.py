"""A summary as a LaTeX document: it compiles whatever papers say, and prints what they say as it stands."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from spar_tui.bibliography.latex_document import latex_document, remarks
from spar_tui.bibliography.markdown import escaped
from tests.spar_tui.bibliography.validators import needed

HOSTILE = (
    "[1] begins with a bracket",
    r"\input{/etc/passwd} \end{document} 100 % of $x_1^2$ & #3 {a ~ \\ `code` *stars* ~~gone~~ <b>bold</b>",
    "Gödel’s “naïve” café – Łódź, Dvořák, Æsir, ß: 5 µm ± 2 °C, α ≤ β → γ, 10⁻³, H₂O",
    "中文 русский عربى 𝛼 😀 e\u0323\u0301 a\u200bb",
    "--- ``quotes'' ?` << >>",
)
ENTRIES = '@misc{one,\n  author = {G{\\"{o}}del, Kurt},\n  title = {Über 中 und $\\alpha$},\n  year = 1931,\n}\n'


def document(*texts: str, cite: str = "cite") -> str:
    """A summary with `texts` wherever words of a person or a paper can stand."""
    every = " ".join(map(escaped, texts))
    lines = [f"# {every}", "", f"> {every}"]
    for text in texts:
        lines += ["", f"## 1 {escaped(text)}", "", f"{escaped(text)} \\{cite}{{one}}", "", f"*{escaped(text)}*"]
        lines += ["", f"- {escaped(text)}", f"   - ~~{escaped(text)}~~: `{text[0]}` <https://a.org/b_c%20~d#e>", "- b"]
        lines += ["", "| paper | data |", "|---|---|", f"| \\{cite}{{one}} | {escaped(text)} |", "| [1] |  |"]
    return latex_document(lines, "refs", ENTRIES, biblatex=cite == "autocite")


@pytest.mark.parametrize(
    "cite",
    [
        pytest.param("cite", marks=needed("latexmk", "pdflatex", "bibtex")),
        pytest.param("autocite", marks=needed("latexmk", "pdflatex", "biber", "biblatex.sty", "etoolbox.sty")),
    ],
)
def test_a_document_compiles_whatever_stands_in_its_papers(tmp_path: Path, cite: str) -> None:
    (tmp_path / "paper.tex").write_text(document(*HOSTILE, cite=cite), "utf-8")
    (tmp_path / "refs.bib").write_text(ENTRIES, "utf-8")
    command = ["latexmk", "-pdf", "-halt-on-error", "paper.tex"]
    ran = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, env=_environment(tmp_path)
    )
    log = (tmp_path / "paper.log").read_text("latin-1")
    assert ran.returncode == 0, log[-2000:]
    assert "undefined" not in log
    assert "root:" not in log


def _environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home)}


def test_what_looks_like_a_macro_or_math_in_a_text_is_printed_and_not_carried_out() -> None:
    body = document(r"\input{x} costs $5 & 3 %").partition(r"\begin{document}")[2]
    assert r"\textbackslash{}input{\textbraceleft}x{\textbraceright} costs \$5 \& 3 \%" in body
    assert r"\input" not in body


def test_headings_lists_and_citations_become_those_of_latex() -> None:
    lines = ["# T", "", "## 1 A", "", "Said \\cite{a,b}.", "", "- x", "   - y", "- z", "", "*Doubt*"]
    body = latex_document(lines, "refs").partition(r"\maketitle")[2]
    assert [line for line in body.splitlines() if line] == [
        r"\section{A}", r"Said \cite{a,b}.", r"\begin{itemize}", r"\item {}x", r"\begin{itemize}", r"\item {}y",
        r"\end{itemize}", r"\item {}z", r"\end{itemize}", r"\emph{Doubt}", r"\bibliographystyle{unsrtnat}",
        r"\bibliography{refs}", r"\end{document}",
    ]  # fmt: skip


def test_a_document_for_biblatex_keeps_its_commands_and_names_its_file_in_the_preamble() -> None:
    document = latex_document(["# T", "", "Said \\autocite{a,b}."], "refs", biblatex=True)
    preamble, _, body = document.partition(r"\maketitle")
    assert r"\addbibresource{refs.bib}" in preamble
    assert "natbib" not in preamble
    assert [line for line in body.splitlines() if line] == [
        r"Said \autocite{a,b}.", r"\printbibliography", r"\end{document}"
    ]  # fmt: skip


def test_a_document_that_cites_nothing_asks_for_no_bibliography() -> None:
    assert r"\bibliography" not in latex_document(["# T", "", "Nothing was found."])


def test_letters_that_latex_may_not_know_are_told_and_others_not() -> None:
    [told] = remarks(document("α and 中 for 5 µm – 3 €"))
    assert told.endswith(": 中")
    assert remarks(latex_document(["# T", "", "Gödel ≤ α"])) == []


def test_every_letter_beyond_ascii_is_declared_for_pdflatex_once() -> None:
    declared = re.findall(r"\\known\{(.)\}", document("αα 中 α"))
    assert sorted(declared) == sorted(set(declared))
    assert set(declared) >= {"α", "中", "Ü"}
