"""The citation map as GraphML, which Gephi, yEd, Cytoscape and networkx read."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from spar_tui.citation_map.formats.picture import Picture, node, xml_text
from spar_tui.citation_map.layout import places
from spar_tui.citation_map.phrases import label

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
        drawn = SubElement(graph, "node", id=node(paper.work))
        for name in _KEYS:
            if fields[name] is not None:
                SubElement(drawn, "data", key=name).text = xml_text(str(fields[name]))
    for citing, cited in picture.drawn.links:
        SubElement(graph, "edge", source=node(citing), target=node(cited))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'
