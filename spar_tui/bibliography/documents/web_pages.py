"""Convert HTML to lines: each block that a browser sets apart becomes a line, followed by an empty one."""

from lxml import etree

from spar_tui.bibliography.documents.citing_document import TextLine

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
