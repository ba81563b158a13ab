"""The references of documents of every kind, and what is refused with a sentence."""

import textwrap
from pathlib import Path

import pytest

from spar_tui.bibliography.documents.citing_document import CitingDocument
from spar_tui.bibliography.documents.opening import document_in, read_document
from spar_tui.errors import UserError
from tests.connectors.pdf import writing
from tests.rows import each
from tests.spar_tui.bibliography.documents.made import REFERENCES, TITLES, docx, html, markdown, odt, plain, zipped


def read(folder: Path, name: str, content: bytes | str) -> CitingDocument:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(file)


def titles(document: CitingDocument) -> list[str]:
    return [entry.paper.title for entry in document.found.entries]


def pdf() -> bytes:
    lines = ["1 Introduction", "In 2020 the field moved on.", "", "References"]
    for reference in REFERENCES:
        first, *more = textwrap.wrap(reference, 70)
        lines += ["", first, *("  " + line for line in more)]
    return writing.pdf(writing.columns(lines))


DOCUMENTS: dict[str, bytes | str] = {
    "paper.docx": docx(), "paper.odt": odt(), "paper.html": html(), "paper.md": markdown(), "paper.txt": plain(),
    "paper.pdf": pdf(), "page": html(), "list": "\n".join(REFERENCES), "wrapped.txt": plain().replace(". ", ".\n  "),
    "one paragraph each.docx": docx([(reference, 0) for reference in REFERENCES]),
    "numbered.txt": "\n".join(f"[{number}] {text}" for number, text in enumerate(REFERENCES, start=1)),
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_references_of_a_document_are_read_whatever_it_is(name: str, tmp_path: Path) -> None:
    document = read(tmp_path, name, DOCUMENTS[name])
    assert titles(document) == list(TITLES)
    first, second, third = document.found.entries
    assert str(first.paper.identifiers[0]) == "doi:10.18653/v1/2020.emnlp-main.550"
    assert [one.family for one in second.paper.authors] == ["LeCun", "Bengio", "Hinton"]
    assert (second.paper.venue, second.paper.year) == ("Nature", 2015)
    assert (second.paper.imprint.volume, second.paper.imprint.pages) == ("521", "436-444")
    assert third.paper.et_al
    assert str(third.paper.identifiers[-1]) == "arxiv:1301.3781"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_entry_says_that_it_was_read_from_text(name: str, tmp_path: Path) -> None:
    document = read(tmp_path, name, DOCUMENTS[name])
    assert document.kind
    assert all("".join(entry.text.split()) in "".join("".join(REFERENCES).split()) for entry in document.found.entries)


def test_lines_are_those_of_a_text_and_places_where_there_are_no_lines(tmp_path: Path) -> None:
    text = plain()
    lines = [text.split("\n").index(reference) + 1 for reference in REFERENCES]
    assert [entry.line for entry in read(tmp_path, "a.txt", text).found.entries] == lines
    assert [entry.line for entry in read(tmp_path, "a.docx", docx()).found.entries] == [1, 2, 3]


NOTES = (
    "Yann LeCun, Yoshua Bengio, and Geoffrey Hinton, “Deep Learning,” Nature 521 (2015): 440.",
    ("See Barbara Smith, The Making of Modern Rivers (Oxford: Oxford University Press, 1999), 23; compare also Bo"
     " Jones, “A Note on Fish,” Journal of Fish 3 (2001): 5–9."),
    "Ibid., 25. This is a remark about the method.", "Smith, Making of Modern Rivers, 30.",
    "Barbara Smith, The Making of Modern Rivers (Oxford: Oxford University Press, 1999), 99.",
)  # fmt: skip


def test_the_footnotes_of_a_document_without_a_list_are_read_each_work_once_and_without_the_page(
    tmp_path: Path,
) -> None:
    text = [("Rivers", 1), ("Some write of rivers, others doubt it.", 0)]
    found = read(tmp_path, "a.docx", docx(text, notes=NOTES)).found
    assert [(entry.line, entry.paper.title, entry.paper.authors[0].family) for entry in found.entries] == [
        (1, "Deep Learning", "LeCun"), (2, "The Making of Modern Rivers", "Smith"), (2, "A Note on Fish", "Jones"),
    ]  # fmt: skip
    assert not any(entry.paper.imprint.pages for entry in found.entries)
    assert titles(read(tmp_path, "a.docx", docx(notes=NOTES))) == list(TITLES)


def test_a_bibliography_is_read_as_before(tmp_path: Path) -> None:
    document = read(tmp_path, "a.txt", "@article{a, title={T}, author={A, B}, year=2020}")
    assert (document.kind, document.found.entries[0].key, document.found.entries[0].text) == ("", "a", "")


def test_a_reference_whose_title_cannot_be_told_is_named_with_its_text(tmp_path: Path) -> None:
    physics = "A. Einstein, B. Podolsky, and N. Rosen, Phys. Rev. 47, 777 (1935)."
    document = read(tmp_path, "a.txt", f"References\n\n{physics}\n\n{REFERENCES[1]}\n")
    assert [problem.line for problem in document.found.problems] == [3]
    assert physics in document.found.problems[0].reason


DEEP = "<w:p>" * 400 + "x" + "</w:p>" * 400
ENTITIES = '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE w [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("bomb.docx", zipped({"word/document.xml": " " * (33 << 20)}), "larger than 32 MB"),
        ("tags.docx", zipped({"word/document.xml": "<w>" + "<p/>" * 1_000_000 + "</w>"}), "more than 1,000,000 tags"),
        ("deep.docx", zipped({"word/document.xml": f'<w:d xmlns:w="w">{DEEP}</w:d>'}), "not valid XML"),
        ("entities.docx", docx(head=ENTITIES), "its own XML entities"),
        ("outside.docx", docx(head=OUTSIDE), "its own XML entities"),
        ("cut.docx", docx()[:-30], "not a text file"),
        ("broken.odt", zipped({"content.xml": "<a>"}), "not valid XML"),
        ("other.zip", zipped({"a.txt": "a"}), "not a text file"),
        ("deep.html", "<html><body>" + "<div>" * 5_000 + plain(), "nested too deeply"),
        ("prose.txt", "Nothing but a sentence.\nAnd one more in 2020.", "found no references in"),
        ("prose.docx", docx([("Nothing but a sentence.", 0)]), "no list of references"),
        ("pages.pdf", writing.many_pages(2_001, b"BT /F1 9 Tf (x) Tj ET"), "more than 2,000 pages"),
        ("scan.pdf", writing.pdf([[]]), "has no text"),
        ("damaged.pdf", b"%PDF-1.7\nnothing", "damaged"),
        ("loop.pdf", writing.looped(), ""),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 20 else "",
)
def test_a_hostile_or_useless_document_is_refused_with_a_sentence(
    name: str, content: bytes | str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as refused:
        read(tmp_path, name, content)
    assert reason in str(refused.value)
    assert "root:" not in str(refused.value)


def test_five_hundred_pages_are_read_whole(tmp_path: Path) -> None:
    pages = writing.columns([f"Line {number} of the body." for number in range(500)], height=1)
    listed = writing.columns(["References", *(f"[{n}] {text}" for n, text in enumerate(REFERENCES, start=1))])
    assert titles(read(tmp_path, "long.pdf", writing.pdf([*pages, *listed]))) == list(TITLES)


BARE = "Poe, B., & Roe, A. (2003). Grass in bogs. Journal of Marshes, 5(1), 17-29."
NAMED = "Roe, A. (2001). Reeds in fens. Journal of Marshes, 3(2), 7-19. https://doi.org/10.1000/xyz"


@each(
    ("text", "works"),
    [
        (f"10.1000/a1\n{BARE}\narXiv:1706.03762\n", ["1 10.1000/a1", "2 Grass in bogs", "3 1706.03762"]),
        (f"{BARE}\n10.1000/a1\n{NAMED}\n", ["1 Grass in bogs", "2 10.1000/a1", "3 Reeds in fens 10.1000/xyz"]),
        (f"{BARE}\nhttps://doi.org/10.1000/a1\n", ["1 Grass in bogs 10.1000/a1"]),
        (f"1. 10.1000/a1\n2. 10.1000/a2\n3. {BARE}\n", ["1 10.1000/a1", "2 10.1000/a2", "3 Grass in bogs"]),
    ],
)
def test_identifiers_and_references_may_stand_in_one_list(text: str, works: list[str]) -> None:
    told = [
        f"{entry.line} {entry.paper.title} {' '.join(name.value for name in entry.paper.identifiers)}".rstrip()
        for entry in document_in(Path("list.txt"), text.encode()).found.entries
    ]
    assert [line.replace("(untitled) ", "") for line in told] == works
