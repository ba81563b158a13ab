"""Titles in XML, with the tags that records keep for italics, bold, superscript, subscript and small
capitals."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

STYLES = {
    **dict.fromkeys(("italic", "i", "em"), "i"), **dict.fromkeys(("bold", "b", "strong"), "b"),
    **dict.fromkeys(("superscript", "sup"), "sup"), **dict.fromkeys(("subscript", "sub", "inf"), "sub"),
    **dict.fromkeys(("smallcaps", "small-caps", "sc", "scp"), "scp"),
}  # fmt: skip
"""The tag for each element name, and for each face of EndNote's element `style`."""


def title_with_styles(element: "etree._Element | None") -> str:
    """Return the text of an element with the tags of `STYLES`; "" for None."""
    return _styled(element).strip() if element is not None else ""


def _styled(element: "etree._Element") -> str:
    parts = [element.text or ""]
    for child in element.iterchildren():
        if isinstance(child.tag, str):
            names = child.get("face", "").split() if child.tag == "style" else [child.tag]
            tags = [STYLES[name] for name in names if name in STYLES]
            text = _styled(child)
            for tag in tags if text.strip() else ():
                text = f"<{tag}>{text}</{tag}>"
            parts.append(text)
        parts.append(child.tail or "")
    return "".join(parts)
