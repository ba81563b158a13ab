"""The citation map as one JSON object."""

from collections import Counter
from dataclasses import asdict

from spar_tui.citation_map.formats.picture import Picture
from spar_tui.citation_map.layout import places
from spar_tui.citation_map.phrases import map_sentences
from spar_tui.terminal import dump


def json_map(picture: Picture) -> str:
    """Return the papers with their positions, and the links between them by the papers' numbers in the search."""
    return dump(map_object(picture)) + "\n"


def map_object(picture: Picture) -> dict[str, object]:
    """Return the object that `json_map` writes."""
    drawn, at = picture.drawn, places(picture.columns)
    return {
        "run": picture.run,
        "question": drawn.question,
        "told": " ".join(map_sentences(drawn)),
        "references": dict(Counter(paper.references for paper in drawn.papers)),
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
            for paper in drawn.papers
        ],
        "links": [link._asdict() for link in drawn.links],
        "years": [asdict(year) for year in drawn.years],
    }
