"""Sentences and labels of a citation map: its papers, its completeness, and its years."""

from collections import Counter
from collections.abc import Mapping, Sequence

from connectors.paper import Paper
from connectors.records.visible import shortened, visible
from spar_tui.citation_map.known_links import CitationMap, MapPaper, References, YearCount
from spar_tui.math_text import title_text
from spar_tui.phrases import counted, papers_text

TITLE_LETTERS = 48
NO_LINKS = "No paper of this search is known to cite another."
BARS = "▁▂▃▄▅▆▇█"
_UNKNOWN: Mapping[References, str] = {
    "none listed": "no source lists any",
    "failed": "fetching failed",
    "not kept": "listed but not stored",
    "not asked": "not asked",
}


def first_author(paper: Paper) -> str:
    """Return the first author, as in `Lovelace et al.`."""
    first = paper.authors[0].family if paper.authors else "Unknown author"
    return visible(f"{first}{' et al.' if len(paper.authors) > 1 or (paper.authors and paper.et_al) else ''}")


def who_and_when(paper: Paper) -> str:
    """Return the first author and the year, as in `Lovelace et al. 2020`."""
    return f"{first_author(paper)} {paper.year or 'no date'}"


def short_title(paper: Paper, letters: int = TITLE_LETTERS) -> str:
    """Return the title on one line, truncated if long."""
    return shortened(" ".join(visible(title_text(paper)).split()), letters)


def label(paper: Paper) -> str:
    """Return a label such as `Lovelace 2020: A short title`."""
    return f"{who_and_when(paper)}: {short_title(paper)}"


def map_sentences(citation_map: CitationMap) -> list[str]:
    """Say how much the map shows, and for which papers the references are known."""
    if not citation_map.papers:
        return [
            f"No paper of this search is judged relevant{'' if citation_map.over else ' so far'}, so there is no map."
        ]
    counts = (
        f"{counted(len(citation_map.links), 'citation')} among {counted(len(citation_map.papers), 'relevant paper')}."
    )
    return [counts if citation_map.links else NO_LINKS, references_sentence(citation_map.papers)]


def references_sentence(papers: Sequence[MapPaper]) -> str:
    """Return for how many papers the references are known, and the reasons for the others."""
    states = Counter(paper.references for paper in papers)
    counts_by_reason = {why: states[state] for state, why in _UNKNOWN.items() if states[state]}
    if len(papers) == 1:
        return f"Its references are {f'not known: {next(iter(counts_by_reason))}' if counts_by_reason else 'known'}."
    if not counts_by_reason:
        return f"References known for all {papers_text(len(papers))}."
    whys = ", ".join(f"{why} ({number:,})" for why, number in counts_by_reason.items())
    if not states["known"]:
        return f"References unknown for all {papers_text(len(papers))}: {whys}."
    return f"References known for {states['known']:,} of {papers_text(len(papers))}; unknown: {whys}."


def year_lines(years: Sequence[YearCount], width: int) -> list[str]:
    """Return the years as a sparkline of at most `width` columns: papers found, below it the number of relevant
    ones, and below that the first and the last year. Empty if no paper has a date."""
    if not years or width < len("1990-2020"):
        return []
    step = -(-len(years) // width)
    grouped = [years[at : at + step] for at in range(0, len(years), step)]
    totals = [sum(year_count.found for year_count in group) for group in grouped]
    relevant = [sum(year_count.relevant for year_count in group) for group in grouped]
    maximum = max(totals)
    bars = "".join(BARS[(total * (len(BARS) - 1) + maximum - 1) // maximum] if total else " " for total in totals)
    marks = "".join(" " if not total else str(total) if total <= 9 else "+" for total in relevant)
    first, last = str(years[0].year), str(years[-1].year)
    if len(bars) < len(first) + len(last) + 1:
        span = first if first == last else f"{first}-{last}"
    else:
        span = first + last.rjust(len(bars) - len(first))
    return [bars, marks, span]


def years_meaning(years: Sequence[YearCount], width: int) -> str:
    """Say what a column of `year_lines` means."""
    step = -(-len(years) // width)
    step_name = "year" if step == 1 else f"{step} years"
    return f"found per {step_name}; relevant below (+: more than 9)"
