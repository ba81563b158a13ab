"""Citation maps made by hand, by rule or by chance."""

from collections.abc import Sequence

from hypothesis import strategies as st

from agents.run.events import FoundBy, PaperFound
from agents.search.events import Event, Finished, PapersRanked, Ranked
from agents.search.kind import SEARCH
from agents.search.state import SearchState
from connectors.paper import Author, Paper, WorkId
from spar_tui.citation_map.known_links import CitationLink, CitationMap, MapPaper, YearCount, map_of
from spar_tui.citation_map.layout import Picture, laid_out

HOSTILE = [
    'say "no" \\" and \\', "a --> b", "<b>x</b> & ]]> <!-- -->", "%% {init} %%", "`md` #quot; ;}{", "[link](x) |y|",
    "line\none\ttwo\r\x00\x1b[31m", "\ud800 lone", "\ufffe \uffff \x85", "subgraph end class",
]  # fmt: skip


def paper_of(title: str, year: int | None = 2020, name: str = "Lovelace") -> Paper:
    """A paper as no source has cleaned it."""
    return Paper(title, authors=(Author(name, "Ada"),), date=str(year) if year else None)


def a_map(papers: Sequence[Paper], links: Sequence[tuple[int, int]] = (), question: str = "a question") -> CitationMap:
    """A map of `papers`, numbered from 0, with these links."""
    return CitationMap(
        question,
        tuple(MapPaper(WorkId(number), one, 0.9, "known") for number, one in enumerate(papers)),
        tuple(sorted(CitationLink(WorkId(one), WorkId(two)) for one, two in set(links))),
        (YearCount(2020, 3, 1),),
    )


def a_picture(drawn: CitationMap) -> Picture:
    return Picture("20260304-0930-abcd", drawn, laid_out(drawn))


def events_of(papers: Sequence[Paper], *more: Event, relevant: int | None = None) -> list[Event]:
    """What a finished search tells: `papers`, numbered from 0, of which the first are `relevant`, and `more`."""
    found = [PaperFound(WorkId(number), one, FoundBy("openalex", "q", number + 1)) for number, one in enumerate(papers)]
    most = len(papers) if relevant is None else relevant
    ranking = tuple(Ranked(WorkId(number), 0.9, 0.9 if number < most else 0.1) for number in range(len(papers)))
    return [*found, PapersRanked(ranking), *more, Finished()]


def a_search(papers: Sequence[Paper], *more: Event, relevant: int | None = None) -> SearchState:
    """That search."""
    return SEARCH.folded(events_of(papers, *more, relevant=relevant))


def known(state: SearchState, question: str = "a question") -> CitationMap:
    """The map of a search of whose papers only the records tell what they cite."""
    return map_of(state, question, {work: paper.references for work, paper in state.papers.items()})


@st.composite
def pictures(draw: st.DrawFn) -> Picture:
    """Any picture: hostile titles, names and questions, any links, also of a paper to a later one."""
    words = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None), max_size=60))
    years = st.one_of(st.none(), st.integers(1990, 2000))
    papers = draw(st.lists(st.builds(paper_of, words, years, words), max_size=8))
    ends = st.integers(0, max(len(papers) - 1, 0))
    links = [(one, two) for one, two in draw(st.lists(st.tuples(ends, ends), max_size=12)) if one != two]
    return a_picture(a_map(papers, links if papers else (), draw(words)))
