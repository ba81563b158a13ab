"""Notes that reference managers write in HTML."""

import re

from connectors.records.clean import unescaped

_HTML = re.compile(r"<(?:p|div|br|ul|ol|li|h[1-6]|blockquote|table)\b[^<>]*>", re.IGNORECASE)
"""Tags that occur only in notes in HTML."""
_ITEM = re.compile(r"(?:(?<!\s)\s+)?<li\b[^<>]*>\s*(?:<p\b[^<>]*>)?", re.IGNORECASE)
_BREAK = re.compile(r"(?:(?<!\s)\s+)?<br\s*/?>\s*|(?:(?<!\s)\s+)?</(?:li|tr|div)>\s*", re.IGNORECASE)
_PARAGRAPH = re.compile(r"(?:(?<!\s)\s+)?</?(?:p|div|ul|ol|h[1-6]|blockquote|table|tr)\b[^<>]*>\s*", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<!--[^<>]*-->")


def text_of_html(note: str) -> str:
    """Convert an HTML `note` to text, keeping paragraphs and lines; other notes stay unchanged."""
    if not _HTML.search(note):
        return note
    text = " ".join(note.split())  # in HTML, line ends are blanks
    text = _BREAK.sub("\n", _ITEM.sub("\n- ", text))
    text = _TAG.sub("", _PARAGRAPH.sub("\n\n", text))
    return re.sub(r"(?<!\n)\n{2,}(?=- )", "\n", re.sub(r"\n{3,}", "\n\n", unescaped(text))).strip()
