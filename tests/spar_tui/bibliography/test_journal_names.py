"""Journals are abbreviated after ISO 4 and written out again where the full name is known."""

import json
from pathlib import Path

import pytest

from cache.originals import Original
from connectors.records.build import build_paper
from connectors.records.matching import BIBLIOGRAPHY
from spar_tui.bibliography.gathering import Item
from spar_tui.bibliography.journal_names import abbreviated, with_journals
from tests.rows import each
from tests.spar_tui.in_process import spar


@each(
    ("name", "short"),
    [
        ("Journal of the American Chemical Society", "J. Am. Chem. Soc."),
        ("Physical Review Letters", "Phys. Rev. Lett."),
        ("Physical Review E", "Phys. Rev. E"),
        ("Journal of Physics A: Mathematical and General", "J. Phys. A: Math. Gen."),
        ("IEEE Transactions on Pattern Analysis", "IEEE Trans. Pattern Anal."),
        ("Transactions of the ASME Series D", "Trans. ASME D"),
        ("Proceedings of the Academy of the United States of America", "Proc. Acad. U. S. A."),
        ("New England Journal of Medicine", "N. Engl. J. Med."),
        ("Comptes Rendus Mathematique", "C. R. Math."),
        ("Annales de l’Institut Fourier", "Ann. Inst. Fourier"),
        ("Bollettino dell'Unione Matemática", "Boll. Unione Mat."),
        ("Journal of Computer-Aided Design (B)", "J. Comput.-Aided Des. B"),
        ("International Journal of Remote Sensing", "Int. J. Remote Sens."),
        ("Zeitschrift für Naturforschung", "Z. Naturforsch."),
        ("Nuclear Instruments & Methods", "Nucl. Instrum. Methods"),
        ("RIVER RESEARCH LETTERS", "RIVER RES. LETT."),
        ("Nature", "Nature"),
        ("PLOS ONE", "PLOS ONE"),
        ("Phys. Rev. B", "Phys. Rev. B"),
        ("Зоологический вестник", "Зоологический вестник"),
        ("Успехи почвоведения", "Успехи почвоведения"),
    ],
)
def test_a_name_is_abbreviated_word_by_word(name: str, short: str) -> None:
    assert abbreviated(name) == short


BIB = r"""
@article{a, author={Roe, A}, title={One}, journal={Journal of the {A}merican Chemical Society}, year=2001}
@article{b, author={Roe, A}, title={Two}, journal={Phys. Rev. Lett.}, year=2002}
@article{c, author={Roe, A}, title={Three}, journal={Gaz. Fenl.}, year=2003}
@article{d, author={Roe, A}, title={Four}, journal={\prl}, year=2004}
@inproceedings{e, author={Roe, A}, title={Five}, booktitle={Annual Conference on Reeds}, year=2005}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / "in.bib").write_text(BIB)
    assert spar(home, "import", str(home / "in.bib")).returncode == 0
    return home


def test_an_export_abbreviates_journals_and_nothing_else(home: Path) -> None:
    ran = spar(home, "export", "--shelf", "--format", "bibtex", "--journals", "abbreviated")
    written = ran.stdout
    assert ran.stderr == "spar: --journals: the name of the journal is shortened in 2 entries (a, d).\n"
    names = ("J. Am. Chem. Soc.", "Phys. Rev. Lett.", "Gaz. Fenl.")
    assert [written.count(f"journal = {{{name}}}") for name in names] == [1, 2, 1]
    assert "booktitle = {Annual Conference on Reeds}" in written


def test_an_export_writes_out_the_journals_that_are_known_and_names_the_others(home: Path) -> None:
    ran = spar(home, "export", "--shelf", "--format", "csl-json", "--journals", "full")
    journals = {item["id"]: item["container-title"] for item in json.loads(ran.stdout)}
    assert (journals["b"], journals["c"]) == ("Physical Review Letters", "Gaz. Fenl.")
    assert "the name of the journal is written out in 1 entry (b)" in ran.stderr
    assert "no full name is known for these journals: Gaz. Fenl." in ran.stderr


@each(
    ("short", "full"),
    [
        ("J. Am. Chem. Soc.", "Journal of the American Chemical Society"),
        ("Trans. Amer. Math. Soc.", "Transactions of the American Mathematical Society"),
        ("Proc. Natl. Acad. Sci. U.S.A.",
         "Proceedings of the National Academy of Sciences of the United States of America"),
        ("N. Engl. J. Med.", "New England Journal of Medicine"), ("J Biol Chem", "Journal of Biological Chemistry"),
        ("Nucleic Acids Res", "Nucleic Acids Research"), ("Plant Cell", "Plant Cell"), ("Nature", "Nature"),
        ("P. R. L.", "P. R. L."), ("J. A. C. S.", "J. A. C. S."), ("Phys. Fen.", "Physics of Fens"),
    ],
)  # fmt: skip
def test_a_short_name_is_written_out_where_one_journal_is_called_so(short: str, full: str) -> None:
    both = Original("ris", "JOUR", "b", (("TI", "A"), ("JF", "Physics of Fens"), ("J2", "Phys. Fen.")))
    own = Original("bibtex", "article", "a", (("title", "B"), ("journal", short)))
    paper = build_paper(BIBLIOGRAPHY, title="B", type="article")
    items = [Item(number, paper, "a", original) for number, original in enumerate((both, own))]
    named, missing = with_journals(items, "full", ())
    assert [item.original.value("journal") for item in named[1:] if item.original] == [full]
    assert missing == ([short] if "." in full else [])


@each(
    ("journal", "own", "short"),
    [
        ("J Am Chem Soc", "", "J. Am. Chem. Soc."),
        ("Int J Imag Syst Technol", "", "Int. J. Imag. Syst. Technol."),
        ("Cell Host Microbe", "", "Cell Host Microbe"),
        ("Physical Review Letters", "Phys Rev Lett", "Phys. Rev. Lett."),
        ("Blätter für Moorkunde", "BfM", "BfM"),
        ("Journal of Fens", "Journal of Fens", "J. Fens"),
    ],
)
def test_the_own_short_name_of_an_entry_is_used_and_gets_the_dots_of_the_others(
    journal: str, own: str, short: str
) -> None:
    original = Original("bibtex", "article", "a", (("journal", journal), ("shortjournal", own)))
    item = Item(1, build_paper(BIBLIOGRAPHY, title="B", type="article"), "a", original)
    (named,), _ = with_journals([item], "abbreviated", [journal])
    assert named.original
    assert named.original.value("journal") == short


def test_a_journal_that_the_shelf_knows_by_its_bare_abbreviation_alone_is_written_out() -> None:
    original = Original("bibtex", "article", "a", (("journal", "J Am Chem Soc"),))
    item = Item(1, build_paper(BIBLIOGRAPHY, title="B", type="article"), "a", original)
    (named,), _ = with_journals([item], "full", ["J Am Chem Soc"])
    assert named.original
    assert named.original.value("journal") == "Journal of the American Chemical Society"


@each(
    ("journal", "short"),
    [(r"Annales de Physique Poincar{\'e}", r"Ann. Phys. Poincar{\'{e}}"), ("Annales Poincaré", "Ann. Poincaré")],
)
def test_a_short_name_has_the_accents_in_latex_as_the_long_one_had_them(journal: str, short: str) -> None:
    paper = build_paper(BIBLIOGRAPHY, title="T", venue="T", type="article")
    item = Item(1, paper, "k", Original("bibtex", "article", "k", (("journal", journal),)))
    [renamed], _ = with_journals([item], "abbreviated", [])
    assert renamed.original
    assert renamed.original.value("journal") == short
