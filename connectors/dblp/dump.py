"""Parse dblp's dump: one XML element per publication, in ISO 8859-1 with HTML's named entities."""

import re
from html import unescape

from lxml import etree

from connectors.dblp.record import read_info
from connectors.paper import Paper

KINDS = {
    "article": "Journal Articles", "inproceedings": "Conference and Workshop Papers", "proceedings": "Editorship",
    "book": "Books and Theses", "incollection": "Parts in Books or Collections", "phdthesis": "Books and Theses",
    "mastersthesis": "Books and Theses", "data": "Data and Artifacts",
}  # fmt: skip
"""Elements of publications, with the type names of dblp's search; `www` elements are person pages."""
_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]{2,10};")


def read_element(element: bytes) -> Paper | None:
    """Return the paper of an element; None if it is no publication or is damaged."""
    text = _NAMED.sub(lambda match: unescape(match[0]), element.decode("latin-1"))
    try:
        root = etree.fromstring(text, etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    fields: dict[str, list[str]] = {}
    for child in root.iterchildren("*"):
        fields.setdefault(child.tag, []).append("".join(map(str, child.itertext())))
    if root.tag not in KINDS:
        return None
    first = {name: texts[0] for name, texts in fields.items()}
    return read_info(first | {
        "key": root.get("key"), "type": KINDS[root.tag], "ee": fields.get("ee", []),
        "venue": first.get("journal") or first.get("booktitle") or first.get("school"),
        "authors": {"author": fields.get("author") or fields.get("editor", [])},
    })  # fmt: skip
