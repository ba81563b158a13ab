"""Vectors of the candidates and of the weightiest papers of the history, where something makes them."""

from collections.abc import Mapping

from agents.llm.errors import ModelError
from agents.meaning.kept import text_for
from agents.recommendation.session import RecommendationSession
from agents.run.events import Spent
from agents.run.session import VECTORS
from agents.taste.comparison import Comparison, heaviest
from agents.taste.vectors import HISTORY, nearness
from connectors.paper import WorkId


async def nearness_of(
    session: RecommendationSession, comparison: Comparison, places: Mapping[WorkId, int]
) -> dict[WorkId, float] | None:
    """How near the works at `places` are to the history by vectors; None where none can be made, which is said."""
    embeddings = session.resources.embeddings
    papers = {place: weight for place, weight in comparison.wanted.items() if comparison.number(place) is not None}
    history = heaviest(papers, HISTORY)
    if embeddings is None or not (session.calls or embeddings.encoder.local) or not history or not places:
        return None
    texts = {place: text_for(comparison.paper(place)) for place in dict.fromkeys((*history, *places.values()))}
    try:
        made = await session.control.unless_stopping(embeddings.of(list(texts.values())))
    except ModelError as error:
        session.warn(f"{error.sentence} Papers were compared by words and links alone.")
        return None
    if made is None:
        return None
    vectors, cost = made
    if cost.calls:
        session.post(Spent.of(VECTORS, cost))
    near = nearness({place: vectors[text] for place, text in texts.items()}, list(places.values()), history)
    return dict(zip(places, near, strict=True))
