"""Papers as readable text."""

from collections.abc import Sequence

from agents.events import FoundBy, Ranked
from agents.search.state import SearchState
from connectors.paper import Paper, short_authors
from spar_tui.cli.terminal import Style


def search_listing(state: SearchState, style: Style) -> list[str]:
    """The ranked answer of a search."""
    lines: list[str] = []
    for place, one in enumerate(state.ranking, start=1):
        found = state.found[one.work]
        lines += paper_entry(place, found.paper, style, one, found.found_by)
    return lines


def paper_entry(
    place: int, paper: Paper, style: Style, ranked: Ranked | None = None, ways: Sequence[FoundBy] = ()
) -> list[str]:
    """One paper of a list: title, who and where, how found."""
    number = f"{place:>3}. "
    indent = " " * len(number)
    title = style.wrapped(("RETRACTED: " if paper.retracted else "") + paper.title, indent, "bold")
    facts = [short_authors(paper.authors), str(paper.year or "no date"), paper.venue]
    if paper.citation_count is not None:
        facts.append(f"cited {paper.citation_count:,}")
    names = [paper.id, "PDF" if paper.pdf else ""]
    if ranked:
        names += [found_text(ways), f"score {ranked.score:.2f}", f"relevance {ranked.relevance:.2f}"]
    return [
        style.paint(number, "cyan") + (title[0].lstrip() if title else ""),
        *title[1:],
        *style.wrapped(" · ".join(filter(None, facts)), indent),
        *style.wrapped(" · ".join(filter(None, names)), indent, "dim"),
    ]


def papers_text(number: int) -> str:
    """`1 paper`, `2 papers`."""
    return f"{number} paper{'' if number == 1 else 's'}"


def found_text(ways: Sequence[FoundBy]) -> str:
    """`openalex #1, arxiv #3`: where a paper was found, and at which place of each list."""
    best: dict[str, int] = {}
    for way in ways:
        best[way.source] = min(way.rank, best.get(way.source, way.rank))
    return ", ".join(f"{source} #{rank}" for source, rank in sorted(best.items(), key=lambda pair: pair[1]))


def paper_page(paper: Paper, style: Style) -> list[str]:
    """One paper in full."""
    title = ("RETRACTED: " if paper.retracted else "") + paper.title
    lines = [*style.wrapped(title, "", "bold"), *style.wrapped(", ".join(a.name for a in paper.authors), "")]
    place = " · ".join(filter(None, [paper.venue, paper.date, paper.type if paper.type != "other" else ""]))
    lines += [style.paint(place), ""] if place else [""]
    lines += [*style.wrapped(paper.abstract or "(no abstract known)", ""), ""]
    lines += [f"{style.paint(f'{label:<12}', 'dim')} {style.paint(value)}" for label, value in _facts(paper) if value]
    return lines


def _facts(paper: Paper) -> list[tuple[str, str]]:
    cited = f"{paper.citation_count:,}" if paper.citation_count is not None else ""
    facts: list[tuple[str, str]] = [(name.scheme, name.value) for name in paper.identifiers]
    facts += [("cited", cited), ("references", f"{len(paper.references):,}" if paper.references else "")]
    facts += [("page", paper.url or ""), ("PDF", paper.pdf or ""), ("language", paper.language or "")]
    if paper.preprint and paper.published:
        for label, version in (("preprint", paper.preprint), ("published", paper.published)):
            told = [version.venue, version.date or "", f"doi:{version.doi}" if version.doi else version.url or ""]
            facts.append((label, " · ".join(filter(None, told))))
    sources = sorted({entry.source for entry in paper.provenance})
    return [*facts, ("told by", ", ".join(sources))]
