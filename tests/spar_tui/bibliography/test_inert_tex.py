r"""Export escapes dangerous TeX commands; accents, symbols, mathematics and a person's macros still work."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.bibtex import bib_entry
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.formats import Writing, remarks, written
from spar_tui.bibliography.inert_tex import acts, inert
from spar_tui.bibliography.reading.bibtex import read_bibtex
from tests.rows import each

ACTING = [
    r"\input{x}", r"\INPUT{x}", r"\include{x}", r"\immediate\write18{touch x}", r"\openin5=x", r"\openout5=x",
    r"\csname input\endcsname x", r"\begin{input}{x}", r"\begin {input}{x}", r"\end{write}", r"\catcode`\%=12",
    r"\def\x{}", r"\gdef\x{}", r"\let\x\y", r"\newcommand\x{}", r"\DeclareRobustCommand\x{}", r"\directlua{x}",
    r"\special{x}", r"\pdffiledump{x}", r"\XeTeXpicfile x", r"\^^69nput{x}", r"^^5cinput{x}", r"\inp^^75t{x}",
    r"\@input{x}", r"\in@put x", r"\makeatletter", r"\ExplSyntaxOn", r"\InputIfFileExists{x}", r"\includegraphics{|x}",
    r"\lstinputlisting{x}", r"\AtEndDocument{x}", r"\loop\iftrue\repeat", r"\UseName{x}", r"\ShellEscape{x}",
    r"\expandafter\x", r"\begin{filecontents}{x}", r"\begin\x", r"\usepackage{x}", r"\read5 to\x", r"\setcounter{x}{1}",
    r"\CatchFileDef\x{/etc/passwd}{}", r"\code{../x}", r"\shread{~/.netrc}", r"\figure[a=/etc/x]{y}", r"\merge{ |id}",
    r'\import\y{"|id"}', r"\FIG{$HOME/x}", r"\Tool{C:/x}", r"\begin{code}{./x}", r"\eskfile x{ /etc/passwd}",
]  # fmt: skip
HARMLESS = [
    r"G{\"o}del", r"\'{E}mile \c{c}a", r"{\ifmmode\acute{o}\else\'{o}\fi}", r"$\frac{\partial}{x}\left(\Box\right)$",
    r"\begin{pmatrix}1&2\\3\end{pmatrix}", r"\emph{x} \textsc{y} \url{https://example.org/a_b}", r"A\\input",
    r"\doi{10.1000/x} \foo{AC/DC}",    r"\texttt{/etc/passwd}", r"A / B and $|x|$ \foo{b}",
    r"\mymacro{x} \noopsort{1} \cegis", r"\newblock \newline \newton", r"\_\&\%\#\{\}", r"a\,b\ c~d",
    r"\LaTeX{} \BibTeX", r"\textbackslash{}input", r"C\@.",
]  # fmt: skip


@each("value", ACTING)
def test_a_command_that_acts_becomes_text(value: str) -> None:
    latex = inert(value)
    assert latex.commands
    assert inert(latex.text) == (latex.text, ())


@each("value", HARMLESS)
def test_what_only_sets_type_and_what_nobody_knows_stays_as_it_is(value: str) -> None:
    assert inert(value) == (value, ())


@given(st.lists(st.sampled_from([*ACTING, *HARMLESS, "\\", "^", "@", "{", "}", "input", " ", "%\n"])).map("".join))
def test_nothing_that_is_put_together_acts(value: str) -> None:
    assert inert(inert(value).text).commands == ()


def test_a_macro_whose_name_merely_resembles_a_command_is_the_persons_own() -> None:
    assert not any(map(acts, "Package File thread evaluate already newton nutshell Python definition writer".split()))


def test_an_imported_entry_is_named_at_import_and_at_export_and_written_without_its_commands() -> None:
    found = read_bibtex("@misc{k, title={A \\write18{x} title}, note={\\foo{b}}}\n@misc{m, title={\\emph{M}}}")
    [problem] = found.problems
    assert (problem.name, problem.taken) == ("k", True)
    assert "unsafe TeX commands; an export writes them as text: \\write" in problem.reason
    entries = [Entry(entry.key, "other", "", original=entry.original) for entry in found.entries]
    text = written(entries, Writing("bibtex"))
    assert r"title = {A \textbackslash{}write18{x} title}" in text.text
    assert r"note = {\foo{b}}" in text.text
    assert "1 entry (k) had unsafe TeX commands, now written as text: \\write" in " ".join(
        remarks(entries, text.kept, text.inert)
    )


@pytest.mark.skipif(not (shutil.which("pdflatex") and shutil.which("bibtex")), reason="TeX is not installed")
def test_tex_that_may_run_programs_runs_none_and_writes_no_file(tmp_path: Path) -> None:
    values = [rf"\immediate\write18{{touch ran}} \immediate\openout5=made\relax {value}" for value in ACTING]
    entries = read_bibtex("\n".join(
        f"@misc{{k{number}, author={{A, B}}, title={{{{{value}}}}}, year=2000}}" for number, value in enumerate(values)
        if value.count("{") == value.count("}")
    )).entries  # fmt: skip
    texts = [bib_entry(Entry(one.key, "other", "", original=one.original), "bibtex").text for one in entries]
    (tmp_path / "refs.bib").write_text("\n".join(texts))
    (tmp_path / "x.tex").write_text("read")
    (tmp_path / "paper.tex").write_text(
        r"\documentclass{article}\begin{document}\nocite{*}\bibliographystyle{plain}\bibliography{refs}\end{document}"
    )
    tex = ["pdflatex", "-shell-escape", "-interaction=nonstopmode", "paper.tex"]
    for command in (tex, ["bibtex", "paper"], tex):
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert {file.stem for file in tmp_path.iterdir()} == {"refs", "x", "paper"}
    assert "x.tex" not in (tmp_path / "paper.log").read_text(errors="replace")
