"""The citation map as an SVG image, sized by its papers."""

import textwrap
from xml.etree.ElementTree import Element, SubElement, tostring

from connectors.paper import WorkId
from spar_tui.citation_map.formats.picture import Picture, node, xml_text
from spar_tui.citation_map.layout import places
from spar_tui.citation_map.phrases import short_title, who_and_when

_BOX_WIDTH, _BOX_HEIGHT = 240, 44
_BESIDE, _BELOW = 90, 22
_MARGIN, _HEAD, _CAPTION_LINE = 20, 40, 16
_CAPTION_LETTERS = 12
"""Pixels of width for every two characters of the caption."""
_STYLE = (
    "text{font:12px sans-serif;fill:#1a1a1a}.year{font-weight:bold;font-size:14px}.title{fill:#555}"
    "rect{fill:#fff;stroke:#888}path{fill:none;stroke:#4466aa;stroke-opacity:.7}"
)


def svg(picture: Picture) -> str:
    """Return the map with a column for each year; arrows go from the citing to the cited paper."""
    columns = picture.columns
    rows = max((len(column.works) for column in columns), default=0)
    width = 2 * _MARGIN + max(len(columns) * (_BOX_WIDTH + _BESIDE) - _BESIDE, 2 * _BOX_WIDTH)
    caption = textwrap.wrap(xml_text(picture.caption), width // _CAPTION_LETTERS * 2)
    bottom = _MARGIN + _HEAD + rows * (_BOX_HEIGHT + _BELOW)
    height = bottom + len(caption) * _CAPTION_LINE + _MARGIN
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    SubElement(root, "title").text = xml_text(f"Who cites whom: {picture.drawn.question}")
    SubElement(root, "style").text = _STYLE
    _add_arrow_head(root)
    SubElement(root, "rect", {"width": "100%", "height": "100%", "style": "stroke:none"})
    corners = {work: _corner(*at) for work, at in places(columns).items()}
    for citing, cited in picture.drawn.links:
        line = _line(corners[citing], corners[cited])
        SubElement(root, "path", {"d": line, "marker-end": "url(#arrow)", "class": f"{node(citing)} {node(cited)}"})
    for number, (year, papers) in enumerate(picture.in_columns):
        _add_text(root, _corner(number, 0)[0], _MARGIN + 14, str(year or "no date"), "year")
        for paper in papers:
            _add_box(root, corners[paper.work], paper.work, [who_and_when(paper.paper), short_title(paper.paper, 34)],
                     paper.paper.title)  # fmt: skip
    for number, caption_line in enumerate(caption):
        _add_text(root, _MARGIN, bottom + (number + 1) * _CAPTION_LINE, caption_line, "title")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'


def _corner(column: int, row: int) -> tuple[int, int]:
    return _MARGIN + column * (_BOX_WIDTH + _BESIDE), _MARGIN + _HEAD + row * (_BOX_HEIGHT + _BELOW)


def _line(citing: tuple[int, int], cited: tuple[int, int]) -> str:
    """Return a curve from the side of one box to the facing side of the other; within a column it bows out to the
    left."""
    middle = _BOX_HEIGHT // 2
    leftwards = cited[0] < citing[0]
    start = citing[0] + (0 if leftwards or cited[0] == citing[0] else _BOX_WIDTH), citing[1] + middle
    end = cited[0] + (_BOX_WIDTH if leftwards else 0), cited[1] + middle
    bow = _BESIDE // 2
    first = start[0] + (bow if cited[0] > citing[0] else -bow)
    last = end[0] + (bow if leftwards else -bow)
    return f"M{start[0]} {start[1]}C{first} {start[1]} {last} {end[1]} {end[0]} {end[1]}"


def _add_arrow_head(root: Element) -> None:
    marker = SubElement(
        SubElement(root, "defs"), "marker",
        {"id": "arrow", "markerWidth": "8", "markerHeight": "8", "refX": "7", "refY": "4", "orient": "auto"},
    )  # fmt: skip
    SubElement(marker, "path", {"d": "M0 0L8 4L0 8Z", "style": "fill:#4466aa;stroke:none"})


def _add_box(root: Element, corner: tuple[int, int], work: WorkId, lines: list[str], title: str) -> None:
    left, top = corner
    group = SubElement(root, "g", {"id": node(work)})
    SubElement(group, "title").text = xml_text(title)
    box = {"x": str(left), "y": str(top), "width": str(_BOX_WIDTH), "height": str(_BOX_HEIGHT), "rx": "6"}
    SubElement(group, "rect", box)
    for number, line in enumerate(lines):
        _add_text(group, left + 8, top + 18 + 17 * number, line, "title" if number else "who")


def _add_text(root: Element, left: int, top: int, text: str, kind: str) -> None:
    SubElement(root, "text", {"x": str(left), "y": str(top), "class": kind}).text = xml_text(text)
