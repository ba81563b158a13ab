"""The citation map as text for other programs."""

import textwrap
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from connectors.paper import WorkId
from connectors.records.visible import visible
from spar_tui.citation_map import MapFormat
from spar_tui.citation_map.layout import Picture, node, places, xml_text
from spar_tui.citation_map.phrases import label, map_sentences, short_title, who_and_when
from spar_tui.terminal import dump


def dot(picture: Picture) -> str:
    """Return the map as a digraph, the latest year on the right; arrows go from the citing to the cited paper."""
    lines = ["digraph citations {", f"  label={_quoted(picture.caption)}; labelloc=b; rankdir=RL;"]
    lines += ['  node [shape=box, style=rounded, fontname="sans-serif"];']
    years = []
    for year, papers in picture.in_columns:
        name = f"y{year or ''}"
        years.append(name)
        lines.append(f"  {name} [shape=plaintext, label={_quoted(str(year or 'no date'))}];")
        for paper in papers:
            text = f"{_dot_text(who_and_when(paper.paper))}\\n{_dot_text(short_title(paper.paper))}"
            lines.append(f'  {node(paper.work)} [label="{text}", tooltip={_quoted(paper.paper.title)}];')
        lines.append(f"  {{ rank=same; {'; '.join([name, *(node(paper.work) for paper in papers)])}; }}")
    lines += [f"  {later} -> {earlier} [style=invis];" for earlier, later in pairwise(years)]
    # Only the year determines a paper's position: a paper that cites a later one must not push it aside.
    lines += [f"  {node(citing)} -> {node(cited)} [constraint=false];" for citing, cited in picture.drawn.links]
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    return f'"{_dot_text(text)}"'


def _dot_text(text: str) -> str:
    return " ".join(visible(text).replace("\\", "\\\\").replace('"', '\\"').split())


_KEYS = {
    "label": "string", "title": "string", "authors": "string", "year": "int", "paper": "string",
    "relevance": "double", "references": "string", "column": "int", "row": "int",
}  # fmt: skip


def graphml(picture: Picture) -> str:
    """Return the map as a directed graph; edges go from the citing to the cited paper."""
    root = Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    for name, kind in _KEYS.items():
        SubElement(root, "key", {"id": name, "for": "node", "attr.name": name, "attr.type": kind})
    SubElement(root, "key", {"id": "caption", "for": "graph", "attr.name": "caption", "attr.type": "string"})
    graph = SubElement(root, "graph", id="citations", edgedefault="directed")
    SubElement(graph, "data", key="caption").text = xml_text(picture.caption)
    at = places(picture.columns)
    for paper in picture.drawn.papers:
        column, row = at[paper.work]
        fields: dict[str, object] = {
            "label": label(paper.paper), "title": paper.paper.title, "year": paper.paper.year, "paper": paper.paper.id,
            "authors": "; ".join(author.name for author in paper.paper.authors), "relevance": round(paper.relevance, 4),
            "references": paper.references, "column": column, "row": row,
        }  # fmt: skip
        element = SubElement(graph, "node", id=node(paper.work))
        for name in _KEYS:
            if fields[name] is not None:
                SubElement(element, "data", key=name).text = xml_text(str(fields[name]))
    for citing, cited in picture.drawn.links:
        SubElement(graph, "edge", source=node(citing), target=node(cited))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'


_HARMLESS = frozenset(" .,:'()/-")


def mermaid(picture: Picture) -> str:
    """Return the map with a frame for each year; arrows go from the citing to the cited paper."""
    lines = ["flowchart RL", f'  caption["{_mermaid_text(picture.caption)}"]']
    for year, papers in picture.in_columns:
        lines.append(f'  subgraph y{year or "none"}["{year or "no date"}"]')
        lines += [f'    {node(paper.work)}["{_mermaid_text(label(paper.paper))}"]' for paper in papers]
        lines.append("  end")
    lines += [f"  {node(citing)} --> {node(cited)}" for citing, cited in picture.drawn.links]
    return "\n".join([*lines, ""])


def _mermaid_text(text: str) -> str:
    """Escape everything but letters, digits and harmless characters by number, for Mermaid and browsers."""
    one_line = " ".join(visible(text).split())
    return "".join(letter if letter.isalnum() or letter in _HARMLESS else f"#{ord(letter)};" for letter in one_line)


def json_map(picture: Picture) -> str:
    """Return the papers with their positions, and the links between them by the papers' numbers in the search."""
    return dump(map_object(picture)) + "\n"


def map_object(picture: Picture) -> dict[str, object]:
    """Return the object that `json_map` writes."""
    citation_map, at = picture.drawn, places(picture.columns)
    return {
        "run": picture.run,
        "question": citation_map.question,
        "told": " ".join(map_sentences(citation_map)),
        "references": dict(Counter(paper.references for paper in citation_map.papers)),
        "papers": [
            {
                "work": paper.work,
                "id": paper.paper.id,
                "title": paper.paper.title,
                "authors": [author.name for author in paper.paper.authors],
                "year": paper.paper.year,
                "relevance": round(paper.relevance, 4),
                "references": paper.references,
                "column": at[paper.work][0],
                "row": at[paper.work][1],
            }
            for paper in citation_map.papers
        ],
        "links": [link._asdict() for link in citation_map.links],
        "years": [asdict(year) for year in citation_map.years],
    }


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


WRITERS: Mapping[MapFormat, Callable[[Picture], str]] = {
    "dot": dot, "graphml": graphml, "json": json_map, "mermaid": mermaid, "svg": svg,
}  # fmt: skip


def written(picture: Picture, format: MapFormat) -> str:
    """Return `picture` in a format, ending with a line break."""
    return WRITERS[format](picture)
