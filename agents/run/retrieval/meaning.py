"""The question compared with papers by what they mean, where something makes vectors of texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.builtin.arithmetic import fused, reckons
from agents.builtin.ranking.bm25 import relevance
from agents.builtin.ranking.features import Pool
from agents.meaning.kept import cosines, text_for, unpacked
from agents.run.events import FoundBy
from agents.run.session import WITHOUT, RunSession
from connectors.paper import Paper, WorkId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FoundIn = Mapping[WorkId, Sequence[FoundBy]]
"""How each work was found."""


def rank(question: str, papers: Mapping[WorkId, Paper], found_by: FoundIn) -> list[WorkId]:
    """The works `papers`, best first: every list they stand in counts, and their built-in relevance as one more."""
    relevances = dict(zip(papers, relevance(question, list(papers.values())), strict=True))
    by_relevance = sorted(papers, key=lambda work: (-relevances[work], papers[work].id))
    own_ranks = {work: rank for rank, work in enumerate(by_relevance, start=1)}
    scores = {work: _fused(found_by.get(work, ()), own_ranks[work]) for work in papers}
    return sorted(papers, key=lambda work: (-scores[work], -relevances[work], papers[work].id))


def _fused(findings: Sequence[FoundBy], own_rank: int) -> float:
    """The fusion over the lists a work stands in, each counted once at its best place."""
    ranks: dict[tuple[str, str], int] = {}
    for entry in findings:
        key = (entry.source, entry.query)
        ranks[key] = min(entry.rank, ranks.get(key, entry.rank))
    return fused((*ranks.values(), own_rank))


def pool_of(
    question: str,
    papers: Mapping[WorkId, Paper],
    found_by: FoundIn,
    judged: Mapping[WorkId, float] | None = None,
    words: str = "",
) -> Pool:
    """`papers` in their order with the lists they stand in and their judgements, as features are counted over them.

    They are compared with `words`, which say what `question` asks for where its own do not.
    """
    numbers = {work: number for number, work in enumerate(papers)}
    lists: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for work, number in numbers.items():
        for finding in found_by[work]:
            if finding.link is None:
                lists.setdefault((finding.source, finding.query), []).append((finding.rank, number))
    ranked = {key: [number for _, number in sorted(entries)] for key, entries in sorted(lists.items())}
    return Pool(
        words or question,
        list(papers.values()),
        [ranking for (_, query), ranking in ranked.items() if query == question],
        [ranking for (_, query), ranking in ranked.items() if query != question],
        {numbers[work]: score for work, score in (judged or {}).items() if work in numbers},
    )


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

    cosines = rows([question for question, _ in PAIRS]) @ rows([paper for _, paper in PAIRS]).T
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
    texts = {index: text_for(papers[index]) for index in places}
    packed = await session.vectors([words, *TEXTS, *texts.values()])
    if not packed.keys() >= {words, *TEXTS}:
        return {}
    scale = scale_of({text: unpacked(packed[text]) for text in TEXTS})
    if not scale.tells:
        session.warn(f"To {told_of(session)} unlike texts are as near as like ones. {WITHOUT}")
        return {}
    near = cosines(packed, words, texts.values())
    return {index: scale.common(near[text]) for index, text in texts.items() if text in near}


def told_of(session: RunSession[Any, Any]) -> str:
    """Who compares meanings, as a person is told."""
    assert session.resources.embeddings is not None
    return session.resources.embeddings.encoder.label
