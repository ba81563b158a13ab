"""The citation map as lines of text, for a terminal and for screen readers."""

from collections.abc import Sequence

from connectors.paper import WorkId
from connectors.records.visible import visible
from spar_tui.citation_map.layout import Picture
from spar_tui.citation_map.phrases import map_sentences, short_title, who_and_when, year_lines, years_meaning
from spar_tui.terminal import Style

_WIDEST_YEARS = 80


def drawing(picture: Picture, style: Style) -> list[str]:
    """Return the years as a sparkline; then the papers by year, numbered, with the papers they cite; and how
    complete the map is."""
    citation_map, width = picture.drawn, min(style.width, _WIDEST_YEARS) - 2
    lines = [style.paint(f"Who cites whom: {citation_map.question}", "bold")]
    bars = year_lines(citation_map.years, width)
    lines += [f"  {bar}".rstrip() for bar in bars]
    lines += style.wrapped(years_meaning(citation_map.years, width), "  ", "dim") if bars else []
    numbers = {paper.work: number for number, paper in enumerate(
        (paper for _, papers in picture.in_columns for paper in papers), start=1)}  # fmt: skip
    for year, papers in picture.in_columns:
        lines += ["", style.paint(str(year or "no date"), "cyan")]
        for paper in papers:
            number = f"{numbers[paper.work]:>4}  "
            who = who_and_when(paper.paper)
            title = short_title(paper.paper, max(style.width - len(number) - len(who) - 2, 20))
            lines.append(f"{number}{style.paint(visible(who), 'bold')}  {style.paint(title)}")
            links = _linked("cites", citation_map.cites(paper.work), numbers) + _linked(
                "cited by", citation_map.cited_by(paper.work), numbers
            )
            lines += style.wrapped("; ".join(links), " " * len(number), "dim") if links else []
    sentences = [line for map_sentence in map_sentences(citation_map) for line in style.wrapped(map_sentence, "")]
    return [*lines, "", *sentences]


def _linked(verb: str, works: Sequence[WorkId], numbers: dict[WorkId, int]) -> list[str]:
    return [f"{verb} {', '.join(str(number) for number in sorted(numbers[work] for work in works))}"] if works else []
