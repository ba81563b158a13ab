"""Vectors of the candidates and of the weightiest papers of the history, where the person has a model for them."""

import asyncio
from collections.abc import Mapping

from agents.llm.errors import ModelError
from agents.recommendation.session import RecommendationSession
from agents.run.events import Spent
from agents.run.session import VECTORS
from agents.taste.comparison import Comparison, heaviest
from agents.taste.vectors import HISTORY, nearness, packed, text_for
from cache.paper_vectors import keep_vectors, kept_vectors
from connectors.paper import WorkId


async def nearness_of(
    session: RecommendationSession, comparison: Comparison, places: Mapping[WorkId, int]
) -> dict[WorkId, float] | None:
    """How near the works at `places` are to the history by vectors; None where none can be made, which is said."""
    embeddings = session.resources.embeddings
    papers = {place: weight for place, weight in comparison.wanted.items() if comparison.number(place) is not None}
    history = heaviest(papers, HISTORY)
    if embeddings is None or not session.calls or not history or not places:
        return None
    wanted = list(dict.fromkeys((*history, *places.values())))
    vectors = await asyncio.to_thread(_kept, session, comparison, embeddings.space, wanted)
    missing = [place for place in wanted if place not in vectors]
    if missing:
        texts = [text_for(comparison.paper(place)) for place in missing]
        try:
            made = await session.control.unless_stopping(embeddings.embed(texts))
        except ModelError as error:
            session.warn(f"{error.sentence} Papers were compared by words and links alone.")
            return None
        if made is None:
            return None
        found, cost = made
        fresh = {place: packed(vector) for place, vector in zip(missing, found, strict=True)}
        session.post(Spent.of(VECTORS, cost))
        await asyncio.to_thread(_keep, session, comparison, embeddings.space, fresh)
        vectors |= fresh
    if len({len(vector) for vector in vectors.values()}) > 1:
        session.warn(
            f"The vectors of {embeddings.name} have different lengths, so words and links alone were compared."
        )
        return None
    near = nearness(vectors, list(places.values()), history)
    return dict(zip(places, near, strict=True))


def _kept(session: RecommendationSession, comparison: Comparison, space: str, places: list[int]) -> dict[int, bytes]:
    numbers = {number: place for place in places if (number := comparison.number(place)) is not None}
    kept = kept_vectors(session.reader.store, space, list(numbers))
    return {numbers[number]: vector for number, vector in kept.items()}


def _keep(session: RecommendationSession, comparison: Comparison, space: str, vectors: Mapping[int, bytes]) -> None:
    numbered = {number: vector for place, vector in vectors.items() if (number := comparison.number(place)) is not None}
    keep_vectors(session.reader.store, space, numbered)
