"""Open any file that cites works: a bibliography, or a document with references."""

import re
from pathlib import Path

from lxml import etree

from spar_tui.bibliography.documents.citing_document import CitingDocument, TextLine
from spar_tui.bibliography.documents.named_bibliographies import read_markdown, read_tex, read_typst
from spar_tui.bibliography.documents.text_lines import found_in_lines, found_in_notes, found_in_text, lists_apart
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.files import (
    FORMATS,
    STDIN,
    decoded,
    found_in_bytes,
    kind_of,
    read_bytes,
    standard_input,
)
from spar_tui.errors import UsageError
from spar_tui.openable_files import is_pdf
from spar_tui.terminal import DASH

_BY_NAME = {
    **dict.fromkeys((".tex", ".ltx", ".latex"), "tex"), ".aux": "aux", ".bbl": "bbl",
    **dict.fromkeys((".md", ".markdown", ".qmd", ".rmd"), "markdown"), ".typ": "typst",
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
}  # fmt: skip
_MARKS = {
    "tex": re.compile(r"^[^%\n]*\\(?:documentclass|begin\{document\})", re.MULTILINE),
    "bbl": re.compile(r"\\begin\{thebibliography\}|^[^\S\n]*\\(?:bibitem|entry\{)", re.MULTILINE),
    "aux": re.compile(r"\A\\relax"),
    "html": re.compile(r"\A\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL),
}
DOCUMENTS = ".tex, .bbl, .aux, .typ, .docx, .odt, .md, .html, PDF or a text with a list of references"
"""The documents that can be read besides bibliographies, as shown to people."""


def read_document(file: Path, encoding: str = "") -> CitingDocument:
    """Return the references in `file`, or on standard input for `-`. Raises `UsageError`."""
    return document_in(file, standard_input() if str(file) == DASH else read_bytes(file), encoding)


def document_in(file: Path, raw: bytes, encoding: str = "") -> CitingDocument:
    """Return the references in `raw`, the contents of `file`. Raises `UsageError`."""
    name = STDIN if str(file) == DASH else file.name
    kind = document_kind(raw, name, encoding)
    if not kind:
        return CitingDocument(file, raw, found_in_bytes(raw, name, encoding))
    if kind in ("tex", "aux", "bbl"):
        document = read_tex(kind, file, raw, encoding)
    elif kind == "typst":
        document = read_typst(file, raw, encoding)
    elif kind == "markdown" and (by_name := read_markdown(file, raw, encoding)):
        document = by_name
    else:
        document = CitingDocument(file, raw, _found_in_text(kind, raw, name, encoding), kind)
    if kind == "markdown" and not (document.found.entries or document.found.problems):
        by_key = read_markdown(file, raw, encoding, beside=True)
        document = by_key if by_key and by_key.found.entries else document
    if not (document.found.entries or document.found.problems):
        reasons = f" ({'; '.join(document.notes)})" if document.notes else ""
        raise UsageError(f"found no list of references in {name}{reasons}.")
    return document


def document_kind(raw: bytes, name: str, encoding: str = "") -> str:
    """Return the kind of document in the bytes of file `name`; "" for a bibliography. Raises `UsageError` if it is
    neither."""
    from spar_tui.bibliography.documents.office_files import is_office_file

    if is_pdf(raw):
        return "pdf"
    if is_office_file(raw):
        return "office"
    if kind := _BY_NAME.get(Path(name).suffix.lower()):
        return kind
    text = decoded(raw, name, encoding).text
    kind = kind_of(text, name)
    if not text.strip() or (kind and not (kind == "identifiers" and lists_apart(text)[0])):
        return ""
    return next((kind for kind, mark in _MARKS.items() if mark.search(text)), "text")


def _found_in_text(kind: str, raw: bytes, name: str, encoding: str) -> FileEntries:

    match kind:
        case "pdf":
            from spar_tui.bibliography.documents.pdf_files import pdf_lines

            return found_in_lines(pdf_lines(raw, name), numbered=False)
        case "office":
            from spar_tui.bibliography.documents.office_files import office_lines, office_notes

            contents = found_in_lines(office_lines(raw, name), numbered=False)
            return contents if contents.entries or contents.problems else found_in_notes(office_notes(raw, name))
        case "html":
            try:
                return found_in_lines(page_lines(decoded(raw, name, encoding).text), numbered=False)
            except ValueError as error:
                raise UsageError(f"{name} cannot be read: {error}.") from None
        case "markdown":
            from spar_tui.bibliography.documents.text_lines import markdown_lines

            return found_in_lines(markdown_lines(decoded(raw, name, encoding).text), numbered=True)
    contents = found_in_text(decoded(raw, name, encoding).text)
    if not (contents.entries or contents.problems):
        raise UsageError(f"found no references in {name}. Supported: {FORMATS}; {DOCUMENTS}.")
    return contents


_UNSEEN = frozenset(("script", "style", "template", "noscript", "head", "svg", "math"))
_APART = frozenset(
    "address article aside blockquote body center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5"
    " h6 header hr html li main nav ol p pre section table tr ul".split()
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def page_lines(text: str) -> list[TextLine]:
    """Return the lines of a page. Raises `ValueError` if it cannot be parsed or is nested too deeply."""
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise ValueError("it is not readable HTML")
    if any("xcessive depth" in str(error.message) for error in parser.error_log):
        raise ValueError("its elements are nested too deeply")
    return _lines(root)


def _lines(root: "etree._Element") -> list[TextLine]:
    lines, parts, level, hidden = list[TextLine](), list[str](), 0, 0

    def end(gap: bool = True) -> None:
        if words := " ".join("".join(parts).split()):
            lines.append(TextLine(words, level))
        if gap and lines and lines[-1].text:
            lines.append(TextLine(""))
        parts.clear()

    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        if event == "start":
            hidden += tag in _UNSEEN
            if tag in _APART:
                end()
                level = _HEADINGS.index(tag) + 1 if tag in _HEADINGS else level
            parts.append("" if hidden else element.text or "")
            continue
        hidden -= tag in _UNSEEN
        if tag in _APART:
            end()
            level = 0 if tag in _HEADINGS else level
        elif tag == "a" and (address := str(element.get("href", ""))).startswith("https://doi.org/10."):
            parts.append(f" {address}")
        elif tag == "br":
            end(gap=False)
        elif tag in ("td", "th"):
            parts.append(" ")
        parts.append("" if hidden else element.tail or "")
    end()
    return lines
