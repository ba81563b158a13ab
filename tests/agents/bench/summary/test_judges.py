"""A language model as the judge of texts: a scripted one behind real HTTP."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bench.summary.judges import BATCH, SUPPORTED, JudgedSentence, Lexicon, ModelJudge, Pair, citation_quality
from agents.bench.summary.rubrics import Criterion
from agents.llm.budget import Budget
from agents.llm.errors import ModelError
from agents.llm.model import Model
from cache.store import Store
from tests.agents.llm.use import access, use
from tests.library import copied
from tests.rows import each
from tests.services.model.says import error
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt

PAIRS = [(f"Claim {place}.", f"Quote {place}{' supports' * (place % 3 == 0)}.") for place in range(BATCH + 5)]


def claims(request: ModelRequest) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(request.text.partition("Claims:\n")[2])
    return listed


def holding(holds: Callable[[dict[str, Any]], bool]) -> Callable[[ModelRequest], object]:
    return lambda request: {"claims": [{"id": one["id"], "holds": holds(one)} for one in claims(request)]}


def test_pairs_are_asked_for_in_batches_and_answers_find_their_pair() -> None:
    script = by_prompt({"entailed": holding(lambda one: "supports" in one["quote"])})
    with ScriptedModel(script) as endpoint:
        told = use(Model(access(endpoint)), lambda model: ModelJudge(model, Budget()).entailed(PAIRS))
    assert list(told) == [place % 3 == 0 for place in range(len(PAIRS))]
    assert endpoint.calls == 2


def test_the_same_question_is_asked_once(tmp_path: Path) -> None:
    script = by_prompt({"entailed": holding(lambda one: True)})
    with ScriptedModel(script) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        for _ in range(2):
            told = use(Model(access(endpoint), store), lambda model: ModelJudge(model, Budget()).entailed(PAIRS[:3]))
            assert list(told) == [True] * 3
    assert endpoint.calls == 1


def test_criteria_are_marked_with_the_text_and_what_they_mean() -> None:
    criteria = [Criterion("It names coral."), Criterion("It names sand.", evidence=("Sand is rock.",))]

    def met(request: ModelRequest) -> object:
        assert request.text.startswith("Text:\nCoral grows. It is warm.\n\n")
        assert [one["passages"] for one in claims(request)] == [[], ["Sand is rock."]]
        return holding(lambda one: "coral" in one["claim"])(request)

    with ScriptedModel(by_prompt({"met": met})) as endpoint:
        judged = use(
            Model(access(endpoint)),
            lambda model: ModelJudge(model, Budget()).met(criteria, ["Coral grows.", "It is warm."]),
        )
        assert endpoint.surprises == []
    assert list(judged) == [1, 0]


def test_what_the_model_leaves_out_or_invents_does_not_hold() -> None:
    script = by_prompt({"entailed": lambda _: {"claims": [{"id": "c9", "holds": True}, {"id": "c1", "holds": False}]}})
    with ScriptedModel(script) as endpoint:
        told = use(Model(access(endpoint)), lambda model: ModelJudge(model, Budget()).entailed(PAIRS[:2]))
    assert list(told) == [False, False]


def test_a_model_that_fails_is_no_judge() -> None:
    with ScriptedModel(lambda _: error(401, "Incorrect API key provided.")) as endpoint, pytest.raises(ModelError):
        use(Model(access(endpoint)), lambda model: ModelJudge(model, Budget()).entailed(PAIRS[:2]))


def test_nothing_to_judge_is_not_asked_for() -> None:
    with ScriptedModel(lambda _: error(500, "asked")) as endpoint:
        judged = asyncio.run(ModelJudge(Model(access(endpoint)), Budget()).entailed([]))
    assert (list(judged), endpoint.calls) == ([], 0)


def quality(*sentences: JudgedSentence) -> dict[str, float]:
    """Measured by a judge for whom a quote supports a claim if it has every word of it."""

    async def entails(pairs: Sequence[Pair]) -> list[bool]:
        assert all(text for _, text in pairs)
        return [set(claim.split()) <= set(text.split()) for claim, text in pairs]

    return asyncio.run(citation_quality(sentences, entails))


@each(
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
    assert quality(JudgedSentence("a b", quotes)) == {"citation_recall": recall, "citation_precision": precision}


def test_a_sentence_without_a_citation_is_not_recalled() -> None:
    told = quality(JudgedSentence("a b", ("a b",)), JudgedSentence("c", ()))
    assert told == {"citation_recall": 1 / 2, "citation_precision": 1}


def test_a_text_without_sentences_has_neither() -> None:
    assert quality() == {}


TEXTS = (
    "Daily aspirin reduces the risk of stroke in older adults.",
    "Sleep helps memory, and naps of 90 minutes help most.",
    "The trial found that naps do not help memory.",
)
LEXICON = Lexicon(TEXTS)


@each(
    ("claim", "text", "supported"),
    [
        ("Aspirin lowers the risk of stroke in adults.", TEXTS[0], True),
        ("Naps help memory.", TEXTS[1], True),
        ("Naps of 90 minutes help memory.", TEXTS[1], True),
        ("Naps of 20 minutes help memory.", TEXTS[1], False),
        ("Naps help memory.", TEXTS[2], False),
        ("Naps do not help memory.", TEXTS[2], True),
        ("Naps do not help memory.", TEXTS[1], False),
        ("Coffee keeps adults awake at night.", TEXTS[0], False),
        ("Naps help memory.", "", False),
        ("", TEXTS[0], False),
    ],
)
def test_a_text_supports_a_claim_whose_words_numbers_and_negation_it_has(
    claim: str, text: str, supported: bool
) -> None:
    assert (LEXICON.support(claim, text) >= SUPPORTED) == supported


def test_only_the_nearest_sentence_can_deny_a_claim() -> None:
    assert LEXICON.support("Naps help memory.", "Naps help memory. They do not harm anybody.") == 1


def test_rare_words_count_more() -> None:
    lexicon = Lexicon([*TEXTS, *["memory"] * 20])
    assert lexicon.share("memory aspirin", "aspirin") > 0.5 > lexicon.share("memory aspirin", "memory")


@given(st.sampled_from(TEXTS))
def test_every_text_supports_itself_wholly(text: str) -> None:
    assert LEXICON.support(text, text) == pytest.approx(1)


@given(st.text(max_size=60), st.text(max_size=60))
def test_support_is_a_share(claim: str, text: str) -> None:
    assert 0 <= LEXICON.support(claim, text) <= LEXICON.share(claim, text) <= 1 + 1e-9
