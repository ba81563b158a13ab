"""The citation map as a Mermaid flowchart, which GitHub and many Markdown editors draw."""

from connectors.records.visible import visible
from spar_tui.citation_map.formats.picture import Picture, node
from spar_tui.citation_map.phrases import label

_HARMLESS = frozenset(" .,:'()/-")


def mermaid(picture: Picture) -> str:
    """Return the map with a frame for each year; arrows go from the citing to the cited paper."""
    lines = ["flowchart RL", f'  caption["{_escaped(picture.caption)}"]']
    for year, papers in picture.in_columns:
        lines.append(f'  subgraph y{year or "none"}["{year or "no date"}"]')
        lines += [f'    {node(paper.work)}["{_escaped(label(paper.paper))}"]' for paper in papers]
        lines.append("  end")
    lines += [f"  {node(citing)} --> {node(cited)}" for citing, cited in picture.drawn.links]
    return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    """Escape everything but letters, digits and harmless characters by number, for Mermaid and browsers."""
    one_line = " ".join(visible(text).split())
    return "".join(letter if letter.isalnum() or letter in _HARMLESS else f"#{ord(letter)};" for letter in one_line)
