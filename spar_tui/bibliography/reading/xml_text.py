"""Parse untrusted XML: no access to other files, and no entity expansion."""

import re
from collections.abc import Callable, Iterator

from lxml import etree

from connectors.records.xml_titles import title_with_styles

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
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    body = _PROLOG.sub("", text.lstrip("\ufeff \t\n"), count=1)
    try:
        root = etree.fromstring(_NO_CHARACTER.sub("", body).lstrip().encode(), parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"it is not valid XML ({error.msg})") from None
    if (head := root.getroottree().docinfo.internalDTD) is not None and any(head.entities()):  # type: ignore[union-attr]  # which lxml-stubs lack
        raise ValueError("it defines its own XML entities, which spar does not read")
    for element in root.iter("{*}*"):
        element.tag = etree.QName(element).localname
    return root


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
        if any(map(name, child.iterchildren("*"))):
            yield from leaves(child, name, f"{path}/")
        elif text := title_with_styles(child) if step.endswith("title") else text_of(child):
            yield path, text
