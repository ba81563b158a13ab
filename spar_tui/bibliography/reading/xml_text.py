"""Parse untrusted XML: no access to other files, and no entity expansion."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from html.entities import html5

from lxml import etree

from connectors.records.xml_titles import STYLES, title_with_styles

_PROLOG = re.compile(r"<\?xml[^>]{0,200}\?>")
_NO_CHARACTER = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]"
    r"|&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));",
    re.IGNORECASE,
)
"""Characters that XML forbids, but EndNote writes."""


def xml_root(text: str) -> etree._Element:
    """Return the root of a document, with namespaces removed from tags. Raises `ValueError` for invalid XML, and for a
    document with its own entities."""
    body = _NO_CHARACTER.sub("", _PROLOG.sub("", text.lstrip("\ufeff \t\n"), count=1)).lstrip()
    try:
        root = _parsed(body)
    except etree.XMLSyntaxError as error:
        try:
            root = _parsed(_escaped(body))
        except etree.XMLSyntaxError:
            raise ValueError(f"it is not valid XML ({error.msg})") from None
    if (head := root.getroottree().docinfo.internalDTD) is not None and any(head.entities()):  # type: ignore[attr-defined]  # lxml-stubs lack it
        raise ValueError("it defines its own XML entities, which spar does not read")
    for element in root.iter("{*}*"):
        element.tag = etree.QName(element).localname
    return root


def _parsed(body: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(body.encode(), parser)


_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")
_SYNTAX = re.compile(
    r"<!\[CDATA\[.*?\]\]>|<!--.*?-->|<[?!][^<>]*>|&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);"
    r"|<(?P<end>/?)(?P<name>[A-Za-z_][\w:.-]*+)(?>(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(?P<empty>/?)>|[&<]",
    re.DOTALL,
)


def _escaped(body: str) -> str:
    """Escape what programs write into XML as if it were text: bare ampersands and less-than signs, entities of HTML,
    and tags of styles of which some are never closed or opened."""
    body = _NAMED.sub(lambda entity: entity[0] if entity[1] in _OF_XML else html5.get(entity[1], entity[0]), body)
    open_tags = Counter(tag["name"] for tag in _SYNTAX.finditer(body) if tag["name"] and not tag["end"] + tag["empty"])
    end_tags = Counter(tag["name"] for tag in _SYNTAX.finditer(body) if tag["end"])
    text = {name for name in STYLES if open_tags[name] != end_tags[name]}
    return _SYNTAX.sub(lambda part: escape(part[0]) if part[0] in "&<" or part["name"] in text else part[0], body)


_OF_XML = ("amp;", "lt;", "gt;", "quot;", "apos;")


def text_of(element: etree._Element) -> str:
    """All text in an element."""
    return "".join(map(str, element.itertext())).strip()


def line_of(element: etree._Element) -> int:
    """Return the line where an element begins, from 1."""
    line: object = element.sourceline
    return line if isinstance(line, int) else 0


def leaves(
    element: etree._Element, name: Callable[[etree._Element], str], above: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the texts in an element with their paths, titles with styles. Paths consist of the names that `name` gives
    to elements; an element without a name is part of the surrounding text."""
    for child in element.iterchildren("*"):
        if not (step := name(child)):
            continue
        path = f"{above}{step}"
        if any(map(name, child.iterchildren("*"))) and not _is_text(child):
            yield from leaves(child, name, f"{path}/")
        elif text := title_with_styles(child) if step.lower().endswith("title") else text_of(child):
            yield path, text


def _is_text(element: etree._Element) -> bool:
    """Whether an element holds text with marks of style, and no elements of its own."""
    between = (element.text, *(child.tail for child in element.iterchildren()))
    inside = element.iterchildren("*")
    return any(text and text.strip() for text in between) or all(child.tag in STYLES for child in inside)
