"""Where something makes vectors of texts, papers are judged by what they mean as well, and it is said by whom."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from agents.builtin.ranking.features import NEAR
from agents.llm.errors import ModelError
from agents.llm.model import Model
from agents.llm.usage import Usage
from agents.meaning.kept import KeptVectors, TextEncoder, text_for
from agents.run.retrieval.meaning import PAIRS, TEXTS
from agents.search.events import PapersAssessed
from agents.search.options import SearchOptions
from cache.store import Store
from tests.agents.llm.use import access
from tests.agents.search.world import QUESTION, Library, Searched, go, made_up, shelf
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import ScriptedModel, in_turn

PAPERS = made_up(150)
OPTIONS = SearchOptions(choose_sources=False, refchain=False, evolution=False)
ALONE = "Papers were compared by words and links alone."


class Alike:
    """An encoder to which only texts with one of `words` mean what the question means."""

    label, local, free, space = "the model in here", True, True, "here"

    def __init__(self, *words: str, fault: str = "") -> None:
        self._words, self._fault = words, fault
        self.read: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        if self._fault:
            raise ModelError(self._fault)
        self.read.append(list(texts))
        return [self.vector(text) for text in texts], Usage()

    def vector(self, text: str) -> list[float]:
        """Texts of one pair have one axis of their own, the question and what is like it another."""
        axes = [[0.1, 0.9], *([float(text in pair)] for pair in PAIRS)]
        if text == QUESTION or any(word in text for word in self._words):
            axes[0] = [1.0, 0.0]
        whole = [number for axis in axes for number in axis]
        length = sum(number * number for number in whole) ** 0.5
        return [number / length for number in whole]


def searched(encoder: TextEncoder | None, store: Store | None = None) -> Searched:
    resources = replace(shelf(Library(PAPERS)), embeddings=KeptVectors(encoder, store) if encoder else None)
    return asyncio.run(go(resources, OPTIONS))


def test_a_paper_that_means_what_is_asked_rises() -> None:
    plain = searched(None).titles
    compared = searched(Alike(plain[20])).titles
    assert compared.index(plain[20]) < 20
    assert set(compared) == set(plain)


def test_a_search_without_vectors_says_nothing_of_meanings() -> None:
    state = searched(None).state
    assert (state.compared, state.compared_by) == (0, "")


def test_it_is_told_how_many_papers_were_compared_and_by_whom(store: Store) -> None:
    encoder = Alike()
    found = searched(encoder, store)
    read = {text for texts in encoder.read for text in texts}
    last = found.of(PapersAssessed)[-1]
    assert last.by == found.state.compared_by == "the model in here"
    assert last.compared == found.state.compared == min(NEAR, len(found.state.found))
    assert read <= {QUESTION, *TEXTS, *(text_for(paper) for paper in found.state.papers.values())}


def test_no_more_than_the_first_of_a_pool_are_read(store: Store) -> None:
    encoder, papers = Alike(), made_up(400)
    sources = (Library(papers[200 * number :][:200], name) for number, name in enumerate(("openalex", "arxiv")))
    resources = replace(shelf(*sources), embeddings=KeptVectors(encoder, store))
    found = asyncio.run(go(resources, replace(OPTIONS, mode="deep")))
    assert len(found.state.found) > NEAR
    assert sum(map(len, encoder.read)) <= 1 + len(TEXTS) + NEAR * len(found.of(PapersAssessed))
    assert found.state.compared == NEAR


def test_a_second_search_reads_nothing_and_says_the_same(store: Store) -> None:
    first, again = Alike("dense"), Alike("dense")
    assert searched(first, store).answer == searched(again, store).answer
    assert first.read
    assert again.read == []


def test_a_model_that_fails_costs_one_sentence_and_nothing_else() -> None:
    broken = searched(Alike(fault="here/model.onnx cannot be used (cut off)."))
    assert broken.answer == searched(None).answer
    assert [sentence for sentence in broken.state.warnings if ALONE in sentence] == [
        f"here/model.onnx cannot be used (cut off). {ALONE}"
    ]
    assert broken.state.compared == 0


def test_a_model_to_which_all_texts_are_alike_is_told_and_not_heard() -> None:
    blind = Alike()
    blind.vector = lambda text: [1.0]  # type: ignore[method-assign]
    found = searched(blind)
    assert found.answer == searched(None).answer
    assert (
        f"Vectors by the model in here do not tell similar texts from different ones. {ALONE}" in found.state.warnings
    )


def answered(vector: Callable[[str], list[float]]) -> Callable[[Sequence[str]], Reply]:
    return lambda texts: json_reply(
        {
            "data": [{"index": n, "embedding": vector(text)} for n, text in enumerate(texts)],
            "usage": {"prompt_tokens": 9},
        }
    )


def by_endpoint(endpoint: ScriptedModel, store: Store, **more: Any) -> Searched:
    async def run() -> Searched:
        price = more.pop("input_price", None)
        model = Model(replace(access(endpoint, embedding="vectors-1"), input_price=price))
        try:
            made = model.embeddings()
            assert made is not None
            resources = replace(shelf(Library(PAPERS)), embeddings=KeptVectors(made, store))
            return await go(resources, replace(OPTIONS, **more))
        finally:
            await model.close()

    return asyncio.run(run())


def test_an_endpoint_takes_the_same_way_and_its_cost_is_told(store: Store) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = answered(Alike().vector)
        found = by_endpoint(endpoint, store)
        texts = len(endpoint.embedded)
        again = by_endpoint(endpoint, store)
    assert found.answer == searched(Alike()).answer
    assert found.state.compared_by.startswith("vectors-1 at ")
    assert {spent.step for spent in found.state.spent} == {"vectors"}
    assert len(endpoint.embedded) == texts > 0
    assert again.state.spent == ()


def test_an_endpoint_that_cannot_be_bounded_is_not_asked(store: Store) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = answered(Alike().vector)
        bounded = by_endpoint(endpoint, store, usd=1.0)
        assert any("--usd" in sentence for sentence in bounded.state.warnings)
        assert by_endpoint(endpoint, store, calls=0).state.compared == 0
        assert endpoint.embedded == []
        assert by_endpoint(endpoint, store, usd=1.0, input_price=0.0).state.compared > 0
