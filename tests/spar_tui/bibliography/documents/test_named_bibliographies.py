r"""What documents cite that name their bibliographies, hold a list themselves, or have what LaTeX made of one."""

from pathlib import Path

import pytest

from spar_tui.bibliography.documents.citing_document import CitingDocument
from spar_tui.bibliography.documents.opening import read_document
from spar_tui.errors import UserError

BIB = """@article{lecun, title={Deep learning}, author={LeCun, Yann}, journal={Nature}, year=2015}
@article{unused, title={Never cited}, author={Nobody, No}, year=2001}
"""
ROE = "@article{roe, title={Roses}, author={Roe, Ann}, year=2001}\n"
PLAIN = r"""\begin{thebibliography}{10}

\bibitem{lecun}
Yann LeCun, Yoshua Bengio, and Geoffrey Hinton.
\newblock Deep learning.
\newblock {\em Nature}, 521(7553):436--444, 2015.

\bibitem[Vaswani et~al.(2017)Vaswani, Shazeer, and Parmar]{vaswani}
Ashish Vaswani, Noam Shazeer, and Niki Parmar. 2017.
\newblock \href {https://doi.org/10.5555/attention} {Attention is all you
  need}.
\newblock In \emph{Advances in Neural Information Processing Systems},
  pages 5998--6008.

\end{thebibliography}
"""
IEEE = r"""\begin{thebibliography}{1}
\providecommand{\url}[1]{#1}
\bibitem{lecun}
Y.~LeCun, Y.~Bengio, and G.~Hinton, ``Deep learning,'' \emph{Nature}, vol. 521,
  no. 7553, pp. 436--444, 2015.
\BIBentryALTinterwordspacing
\bibitem{schrodinger}
E.~Schr{\"o}dinger, ``What is life?'' \hskip 1em plus 0.5em minus 0.4em\relax Cambridge University Press, 1944.
\end{thebibliography}
"""
APS = r"""\bibitem [{\citenamefont {Einstein}\ \emph {et~al.}(1935)\citenamefont {Einstein}, \citenamefont {Podolsky},\
  and\
  \citenamefont {Rosen}}]{epr}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {A.}~\bibnamefont {Einstein}}, \bibinfo {author} {\bibfnamefont
  {B.}~\bibnamefont {Podolsky}},\ and\ \bibinfo {author} {\bibfnamefont {N.}~\bibnamefont {Rosen}},\ }\bibfield  {title}
  {\bibinfo {title} {Can quantum-mechanical description of physical reality be considered complete?},\ }\href
  {https://doi.org/10.1103/PhysRev.47.777} {\bibfield  {journal} {\bibinfo  {journal} {Phys. Rev.}\ }\textbf {\bibinfo
  {volume} {47}},\ \bibinfo {pages} {777} (\bibinfo {year} {1935})}\BibitemShut {NoStop}%
"""
BIBLATEX = r"""% $ biblatex auxiliary file $
\refsection{0}
  \datalist[entry]{nty/global//global/global/global}
    \entry{lecun}{article}{}{}
      \name{author}{2}{}{%
        {{hash=1}{%
           family={LeCun},
           familyi={L\bibinitperiod},
           given={Yann},
           giveni={Y\bibinitperiod}}}%
        {{hash=2}{%
           family={Maaten},
           given={Laurens},
           prefix={van\bibnamedelima der}}}%
      }
      \field{sortinit}{L}
      \field{journaltitle}{Nature}
      \field{title}{Deep learning}
      \field{volume}{521}
      \field{year}{2015}
      \field{pages}{436\bibrangedash 444}
      \verb{doi}
      \verb 10.1038/nature14539
      \endverb
    \endentry
  \enddatalist
\endrefsection
"""


def written(folder: Path, **files: str) -> Path:
    """The first of `files`, all of which lie in `folder`; `__` in a name stands for a full stop."""
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder / next(iter(files)).replace("__", ".")


def told(document: CitingDocument) -> list[tuple[str, str]]:
    return [(entry.key, entry.paper.title) for entry in document.found.entries]


@pytest.mark.parametrize("command", [r"\bibliography{refs}", r"\addbibresource[location=local]{refs.bib}"])
def test_the_entries_that_a_document_cites_are_those_of_its_bibliography(command: str, tmp_path: Path) -> None:
    main = written(tmp_path, main__tex=rf"\cite{{lecun,lost}} {command} % \bibliography{{no}}", refs__bib=BIB)
    document = read_document(main)
    assert told(document) == [("lecun", "Deep learning")]
    assert (document.file, document.found.entries[0].line, document.kind) == (tmp_path / "refs.bib", 1, "")
    assert document.notes == ("cited, but in no bibliography: lost",)


def test_a_document_that_cites_everything_or_nothing_by_name_has_all_entries(tmp_path: Path) -> None:
    for text in (r"\nocite{*}\bibliography{refs}", r"\bibliography{refs}"):
        assert len(read_document(written(tmp_path, main__tex=text, refs__bib=BIB)).found.entries) == 2


def test_files_that_are_taken_in_count_and_so_do_several_bibliographies(tmp_path: Path) -> None:
    main = written(
        tmp_path, main__tex=r"\input{part} \bibliography{refs, more}", part__tex=r"\cite{lecun}\cite{roe}",
        refs__bib=BIB, more__bib=ROE,
    )  # fmt: skip
    document = read_document(main)
    assert told(document) == [("lecun", "Deep learning"), ("roe", "Roses")]
    assert [entry.line for entry in document.found.entries] == [0, 0]


def test_an_aux_file_says_which_bibliography_it_is(tmp_path: Path) -> None:
    aux = written(tmp_path, main__aux="\\relax\n\\citation{lecun}\n\\bibdata{refs}\n", refs__bib=BIB)
    assert told(read_document(aux)) == [("lecun", "Deep learning")]


@pytest.mark.parametrize(
    "head", ["bibliography: refs.bib", "bibliography: [refs.bib, more.bib]", 'title: x\nbibliography:\n  - "refs.bib"']
)
def test_markdown_names_its_bibliographies_at_its_head(head: str, tmp_path: Path) -> None:
    text = f"---\n{head}\n---\n\nAs in [@lecun; @lost].\n\n# References {{.unnumbered}}\n"
    document = read_document(written(tmp_path, main__md=text, refs__bib=BIB, more__bib=ROE))
    assert told(document) == [("lecun", "Deep learning")]
    assert document.notes == ("cited, but in no bibliography: lost",)
    outside = written(tmp_path, main__md="---\nbibliography: /etc/refs.bib\n---\n[@a]")
    with pytest.raises(UserError, match="outside the folder"):
        read_document(outside)


def test_bibliographies_beside_a_markdown_document_stand_in_for_one_that_it_names(tmp_path: Path) -> None:
    main = written(tmp_path, main__md="As in [@lecun; @lost].\n", refs__bib=BIB)
    document = read_document(main)
    assert told(document) == [("lecun", "Deep learning")]
    assert document.notes == ("cited, but in no bibliography: lost",)
    with pytest.raises(UserError, match="found no list of references"):
        read_document(written(tmp_path, main__md="It cites nothing.\n"))
    listed = read_document(written(tmp_path, main__md="As in [@lecun].\n\n# References\n\n1. Roe, A. Reeds. 2001.\n"))
    assert [entry.key for entry in listed.found.entries] != ["lecun"]


@pytest.mark.parametrize(
    "named", ['"refs.bib"', '("refs.bib", "more.bib"), style: "ieee"', '"refs.bib", title: [Sources]']
)
def test_typst_names_its_bibliographies_in_a_file_that_it_includes_too(named: str, tmp_path: Path) -> None:
    main = written(
        tmp_path, main__typ='As @lecun[p. 3] and #cite(<lost>) say.\n#include "end.typ"\n',
        end__typ=f'// #bibliography("no.bib")\n#bibliography({named})\n', refs__bib=BIB, more__bib=ROE,
    )  # fmt: skip
    document = read_document(main)
    assert told(document) == [("lecun", "Deep learning")]
    assert document.notes == ("cited, but in no bibliography: lost",)
    outside = written(tmp_path, main__typ='@a #bibliography("../refs.bib")')
    with pytest.raises(UserError, match="outside the folder"):
        read_document(outside)


def test_where_the_bibliography_is_not_there_what_latex_made_of_it_is_read(tmp_path: Path) -> None:
    main = written(tmp_path, main__tex=r"\cite{lecun}\bibliography{refs}", main__bbl=PLAIN)
    document = read_document(main)
    assert (document.file.name, told(document)[0]) == ("main.bbl", ("lecun", "Deep learning"))
    assert "refs.bib cannot be read" in document.notes[0]


@pytest.mark.parametrize("name", ["main.tex", "main.bbl", "pasted.txt"])
def test_a_list_in_the_document_itself_is_read(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(PLAIN if name != "main.tex" else rf"\documentclass{{article}}{PLAIN}")
    lecun, vaswani = read_document(tmp_path / name).found.entries
    assert (lecun.key, lecun.paper.title, lecun.paper.year) == ("lecun", "Deep learning", 2015)
    assert (lecun.paper.venue, lecun.paper.imprint.volume, lecun.paper.imprint.pages) == ("Nature", "521", "436-444")
    assert [one.name for one in lecun.paper.authors] == ["Yann LeCun", "Yoshua Bengio", "Geoffrey Hinton"]
    assert (vaswani.paper.title, vaswani.paper.year) == ("Attention is all you need", 2017)
    assert vaswani.paper.venue == "Advances in Neural Information Processing Systems"
    assert vaswani.paper.identifier("doi") == "10.5555/attention"
    assert "newblock" not in lecun.text
    assert lecun.text.startswith("Yann LeCun")


def test_lists_of_engineers_and_physicists_are_read(tmp_path: Path) -> None:
    lecun, life = read_document(written(tmp_path, a__bbl=IEEE)).found.entries
    assert (lecun.paper.title, lecun.paper.imprint.number) == ("Deep learning", "7553")
    assert (life.paper.title, life.paper.authors[0].family) == ("What is life?", "Schrödinger")
    [epr] = read_document(written(tmp_path, b__bbl=APS)).found.entries
    assert epr.key == "epr"
    assert epr.paper.title.startswith("Can quantum-mechanical description")
    assert [one.family for one in epr.paper.authors] == ["Einstein", "Podolsky", "Rosen"]
    assert epr.paper.identifier("doi") == "10.1103/physrev.47.777"


def test_the_data_of_biblatex_is_read_as_the_entries_that_it_was_made_from(tmp_path: Path) -> None:
    [entry] = read_document(written(tmp_path, a__bbl=BIBLATEX)).found.entries
    assert (entry.key, entry.line, entry.text, entry.type) == ("lecun", 4, "", "article")
    assert (entry.paper.title, entry.paper.venue, entry.paper.year) == ("Deep learning", "Nature", 2015)
    assert [one.name for one in entry.paper.authors] == ["Yann LeCun", "Laurens van der Maaten"]
    assert entry.paper.identifier("doi") == "10.1038/nature14539"
    assert entry.paper.imprint.pages == "436-444"
    assert not entry.paper.et_al


def test_biblatex_tells_that_there_are_more_authors_and_its_sets_are_no_entries(tmp_path: Path) -> None:
    more = BIBLATEX.replace(r"\field{sortinit}", r"\true{moreauthor}\field{sortinit}")
    both = more.replace(r"\enddatalist", "\\entry{both}{set}{}\n\\set{lecun,other}\n\\endentry\n\\enddatalist")
    found = read_document(written(tmp_path, a__bbl=both)).found
    assert [(entry.key, entry.paper.et_al) for entry in found.entries] == [("lecun", True)]
    assert [one.name for one in found.entries[0].paper.authors] == ["Yann LeCun", "Laurens van der Maaten"]
    assert not found.problems


def test_no_file_outside_the_folder_of_a_document_is_opened(tmp_path: Path) -> None:
    inner = tmp_path / "paper"
    inner.mkdir()
    (tmp_path / "secret.bib").write_text(BIB)
    (tmp_path / "secret.tex").write_text(r"\cite{unused}")
    (inner / "link.bib").symlink_to(tmp_path / "secret.bib")
    named = (r"\bibliography{../secret}", rf"\addbibresource{{{tmp_path}/secret.bib}}", r"\bibliography{link}")
    for command in named:
        main = written(inner, main__tex=rf"\input{{../secret}} \cite{{lecun}} {command}")
        with pytest.raises(UserError) as refused:
            read_document(main)
        assert str(refused.value).count("outside the folder of main.tex") == 2
    main = written(inner, main__tex=r"\input{../secret}\cite{lecun}\bibliography{refs}", refs__bib=BIB)
    document = read_document(main)
    assert told(document) == [("lecun", "Deep learning")]
    assert "outside the folder" in document.notes[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (r"\documentclass{article} nothing is cited", "neither contains nor names a bibliography"),
        (r"\cite{a}\bibliography{lost}", "lost.bib cannot be read"),
    ],
)
def test_a_document_without_references_says_why(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=reason):
        read_document(written(tmp_path, main__tex=text))


@pytest.mark.parametrize(
    "text",
    [
        r"\bibitem{a}" + "{" * 50_000 + "x" + "}" * 50_000 + "\n" + r"\bibitem{" * 20_000,
        r"\entry{a}{b}\name{author}" + "{" * 50_000,
    ],
    ids=["bibitem", "entry"],
)
def test_a_list_that_is_made_to_waste_time_names_nothing(text: str, tmp_path: Path) -> None:
    try:
        found = read_document(written(tmp_path, a__bbl=text)).found
    except UserError:
        return
    assert all(entry.paper.title in ("x", "[untitled]") for entry in found.entries)
