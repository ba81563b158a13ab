"""Vectors of the candidates and of the papers of the history, where something makes them and they count."""

from collections.abc import Mapping

from agents.meaning.kept import text_for
from agents.recommendation.session import RecommendationSession
from agents.taste.comparison import Comparison
from agents.taste.scoring import by_vectors
from agents.taste.vectors import nearness
from connectors.paper import WorkId


async def nearness_of(
    session: RecommendationSession, comparison: Comparison, places: Mapping[WorkId, int]
) -> dict[WorkId, float] | None:
    """How near the works at `places` are to the history by vectors; None where none can be made, which is said."""
    history = [place for place in comparison.wanted if comparison.number(place) is not None]
    if not history or not places or not by_vectors(len(comparison.wanted)):
        return None
    texts = {place: text_for(comparison.paper(place)) for place in dict.fromkeys((*history, *places.values()))}
    vectors = await session.vectors(list(texts.values()))
    if len(vectors) < len(set(texts.values())):
        return None
    near = nearness({place: vectors[text] for place, text in texts.items()}, list(places.values()), history)
    return dict(zip(places, near, strict=True))
