"""The question compared with papers by what they mean, where something makes vectors of texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.builtin.arithmetic import reckons
from agents.meaning.kept import cosines, text_for, unpacked
from agents.run.session import WITHOUT, RunSession
from connectors.paper import Paper, WorkId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAIRS = (
    ("does sleep help people remember what they learned",
     "Memory consolidation at night. Participants who slept after training recalled more word pairs the next day."),
    ("fatigue of bolts in wind turbines",
     "Cyclic loading of flange connections. We estimate the lifetime of fasteners in towers of wind power plants."),
    ("pretraining of language models on source code",
     "Transformers for programs. A network is trained on public repositories and then completes functions."),
    ("how soil bacteria fix nitrogen",
     "Rhizobia in root nodules. Legumes house microbes that turn nitrogen of the air into ammonia."),
    ("vaccination and mortality from influenza in the elderly",
     "Flu shots after the age of 65. In a cohort of residents of nursing homes, immunization lowered deaths."),
    ("detecting planets around other stars",
     "Transits observed from space. The light curves of dwarf stars reveal small companions with short orbits."),
    ("minimum wages and employment",
     "Pay floors and jobs. We compare restaurants on both sides of a state border after the law was changed."),
    ("shortest paths in large road networks",
     "Routing with preprocessing. A hierarchy of nodes answers queries on maps of a continent in microseconds."),
)  # fmt: skip
"""A question, and a paper on it in other words; of eight fields."""
TEXTS = tuple(text for pair in PAIRS for text in pair)
UNRELATED, RELATED = 0.013, 0.5
"""The mean cosines of a question with the papers on other questions, and with its own, by all-MiniLM-L6-v2."""
LEAST = 0.05
"""A model whose cosines with both are no further apart tells nothing."""


class Scale(NamedTuple):
    """What a model's cosines are like: the mean of a question with papers on others, and with its own."""

    unrelated: float
    related: float

    @property
    def tells(self) -> bool:
        """Whether the model tells the one from the other."""
        return self.related - self.unrelated > LEAST

    def common(self, cosine: float) -> float:
        """`cosine` on the common scale."""
        return UNRELATED + (cosine - self.unrelated) * (RELATED - UNRELATED) / (self.related - self.unrelated)


@reckons
def scale_of(vectors: "Mapping[str, NDArray[np.float64]]") -> Scale:
    """The scale of the model that made these `vectors`, among which are those of `TEXTS`."""
    import numpy as np

    def rows(texts: Sequence[str]) -> "NDArray[np.float64]":
        return np.array([vectors[text] for text in texts])

    cosines = rows([asked for asked, _ in PAIRS]) @ rows([paper for _, paper in PAIRS]).T
    own = float(np.trace(cosines))
    return Scale((float(cosines.sum()) - own) / (cosines.size - len(PAIRS)), own / len(PAIRS))


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
