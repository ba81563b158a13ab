"""Read the paragraphs of .docx and .odt files: zip files of XML. Parts over a size limit are not unpacked."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from spar_tui.bibliography.documents.citing_document import TextLine
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from lxml import etree

LARGEST_PART = 32 * 1024 * 1024
"""Maximum size of the text's XML in bytes, unpacked: about 5,000 pages."""
MOST_TAGS = 1_000_000
"""Maximum number of tags in a part. A tag takes about 250 bytes of memory; 32 MB of Word's XML have fewer."""
_TEXTS = ("word/document.xml", "content.xml")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_PROPERTIES = ("docProps/core.xml", "meta.xml")
_LEVEL = re.compile(r"(?:heading|berschrift|titre|t[ií]tulo|titolo) ?([1-9])", re.IGNORECASE)
"""Names of Word's heading styles in several languages."""
_STYLE = re.compile(r"(?:\}|^)(?:val|style-name)$")
_BLANK = frozenset(("tab", "br", "cr", "s", "line-break"))
_UNSEEN = frozenset(("del", "instrText", "delText", "annotation", "note", "tracked-changes"))
"""Elements that a reader does not see in a paragraph: deleted text, field codes, notes."""


def is_zip(raw: bytes) -> bool:
    """Whether `raw` is a zip file, possibly an empty one."""
    return raw.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_office_file(raw: bytes) -> bool:
    """Whether `raw` is a zip file with the text of a document."""
    return is_zip(raw) and bool(_part_of(raw, _TEXTS))


def office_lines(raw: bytes, name: str) -> list[TextLine]:
    """Return the paragraphs of a document, separated by empty lines. Raises `UsageError` if damaged or too large."""
    lines: list[TextLine] = []
    for paragraph in _unpacked(raw, name, _part_of(raw, _TEXTS)).iter("p", "h"):
        lines += (TextLine(_text(paragraph), _level(paragraph)), TextLine(""))
    return lines


def office_notes(raw: bytes, name: str) -> list[str]:
    """Return the footnotes and endnotes of a document. Raises `UsageError` as `office_lines` does."""
    parts = [part for part in _NOTES if _part_of(raw, (part,))] or [_part_of(raw, _TEXTS)]
    notes = (note for part in parts for note in _unpacked(raw, name, part).iter("footnote", "endnote", "note-body"))
    texts = (" ".join(_text(paragraph) for paragraph in note.iter("p")) for note in notes)
    return [text for text in texts if text.strip()]


def declared_title(raw: bytes, name: str) -> str:
    """Return the document's own title: the paragraph in the title style, else the title in its properties; "" without
    one. Raises `UsageError` as `office_lines` does."""
    for paragraph in _unpacked(raw, name, _part_of(raw, _TEXTS)).iter("p"):
        if _style(paragraph).casefold() == "title":
            return _text(paragraph)
    part = _part_of(raw, _PROPERTIES)
    titles = list(_unpacked(raw, name, part).iter("title")) if part else []
    return _text(titles[0]) if titles else ""


def _unpacked(raw: bytes, name: str, part: str) -> "etree._Element":
    """Parse the XML of one part of the file. Raises `UsageError`."""
    from spar_tui.bibliography.reading.xml_text import xml_root

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed, packed.open(part) as file:
            data = file.read(LARGEST_PART + 1)  # the size stated in the zip may be false
        if len(data) > LARGEST_PART:
            raise UsageError(f"{name}: {part} is larger than {LARGEST_PART >> 20} MB, the limit.")
        if data.count(b"<") > MOST_TAGS:
            raise UsageError(f"{name}: {part} has more than {MOST_TAGS:,} tags, the limit.")
        return xml_root(data.decode("utf-8"))
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, RuntimeError, OSError):
        raise UsageError(f"{name} is damaged: it cannot be unpacked.") from None
    except ValueError as error:
        raise UsageError(f"{name} cannot be read: {error}.") from None


def _part_of(raw: bytes, names: tuple[str, ...]) -> str:
    """Return the first of these parts that the zip contains; "" if it is damaged or contains none."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            there = set(packed.namelist())
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
        return ""
    return next((part for part in names if part in there), "")


def _text(paragraph: "etree._Element") -> str:
    return " ".join("".join(_pieces(paragraph)).split())


def _pieces(element: "etree._Element") -> Iterator[str]:
    """Yield the visible text of an element; the XML parser limits the depth to 256."""
    yield element.text or ""
    for child in element.iterchildren("*"):
        if child.tag in _BLANK:
            yield " "
        elif child.tag not in _UNSEEN:
            yield from _pieces(child)
        yield child.tail or ""


def _level(paragraph: "etree._Element") -> int:
    """Return the heading level of a paragraph; 0 if it is not a heading."""
    if paragraph.tag == "h":
        level = next((value for name, value in paragraph.attrib.items() if str(name).endswith("outline-level")), "1")
        return int(level) if str(level).isdecimal() else 1
    match = _LEVEL.search(_style(paragraph))
    return int(match[1]) if match else 0


def _style(paragraph: "etree._Element") -> str:
    """Return the name of a paragraph's style in Word or OpenDocument; "" for none."""
    style = paragraph.find("pPr/pStyle")
    attributes = (paragraph if style is None else style).attrib.items()
    return next((str(value) for name, value in attributes if _STYLE.search(str(name))), "")
