"""Citation recall and precision of a text, as ALCE defines them (Gao et al. 2023, §3).

A sentence is recalled if its quotes together support it. A citation is precise if its sentence is recalled, and it is
not irrelevant: irrelevant is one whose quotes do not support the sentence alone while those of the others still do.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

Pair = tuple[str, str]
"""A claim, and a text that may support it."""
Entails = Callable[[Sequence[Pair]], Awaitable[Sequence[bool]]]
"""Which of some pairs hold, asked for all at once."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence, and what is quoted for it from each paper it cites."""

    text: str
    quotes: tuple[str, ...]

    @property
    def together(self) -> Pair:
        return self.text, " ".join(self.quotes)

    @property
    def alone(self) -> list[Pair]:
        """For each citation the pair with its own quotes."""
        return [(self.text, quote) for quote in self.quotes]

    @property
    def without(self) -> list[Pair]:
        """For each citation the pair with the quotes of all others."""
        return [
            (self.text, " ".join((*self.quotes[:number], *self.quotes[number + 1 :])))
            for number in range(len(self.quotes))
        ]


async def citation_quality(sentences: Sequence[CitedSentence], entails: Entails) -> dict[str, float]:
    """`citation_recall` of the sentences, `citation_precision` of the citations; each missing if there are none."""
    asked = {
        pair: None
        for sentence in sentences
        if sentence.quotes
        for pair in (sentence.together, *sentence.alone, *sentence.without)
    }
    pairs = [pair for pair in asked if pair[1]]
    holds = dict(zip(pairs, await entails(pairs), strict=True)) if pairs else {}
    recalled = [holds.get(sentence.together, False) for sentence in sentences]
    precise = [
        is_recalled and (holds.get(alone, False) or not holds.get(others, False))
        for sentence, is_recalled in zip(sentences, recalled, strict=True)
        for alone, others in zip(sentence.alone, sentence.without, strict=True)
    ]
    measures = {"citation_recall": recalled, "citation_precision": precise}
    return {name: fmean(values) for name, values in measures.items() if values}
