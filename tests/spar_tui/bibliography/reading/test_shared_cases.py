"""Small inputs made after public bug reports of other tools, each as an example of its class."""

from pathlib import Path

import pytest

from tests.spar_tui.in_process import spar

CASES = Path(__file__).parents[5] / "shared" / "cases"
RIGHT = {
    "01-ris-ty-not-first/in.ris": ("biblatex", ["@article{", "title = {Foraging of hill goats in dry valleys}"]),
    "02-ris-authors-one-line/in.ris": (
        "biblatex", ["author = {Sanz, Pedro J. and Monte, Maria}", "author = {Roe, A. and Poe, B.}"]),
    "03-csl-author-name/in.json": ("biblatex", ["author = {{World Water Board} and Doe, Jane}"]),
    "04-nbib-retracted/in.nbib": ("biblatex", ["pages = {112--119}", "is RETRACTED"]),
    "05-nbib-short-pages/in.nbib": ("biblatex", ["pages = {112--119}"]),
    "05-nbib-short-pages/in.ris": ("biblatex", ["pages = {1276--1292}", "pages = {67--76}"]),
    "07-doi-percent-encoded/in.bib": ("ris", ["10.5555/1520(1996)077<0935:WOTWSM>2.0.CO;2",
                                              "10.5555/1521(1996)077<0935:WOTWSM>2.0.CO;2"]),
    "09-extended-names-to-bibtex/in.bib": ("bibtex", ["author = {van Gogh, Vera and Roe, Anna}"]),
    "10-thesis-type-to-bibtex/in.bib": ("bibtex", ["@mastersthesis{t", "@phdthesis{p", "@techreport{r"]),
    "11-set-dropped/in.bib": ("biblatex", ["@set{both", "entryset = {one,two}"]),
    "12-date-before-christ/in.bib": ("ris", ["PY  - -0381"]),
    "12-date-before-christ/in.json": ("bibtex", ["year = {380 BC}"]),
    "16-keys-of-other-scripts/in.json": ("biblatex", ["{liGuanYu", "2014,", "{wangGuanYu", "2018,"]),
    "18-includegraphics/in.bib": ("biblatex", ["@article{k1"]),
    "20-howpublished-url/in.bib": ("csl-json", ['"URL": "https://x.org/TR/x"', '"note": "Accessed 2020-01-01"']),
    "31-note-names-another-paper/in.json": (
        "biblatex", ["note = {A comment on doi: 10.5555/orig.1}", "note = {Compare arXiv: 1706.03762; same data}"]),
    "32-note-loses-words/in.json": (
        "biblatex", ["eprint = {91000077}", "note = {Read section 3 first Ask Bob about table 2}"]),
    "50-other-encodings/cp1250.bib": ("biblatex", ["Trawy błotne północy źdźbło", "read as cp1250"]),
    "50-other-encodings/cp1251.bib": ("biblatex", ["Болотные травы севера", "read as cp1251"]),
    "50-other-encodings/gbk.ris": ("biblatex", ["航拍视频中运动目标的检测", "read as gb18030"]),
    "50-other-encodings/mixed.bib": ("biblatex", ["author = {Müller, A}", "author = {Müller, B}", "b: not UTF-8"]),
    "50-other-encodings/sjis.bib": ("biblatex", ["湿地の草について", "read as shift_jis"]),
}  # fmt: skip
"""The format to export to, and what must stand in the export or in what is said."""

needed = pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is not there")


@needed
@pytest.mark.parametrize("case", RIGHT)
def test_an_input_that_failed_elsewhere_is_right(case: str, tmp_path: Path) -> None:
    imported = spar(tmp_path, "import", str(CASES / case), "--offline")
    target, wanted = RIGHT[case]
    exported = spar(tmp_path, "export", "--shelf", "--format", target, "--offline")
    said = f"{imported.stderr}{exported.stdout}{exported.stderr}"
    assert [text for text in wanted if text not in said] == []


@needed
def test_a_document_with_pictures_cites_what_it_cites(tmp_path: Path) -> None:
    folder = CASES / "18-includegraphics"
    spar(tmp_path, "import", str(folder / "in.bib"), "--offline")
    exported = spar(tmp_path, "export", "--cited-in", str(folder / "in.tex"), "--offline")
    assert (exported.stdout.count("@article{k1,"), exported.stderr) == (1, "")


@needed
def test_every_input_has_its_test() -> None:
    inputs = {str(file.relative_to(CASES)) for file in CASES.glob("*/*")}
    assert inputs - {*RIGHT, "18-includegraphics/in.tex"} == set()
