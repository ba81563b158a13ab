"""What a file holds that is hardly meant so is told at its import; nothing is passed over without a word."""

import pytest

from spar_tui.bibliography.reading.files import read_as
from spar_tui.bibliography.verbatim import bib_fields

SWALLOWED = """@article{a, title={A {title}, year={2001}}
% Others
@article{b,
  title={B}, year={2002}}
@misc{c, title={C}}, year={1}}"""
"""The title of the first lacks a brace, and that of the last has one too many."""


@pytest.mark.parametrize(
    ("text", "file_format", "reason"),
    [
        (SWALLOWED, "bibtex", "its title seems to contain other entries (b, c); a brace may be missing"),
        ("@misc{a, title={A}, 1st={B}, key={C}}", "bibtex",
         "BibTeX cannot read these field names, so exports leave them out: 1st"),
        ("@inproceedings{a, title={A}, crossref={gone}}", "bibtex",
         "it inherits from gone, which this file does not have"),
        ("@article{a, title={A}, journal=unknown}", "bibtex",
         "the file does not define these abbreviations (a style may): unknown"),
        ("@article{a, title={A}, journal={J}, journal=again, note=part # \" 2\"}", "bibtex",
         "the file does not define these abbreviations (a style may): again, part"),
        ("TY  - JOUR\nTI  - A\nPY  - in press\nER  - \n", "ris", "“in press” is not a date, so it has no year"),
        ("PMID- 11111111\nTI  - A\nDP  - forthcoming\n", "pubmed", "“forthcoming” is not a date, so it has no year"),
        ("FN X\nVR 1.0\nPT J\nTI A\nPY 2001\nER\n\nPT J\nTI B cut o", "web-of-science", "it has no end (ER)"),
    ],
)  # fmt: skip
def test_what_is_read_otherwise_than_meant_is_told(text: str, file_format: str, reason: str) -> None:
    found = read_as(file_format, text, "x")
    assert any(reason in problem.reason and problem.taken for problem in found.problems), found.problems


def test_a_reference_to_an_entry_that_the_file_lacks_comes_back() -> None:
    [entry] = read_as("bibtex", "@inproceedings{a, title={A}, crossref={gone}}", "x.bib").entries
    assert entry.original is not None
    assert ("crossref", "gone") in list(bib_fields(entry.original, "bibtex", False))
