"""Titles in XML, with the tags that records keep for italics, bold, superscript and subscript."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

_STYLES = {"italic": "i", "bold": "b", "superscript": "sup", "subscript": "sub", "i": "i", "b": "b", "sup": "sup",
           "sub": "sub"}  # fmt: skip
"""The tag for each element name, and for each face of EndNote's element `style`."""


def title_with_styles(element: "etree._Element | None") -> str:
    """Return the text of an element with `<i>`, `<b>`, `<sub>` and `<sup>` tags for its styles; "" for None."""
    return _styled(element).strip() if element is not None else ""


def _styled(element: "etree._Element") -> str:
    parts = [element.text or ""]
    for child in element.iterchildren():
        if isinstance(child.tag, str):
            names = child.get("face", "").split() if child.tag == "style" else [child.tag]
            tags = [_STYLES[name] for name in names if name in _STYLES]
            text = _styled(child)
            for tag in tags if text.strip() else ():
                text = f"<{tag}>{text}</{tag}>"
            parts.append(text)
        parts.append(child.tail or "")
    return "".join(parts)
