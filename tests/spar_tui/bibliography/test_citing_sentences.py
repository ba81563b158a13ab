"""The sentences of a document that cite: their words, their keys and their lines."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spar_tui.bibliography.citing_sentences import CitingSentence, citing_sentences

TEX = r"""\documentclass{article}
\newcommand{\mine}[1]{\cite{#1}}
\begin{document}
\section{Introduction \cite{heading}}
Deep nets~\cite{a,b} work well
% a comment ends no paragraph
on images~\citep[see][p. 3]{c}. Smith et al.\ found 12.4\,\% more.\cite{d} \citet{e} show that
it is \emph{fast} (Figure~\ref{fig:x}). Nothing is cited here.\footnote{A note says so too~\autocite{f}.}

\begin{verbatim}
\cite{shown}

\end{verbatim}
\begin{itemize}
\item One thing \parencites{g}{h} is ``true''.
\end{itemize}
\nocite{*}
\end{document}
Behind the end \cite{unread}.
"""
MARKDOWN = """---
bibliography: refs.bib
---
Foxes bark [see @doe99, pp. 33-35; also @smith04] a lot. As @jones says, they do.

- An item with 3 things [-@k].

```
@code
```
Last [@z].
"""


def read(folder: Path, name: str, text: str) -> list[CitingSentence]:
    (folder / name).write_text(text)
    return list(citing_sentences([folder / name]))


def test_latex_gives_plain_sentences_with_keys_in_brackets(tmp_path: Path) -> None:
    assert [(one.line, one.text) for one in read(tmp_path, "a.tex", TEX)] == [
        (5, "Deep nets [a, b] work well on images [c]."),
        (7, "Smith et al. found 12.4 % more [d]."),
        (7, "[e] show that it is fast (Figure)."),
        (8, "A note says so too [f]."),
        (15, "One thing [g, h] is “true”."),
    ]


@pytest.mark.parametrize("end", [r"\\", r"\\[2pt] \hline", r"\tabularnewline", r"\cr", r"\crcr"])
def test_no_sentence_crosses_the_end_of_a_row(tmp_path: Path, end: str) -> None:
    rows = rf"\cite{{a}} & Rats were fed. {end}" + "\n" + rf"\cite{{b}} show mice & Mice slept. {end}"
    read_rows = read(
        tmp_path, "a.tex", rf"\begin{{document}}\begin{{tabular}}{{ll}}{rows}\end{{tabular}}\end{{document}}"
    )
    assert [one.text for one in read_rows] == ["[a]", "[b] show mice"]


def test_a_sentence_knows_its_words_without_the_citations(tmp_path: Path) -> None:
    first, *_ = read(tmp_path, "a.tex", TEX)
    assert (first.words, first.keys) == ("Deep nets work well on images.", ("a", "b", "c"))


def test_markdown_gives_them_too_and_neither_code_nor_what_stands_in_the_brackets(tmp_path: Path) -> None:
    assert [(one.line, one.text, one.keys) for one in read(tmp_path, "a.md", MARKDOWN)] == [
        (4, "Foxes bark [doe99] [smith04] a lot.", ("doe99", "smith04")),
        (4, "As [jones] says, they do.", ("jones",)),
        (6, "An item with 3 things [k].", ("k",)),
        (11, "Last [z].", ("z",)),
    ]


def test_typst_gives_them_too_with_what_stands_in_brackets_of_content(tmp_path: Path) -> None:
    text = """#set page(width: 10cm)
= Introduction
Deep nets @he2016 work on images #cite(<vas>, form: "prose"). See @lee[p. 3] too. // @none
== Method
We use #cite(label("kim/2020")) here, as @fig shows. `@code`

#figure([x], caption: [Also @smith said so]) <fig>
"""
    assert [(one.line, one.text) for one in read(tmp_path, "a.typ", text)] == [
        (3, "Deep nets [he2016] work on images [vas]."),
        (3, "See [lee] too."),
        (5, "We use [kim/2020] here, as @fig shows."),
        (7, "#figure([x], caption: [Also [smith] said so]) <fig>"),
    ]


@pytest.mark.parametrize("text", ["", r"\cite{", r"\cite{}", "⟦0⟧ \\cite{a}", "\\begin{document}" * 50, "{" * 5_000])
def test_broken_and_hostile_documents_are_read_as_far_as_they_go(text: str, tmp_path: Path) -> None:
    assert all(one.keys == ("a",) for one in read(tmp_path, "a.tex", text))


def test_no_escape_sequence_comes_through(tmp_path: Path) -> None:
    [one] = read(tmp_path, "a.tex", "It is \x1b[31mred \u202eand \x07 loud \\cite{a}.")
    assert one.text == "It is red and loud [a]."


@given(
    st.lists(st.sampled_from(["\n", "word ", "\\cite{k}", "% c\n", "{", "}", ". ", "\\x", "$", "⟦", "&"]), max_size=60)
)
def test_each_line_is_the_one_in_which_the_citation_stands(parts: list[str]) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        text = "".join(parts)
        lines = text.split("\n")
        for one in read(Path(folder), "a.tex", text):
            assert "\\cite{k}" in lines[one.line - 1]
