"""The citation map in Graphviz's language: `dot -Tpdf map.dot`."""

from itertools import pairwise

from connectors.records.visible import visible
from spar_tui.citation_map.formats.picture import Picture, node
from spar_tui.citation_map.phrases import short_title, who_and_when


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
            text = f"{_escaped(who_and_when(paper.paper))}\\n{_escaped(short_title(paper.paper))}"
            lines.append(f'  {node(paper.work)} [label="{text}", tooltip={_quoted(paper.paper.title)}];')
        lines.append(f"  {{ rank=same; {'; '.join([name, *(node(paper.work) for paper in papers)])}; }}")
    lines += [f"  {later} -> {earlier} [style=invis];" for earlier, later in pairwise(years)]
    # Only the year determines a paper's position: a paper that cites a later one must not push it aside.
    lines += [f"  {node(citing)} -> {node(cited)} [constraint=false];" for citing, cited in picture.drawn.links]
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return " ".join(visible(text).replace("\\", "\\\\").replace('"', '\\"').split())
