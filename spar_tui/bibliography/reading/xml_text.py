"""Parse untrusted XML: no access to other files, and no entity expansion."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from html.entities import html5

from lxml import etree

from connectors.records.xml_titles import STYLES, title_with_styles
from spar_tui.bibliography.reading.entries_read import InvalidSyntax, Problem

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
    root = _parsed(_NO_CHARACTER.sub("", _PROLOG.sub("", text.lstrip("\ufeff"), count=1)))
    if (head := root.getroottree().docinfo.internalDTD) is not None and any(head.entities()):  # type: ignore[attr-defined]  # lxml-stubs lack it
        raise ValueError("it defines its own XML entities, which spar does not read")
    for element in root.iter("{*}*"):
        element.tag = etree.QName(element).localname
    return root


def _parsed(body: str) -> etree._Element:
    """Parse a document; if it is invalid, parse the result of `_escaped`. Raises `InvalidSyntax`."""
    try:
        return _parsed_strictly(body)
    except etree.XMLSyntaxError as error:
        try:
            return _parsed_strictly(_escaped(body))
        except etree.XMLSyntaxError:
            raise InvalidSyntax(f"it is not valid XML ({error.msg})") from None


def _parsed_strictly(body: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    return etree.fromstring(body.encode(), parser)


_CONTAINERS = frozenset("xml records PubmedArticleSet PubmedBookArticleSet modsCollection RDF".split())
"""Elements that contain the records of a file."""


def whole_records(text: str) -> tuple[str, list[Problem]]:
    """Return an invalid document without the records that make it so, and a problem for each of them.

    The other records keep their lines. A record ends with its end tag, where the next one of its name begins, or where
    the file is cut off.
    """
    records, name, start, head = list[tuple[int, int]](), "", 0, list[str]()
    for tag in (tag for tag in _SYNTAX.finditer(text) if tag["name"]):
        opens = not tag["end"] and not tag["empty"]
        if not name and tag["name"].rpartition(":")[2] in _CONTAINERS:
            head += [tag["name"]] if opens and not records else []
        elif tag["name"] == name and not opens:
            records.append((start, tag.end()))
            name = ""
        elif opens and (not name or tag["name"] == name):
            records += [(start, tag.start())] if name else []
            name, start = tag["name"], tag.start()
    is_cut_off = bool(name)
    records += [(start, len(text))] if is_cut_off else []
    first = records[0][0] if records else len(text)
    tail = "".join(f"</{name}>" for name in reversed(head))
    kept, problems, end = [text[:first]], list[Problem](), first
    for start, stop in records:
        line = text.count("\n", 0, start) + 1
        reason = ""
        if is_cut_off and stop == len(text):
            reason = f"the file is cut off in line {text.count(chr(10), 0, len(text.rstrip())) + 1}, before it ends"
        else:
            try:
                xml_root(f"{text[:first]}{text[start:stop]}{tail}")
            except InvalidSyntax:
                reason = "it is not valid XML"
        problems += [Problem(line, "", reason, to_end=is_cut_off and stop == len(text))] if reason else []
        kept += [
            "\n" * text.count("\n", end, start),
            "\n" * text.count("\n", start, stop) if reason else text[start:stop],
        ]
        end = stop
    return "".join([*kept, tail]), problems


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
    """Yield the texts in an element with their paths, titles and abstracts with styles. Paths consist of the names that
    `name` gives to elements; an element without a name is part of the surrounding text."""
    for child in element.iterchildren("*"):
        if not (step := name(child)):
            continue
        path = f"{above}{step}"
        if any(map(name, child.iterchildren("*"))) and not _is_text(child):
            yield from leaves(child, name, f"{path}/")
        elif text := title_with_styles(child) if step.lower().endswith(("title", "abstract")) else text_of(child):
            yield path, text


def _is_text(element: etree._Element) -> bool:
    """Whether an element holds text with marks of style, and no elements of its own."""
    between = (element.text, *(child.tail for child in element.iterchildren()))
    inside = element.iterchildren("*")
    return any(text and text.strip() for text in between) or all(child.tag in STYLES for child in inside)
