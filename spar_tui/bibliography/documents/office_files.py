"""The paragraphs of .docx and .odt files: zip files of XML, of which one part of a bounded size is unpacked."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from spar_tui.bibliography.documents.text_lines import TextLine
from spar_tui.bibliography.reading.xml_text import xml_root
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from lxml import etree

LARGEST_PART = 32 * 1024 * 1024
"""Bytes of the text's XML, unpacked: some 5,000 pages."""
_WORD, _OPEN_DOCUMENT = "word/document.xml", "content.xml"
_LEVEL = re.compile(r"(?:heading|berschrift|titre|t[ií]tulo|titolo)\s*([1-9])", re.IGNORECASE)
"""How Word calls the styles of headings in several languages."""
_BLANK = frozenset(("tab", "br", "cr", "s", "line-break"))
_UNSEEN = frozenset(("del", "instrText", "delText", "annotation", "note", "tracked-changes"))
"""What a reader of the document does not see in its paragraphs: deleted text, code of fields, notes."""


def is_office_file(raw: bytes) -> bool:
    """Whether these bytes are a zip file that says that it is a document of text."""
    return raw.startswith(b"PK\x03\x04") and _text_part(raw) is not None


def office_lines(raw: bytes, name: str) -> list[TextLine]:
    """The paragraphs of a document, with an empty line between them. Raises `UsageError` for one that is damaged or too
    large."""
    part = _text_part(raw)
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed, packed.open(part or "") as file:
            data = file.read(LARGEST_PART + 1)  # what the zip says of its own size need not be true
        if len(data) > LARGEST_PART:
            raise UsageError(f"the text of {name} unpacks to more than {LARGEST_PART >> 20} MB, which is refused.")
        root = xml_root(data.decode("utf-8"))
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, OSError):
        raise UsageError(f"{name} is damaged: it cannot be unpacked.") from None
    except ValueError as error:
        raise UsageError(f"{name} cannot be read: {error}.") from None
    return [
        line
        for paragraph in root.iter("p", "h")
        for line in (TextLine(_text(paragraph), _level(paragraph)), TextLine(""))
    ]


def _text_part(raw: bytes) -> str | None:
    """The part of a zip that holds the text of a document, if it is one."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            names = set(packed.namelist())
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        return None
    return next((part for part in (_WORD, _OPEN_DOCUMENT) if part in names), None)


def _text(paragraph: "etree._Element") -> str:
    return " ".join("".join(_pieces(paragraph)).split())


def _pieces(element: "etree._Element") -> Iterator[str]:
    """What a reader sees of an element; parsed XML is at most 256 deep."""
    yield element.text or ""
    for child in element.iterchildren("*"):
        if child.tag in _BLANK:
            yield " "
        elif child.tag not in _UNSEEN:
            yield from _pieces(child)
        yield child.tail or ""


def _level(paragraph: "etree._Element") -> int:
    """The level of the heading that a paragraph is; 0 if it is none."""
    if paragraph.tag == "h":
        level = next((value for name, value in paragraph.attrib.items() if str(name).endswith("outline-level")), "1")
        return int(level) if str(level).isdecimal() else 1
    style = paragraph.find("pPr/pStyle")
    value = next(iter(style.attrib.values()), "") if style is not None else ""
    found = _LEVEL.search(str(value))
    return int(found[1]) if found else 0
