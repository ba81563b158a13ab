"""The question compared with papers by what they mean, where something makes vectors of texts."""

from collections.abc import Iterable, Mapping
from typing import Any

from agents.meaning.kept import cosines, text_for, unpacked
from agents.meaning.scale import TEXTS, scale_of
from agents.run.session import WITHOUT, RunSession
from connectors.paper import Paper, WorkId


async def meanings_of(
    session: RunSession[Any, Any], words: str, works: Mapping[WorkId, Paper], places: Iterable[int]
) -> dict[int, float]:
    """The cosines of `words` with the papers at `places` of `works`, on the scale that all models have in common; none
    where nothing compares them."""
    if session.resources.embeddings is None:
        return {}
    papers = list(works.values())
    texts = {place: text_for(papers[place]) for place in places}
    packed = await session.vectors([words, *TEXTS, *texts.values()])
    if not packed.keys() >= {words, *TEXTS}:
        return {}
    scale = scale_of({text: unpacked(packed[text]) for text in TEXTS})
    if not scale.tells:
        session.warn(f"To {told_of(session)} unlike texts are as near as like ones. {WITHOUT}")
        return {}
    near = cosines(packed, words, texts.values())
    return {place: scale.common(near[text]) for place, text in texts.items() if text in near}


def told_of(session: RunSession[Any, Any]) -> str:
    """Who compares meanings, as a person is told."""
    assert session.resources.embeddings is not None
    return session.resources.embeddings.encoder.told
