"""The citation map as one JSON object."""

from collections import Counter
from dataclasses import asdict

from spar_tui.citation_map.formats.picture import Picture
from spar_tui.citation_map.known_links import places
from spar_tui.citation_map.phrases import map_sentences
from spar_tui.reports.json_objects import dump


def json_map(picture: Picture) -> str:
    """The papers with their places, and the links between them by the papers' numbers in the search."""
    return dump(map_object(picture)) + "\n"


def map_object(picture: Picture) -> dict[str, object]:
    """What `json_map` writes."""
    drawn, at = picture.drawn, places(picture.columns)
    return {
        "run": picture.run,
        "question": drawn.question,
        "told": " ".join(map_sentences(drawn)),
        "references": dict(Counter(one.references for one in drawn.papers)),
        "papers": [
            {
                "work": one.work,
                "id": one.paper.id,
                "title": one.paper.title,
                "authors": [author.name for author in one.paper.authors],
                "year": one.paper.year,
                "relevance": round(one.relevance, 4),
                "references": one.references,
                "column": at[one.work][0],
                "row": at[one.work][1],
            }
            for one in drawn.papers
        ],
        "links": [link._asdict() for link in drawn.links],
        "years": [asdict(one) for one in drawn.years],
    }
