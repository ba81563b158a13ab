"""What a file holds that is hardly meant so is told at its import; nothing is passed over without a word."""

from spar_tui.bibliography.reading.files import read_as
from spar_tui.bibliography.verbatim import bib_fields
from tests.rows import each

UNTITLED_ARTICLE = (
    "<PubmedArticle><MedlineCitation><PMID>90000042</PMID><Article><ArticleTitle/></Article></MedlineCitation>"
    "</PubmedArticle>"
)
SWALLOWED = """@article{a, title={A {title}, year={2001}}
% Others
@article{b,
  title={B}, year={2002}}
@misc{c, title={C}}, year={1}}"""
"""The title of the first lacks a brace, and that of the last has one too many."""


@each(
    ("text", "file_format", "reason"),
    [
        (SWALLOWED, "bibtex", "its title seems to contain other entries (b, c); a brace may be missing"),
        ("@misc{a, title={A}, 1st={B}, key={C}}", "bibtex",
         "BibTeX cannot read these field names, so exports leave them out: 1st"),
        ("@misc{a, title={A}, = {x}}", "bibtex",
         "BibTeX cannot read these field names, so exports leave them out: an empty name"),
        ("@{a, title={A}}", "bibtex", "it has no type, so it is read as @misc"),
        ("@misc{a, title={A} {B}}", "bibtex", "BibTeX cannot read its title: one of its braces"),
        ("@inproceedings{a, title={A}, crossref={gone}}", "bibtex",
         "it inherits from gone, which this file does not have"),
        ("@article{a, title={A}, journal=unknown}", "bibtex",
         "the file does not define these abbreviations (a style may): unknown"),
        ("@article{a, title={A}, journal={J}, journal=again, note=part # \" 2\"}", "bibtex",
         "the file does not define these abbreviations (a style may): again, part"),
        ("@string{a = a # \"x\"}\n@article{k, title={A}, journal=a}", "bibtex",
         "BibTeX does not know these abbreviations yet; put the definitions first: a"),
        ("@string{a = b # \"x\"}\n@article{k, title={A}, journal=a}", "bibtex",
         "the file does not define these abbreviations (a style may): b"),
        ("@string{a0 = {lollol}}" + "".join(f"@string{{a{n} = a{n - 1} # a{n - 1}}}" for n in range(1, 25))
         + "@article{k, title={A}, journal=a24}", "bibtex", "its journal is cut after 500,000 characters"),
        ('[{"type": "book", "title": "A", "publisher": ["P"]}]', "csl-json", 'its publisher is not a text: ["P"]'),
        ('[{"type": "book", "title": "A", "publisher": {"name": "P"}}]', "csl-json", "its publisher is not a text"),
        ("- id: k\n  type: book\n  title: [A, B]\n", "yaml", "its title is not a text"),
        ("TY  - JOUR\nTI  - A\nPY  - in press\nER  - \n", "ris", "“in press” is not a date, so it has no year"),
        ("PMID- 11111111\nTI  - A\nDP  - forthcoming\n", "pubmed", "“forthcoming” is not a date, so it has no year"),
        ("@book{k, author={Roe, A}, note={N}}", "bibtex", "it has no title"),
        ("TY  - JOUR\nAU  - Roe, A\nJO  - J\nER  - \n", "ris", "it has no title"),
        (f"<PubmedArticleSet>{UNTITLED_ARTICLE}</PubmedArticleSet>", "xml", "it has no title"),
        ("FN X\nVR 1.0\nPT J\nTI A\nPY 2001\nER\n\nPT J\nTI B cut o", "web-of-science", "it has no end (ER)"),
    ],
)  # fmt: skip
def test_what_is_read_otherwise_than_meant_is_told(text: str, file_format: str, reason: str) -> None:
    found = read_as(file_format, text, "x")
    assert any(reason in problem.reason and problem.taken for problem in found.problems), found.problems


def test_an_abbreviation_in_its_own_definition_is_empty_as_in_bibtex() -> None:
    text = '@string{a = a # "x"}\n@string{b = "y"}\n@string{b = b # a}\n@article{k, title={A}, journal=b}'
    [entry] = read_as("bibtex", text, "x.bib").entries
    assert entry.paper.venue == "yx"
    assert entry.original
    assert entry.original.beside == ()  # all are used, so none comes back beside the entry


@each("tag", ["!!python/object/apply:os.system", "!!binary", "!own"])
def test_a_reference_with_a_tag_of_yaml_is_refused_by_name_and_the_others_are_read(tag: str) -> None:
    text = f"- id: a\n  title: A\n- id: b\n  title: {tag} [x]\n- id: c\n  title: !!str 12\n"
    found = read_as("yaml", text, "x.yaml")
    assert [entry.paper.title for entry in found.entries] == ["A", "12"]
    [problem] = found.problems
    assert (problem.line, problem.taken, "a tag that spar does not read" in problem.reason) == (3, False, True)


def test_the_same_fault_of_an_entry_is_told_once() -> None:
    people = "{Roe, Ann, and Poe, Bob}"
    found = read_as("bibtex", f"@misc{{a, title={{A}}, author={people}, editor={people}}}", "x.bib")
    assert len(found.problems) == 1


WHOLE = {
    "bibtex": "@misc{a, title={A}}\n@misc{b, title={B}, note={b} }\n",
    "ris": "TY  - JOUR\nTI  - A\nER  - \nTY  - JOUR\nTI  - B\nER  - \n",
    "web-of-science": "PT J\nTI A\nER\n\nPT J\nTI B\nER\n",
    "pubmed": "PMID- 11\nTI  - A\nSO  - J.\n\nPMID- 12\nTI  - B\nSO  - J.\n",
    "table": 'Title,Year,Abstract\nA,2001,a\nB,2002,"b, c"\n',
}


@each("file_format", WHOLE)
def test_a_file_that_is_cut_off_is_read_up_to_there_and_told(file_format: str) -> None:
    text = WHOLE[file_format]
    assert not read_as(file_format, text, "x").problems
    cut_off = read_as(file_format, text[: text.rindex("B") + 1], "x")
    assert cut_off.entries[0].paper.title == "A"
    assert any(problem.to_end for problem in cut_off.problems)


@each(
    ("text", "file_format"),
    [
        ("TY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\n", "ris"),
        ("PMID- 11\nTI  - A\nSO  - J.\n\nPMID- 12\nTI  - B\n", "pubmed"),
        ("PMID- 11\nTI  - A\n\nPMID- 12\nTI  - B", "pubmed"),
        ("PMID- 11\nTI  - A\nAB  - a\nSO  - J.\n\nPMID- 12\nTI  - B\nSO  - K.", "pubmed"),
        ("%0 Book\n%T A\n%A Roe, Ann\n%D 2001\n\n%0 Book\n%T B\n%D 2002", "refer"),
        ("Title,Year,Abstract\nA,2001\nB,2002", "table"),
        ("@misc{a, title={A}\n@misc{b, title={B}}", "bibtex"),
    ],
)
def test_a_file_whose_entries_all_lack_their_end_is_whole(text: str, file_format: str) -> None:
    assert not any(problem.to_end for problem in read_as(file_format, text, "x").problems)


def test_a_second_format_in_a_file_is_told_with_its_line() -> None:
    bib, ris = "@misc{a, title={A}}\n", "TY  - JOUR\nTI  - B\nER  - \n"
    for text, name, line in ((f"{bib}\n{ris}", "bibtex", 3), (f"{ris}\n{bib}", "ris", 5)):
        [problem] = read_as(name, text, "x").problems
        assert (problem.line, problem.to_end, "begins here" in problem.reason) == (line, True, True)


def test_a_reference_to_an_entry_that_the_file_lacks_comes_back() -> None:
    [entry] = read_as("bibtex", "@inproceedings{a, title={A}, crossref={gone}}", "x.bib").entries
    assert entry.original is not None
    assert ("crossref", "gone") in list(bib_fields(entry.original, "bibtex", None))
