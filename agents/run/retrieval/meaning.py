"""Compare the question with papers by meaning, if an encoder computes vectors."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import fused, reckons
from agents.builtin.ranking.bm25 import relevance
from agents.builtin.ranking.features import Pool
from agents.meaning.kept import cosines, text_for, unpacked
from agents.run.events import FoundBy
from agents.run.session import WITHOUT, RunSession
from cache.local_source import Library
from connectors.paper import Paper, WorkId

FoundIn = Mapping[WorkId, Sequence[FoundBy]]
"""How each work was found."""


def rank(question: str, papers: Mapping[WorkId, Paper], found_by: FoundIn) -> list[WorkId]:
    """Rank `papers`, best first, by fusing every list that has them with their built-in relevance."""
    relevances = dict(zip(papers, relevance(question, list(papers.values())), strict=True))
    by_relevance = sorted(papers, key=lambda work: (-relevances[work], papers[work].id))
    own_ranks = {work: rank for rank, work in enumerate(by_relevance, start=1)}
    scores = {work: _fused(found_by.get(work, ()), own_ranks[work]) for work in papers}
    return sorted(papers, key=lambda work: (-scores[work], -relevances[work], papers[work].id))


def _fused(findings: Sequence[FoundBy], own_rank: int) -> float:
    """Fuse the best rank in each list with `own_rank`."""
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
    """Return `papers` in their order, with their lists and judgements, for computing features. They are compared
    with `words`, if given, in place of `question`. The library remembers what sources listed, so it lists for a query
    only what no source does: no paper gains by being found again."""
    numbers = {work: number for number, work in enumerate(papers)}
    lists: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for work, number in numbers.items():
        findings = [finding for finding in found_by[work] if finding.link is None]
        by_sources = {finding.query for finding in findings if finding.source != Library.name}
        for finding in findings:
            if finding.source != Library.name or finding.query not in by_sources:
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
"""Questions, each with a paper that answers it in other words, from eight fields."""
TEXTS = tuple(text for pair in PAIRS for text in pair)
UNRELATED, RELATED = 0.013, 0.5
"""Mean cosines of a question with papers on other questions, and with its own paper, by all-MiniLM-L6-v2."""
LEAST = 0.05
"""Minimum difference between the two mean cosines of a usable model."""


class Scale(NamedTuple):
    """The range of a model's cosines: the means of a question with unrelated papers and with its own."""

    unrelated: float
    related: float

    @property
    def tells(self) -> bool:
        """Whether the model discriminates between related and unrelated papers."""
        return self.related - self.unrelated > LEAST

    def common(self, cosine: float) -> float:
        """Convert `cosine` to the scale common to all models."""
        return UNRELATED + (cosine - self.unrelated) * (RELATED - UNRELATED) / (self.related - self.unrelated)


@reckons
def scale_of(vectors: "Mapping[str, np.Floats]") -> Scale:
    """Return the scale of the model that computed `vectors`, which must include those of `TEXTS`."""

    def rows(texts: Sequence[str]) -> "np.Floats":
        return np.array([vectors[text] for text in texts])

    cosines = rows([question for question, _ in PAIRS]) @ rows([paper for _, paper in PAIRS]).T
    own = float(np.trace(cosines))
    return Scale((float(cosines.sum()) - own) / (cosines.size - len(PAIRS)), own / len(PAIRS))


async def meanings_of(
    session: RunSession[Any, Any], words: str, works: Mapping[WorkId, Paper], indices: Iterable[int]
) -> dict[int, float]:
    """Return the cosines of `words` with the papers at the indices `indices` of `works`, on the common scale; empty if
    no encoder can compare them."""
    if session.resources.embeddings is None:
        return {}
    papers = list(works.values())
    texts = {index: text_for(papers[index]) for index in indices}
    packed = await session.vectors([words, *TEXTS, *texts.values()])
    if not packed.keys() >= {words, *TEXTS}:
        return {}
    scale = scale_of({text: unpacked(packed[text]) for text in TEXTS})
    if not scale.tells:
        label = session.resources.embeddings.encoder.label
        session.warn(f"Vectors by {label} do not tell similar texts from different ones. {WITHOUT}")
        return {}
    near = cosines(packed, words, texts.values())
    return {index: scale.common(near[text]) for index, text in texts.items() if text in near}
