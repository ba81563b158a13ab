"""The citation map as lines of text, for a terminal and for whoever has it read out."""

from collections.abc import Sequence

from connectors.paper import WorkId
from connectors.records.clean import visible
from spar_tui.citation_map.formats.picture import Picture
from spar_tui.citation_map.phrases import map_sentences, short_title, who_and_when, year_lines, years_meaning
from spar_tui.terminal import Style

_WIDEST_YEARS = 80


def drawing(picture: Picture, style: Style) -> list[str]:
    """The years as a sparkline; then the papers by year, numbered, each with those that it cites; what is known."""
    drawn, width = picture.drawn, min(style.width, _WIDEST_YEARS) - 2
    lines = [style.paint(f"Who cites whom: {drawn.question}", "bold")]
    bars = year_lines(drawn.years, width)
    lines += [f"  {bar}".rstrip() for bar in bars]
    lines += style.wrapped(years_meaning(drawn.years, width), "  ", "dim") if bars else []
    numbers = {one.work: number for number, one in enumerate(
        (one for _, papers in picture.in_columns for one in papers), start=1)}  # fmt: skip
    for year, papers in picture.in_columns:
        lines += ["", style.paint(str(year or "no date"), "cyan")]
        for one in papers:
            number = f"{numbers[one.work]:>4}  "
            who = who_and_when(one.paper)
            title = short_title(one.paper, max(style.width - len(number) - len(who) - 2, 20))
            lines.append(f"{number}{style.paint(visible(who), 'bold')}  {style.paint(title)}")
            told = _linked("cites", drawn.cites(one.work), numbers) + _linked(
                "cited by", drawn.cited_by(one.work), numbers
            )
            lines += style.wrapped("; ".join(told), " " * len(number), "dim") if told else []
    sentences = [line for told in map_sentences(drawn) for line in style.wrapped(told, "")]
    return [*lines, "", *sentences]


def _linked(verb: str, works: Sequence[WorkId], numbers: dict[WorkId, int]) -> list[str]:
    return [f"{verb} {', '.join(str(number) for number in sorted(numbers[work] for work in works))}"] if works else []
