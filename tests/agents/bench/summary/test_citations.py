"""Citation recall and precision by ALCE's definitions, told by counting."""

import asyncio
from collections.abc import Sequence

import pytest

from agents.bench.summary.judges import CitedSentence, Pair, citation_quality


def quality(*sentences: CitedSentence) -> dict[str, float]:
    """Measured by a judge for whom a quote supports a claim if it has every word of it."""

    async def entails(pairs: Sequence[Pair]) -> list[bool]:
        assert all(text for _, text in pairs)
        return [set(claim.split()) <= set(text.split()) for claim, text in pairs]

    return asyncio.run(citation_quality(sentences, entails))


@pytest.mark.parametrize(
    ("quotes", "recall", "precision"),
    [
        (("a b",), 1, 1),  # supported by its one citation
        (("a", "b"), 1, 1),  # by both together: neither supports it alone, and neither can be left out
        (("a b", "c"), 1, 1 / 2),  # the second says nothing of it
        (("a b", "a b"), 1, 1),  # each supports it alone
        (("a", "c"), 0, 0),  # not supported, so no citation of it is precise
    ],
)
def test_recall_counts_supported_sentences_and_precision_needed_citations(
    quotes: tuple[str, ...], recall: float, precision: float
) -> None:
    assert quality(CitedSentence("a b", quotes)) == {"citation_recall": recall, "citation_precision": precision}


def test_a_sentence_without_a_citation_is_not_recalled() -> None:
    told = quality(CitedSentence("a b", ("a b",)), CitedSentence("c", ()))
    assert told == {"citation_recall": 1 / 2, "citation_precision": 1}


def test_a_text_without_sentences_has_neither() -> None:
    assert quality() == {}
