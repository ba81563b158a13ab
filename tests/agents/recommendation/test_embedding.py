"""Where the person has a model that makes vectors, candidates are weighed by what they mean as well."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.llm.model import Model
from agents.meaning.kept import KeptVectors
from agents.recommendation.events import RecommendationState
from agents.recommendation.kind import RECOMMENDATION, with_reader
from agents.recommendation.options import RecommendOptions
from agents.run.resources import Resources
from agents.run.runner import Runner
from agents.taste.scoring import MOST_BY_VECTORS
from cache import papers, shelf
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Paper
from tests.agents.llm.use import access
from tests.library import copied
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import ScriptedModel, in_turn

ANIMALS = ("cat", "dog", "feline", "canine", "turbine", "bolt")
MEANING = {"cat": 0, "feline": 0, "dog": 1, "canine": 1, "turbine": 2, "bolt": 3}


def paper(word: str) -> Paper:
    return Paper(f"Notes on the {word} at rest", identifiers=(Identifier("doi", f"10.1/{word}"),))


def by_meaning(texts: Sequence[str]) -> Reply:
    """Words that mean the same lie at the same place."""
    rows = []
    for index, text in enumerate(texts):
        vector = [0.05] * 4
        for word, axis in MEANING.items():
            if f" {word} " in text:
                vector[axis] = 1.0
        rows.append({"index": index, "embedding": vector})
    return json_reply({"data": rows, "usage": {"prompt_tokens": 10}})


@pytest.fixture
def cats_and_dogs(tmp_path: Path) -> Iterator[Store]:
    with Store.open(copied(tmp_path / "library.db")) as store:
        papers.remember(store, map(paper, ANIMALS))
        shelf.save(store, [paper("cat"), paper("dog")])
        yield store


def recommended(store: Store, endpoint: ScriptedModel | None, **more: Any) -> RecommendationState:
    async def run() -> RecommendationState:
        options = RecommendOptions(**more)
        model = Model(access(endpoint, embedding="vectors-1")) if endpoint else None
        made = model.embeddings() if model else None
        resources = with_reader(Resources(), store, options)
        resources = replace(resources, embeddings=KeptVectors(made, store) if made else None)
        runner = Runner.begun(RECOMMENDATION, store, "", options)
        async for _ in runner.events(resources):
            pass
        if model:
            await model.close()
        return runner.state

    return asyncio.run(run())


def titles(state: RecommendationState) -> list[str]:
    return [state.findings.papers[placed.work].title.split()[3] for placed in state.shown]


def test_papers_that_mean_the_same_in_other_words_come_first(cats_and_dogs: Store) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = by_meaning
        state = recommended(cats_and_dogs, endpoint)
    assert set(titles(state)[:2]) == {"feline", "canine"}
    assert [(spent.step, spent.calls) for spent in state.findings.spent] == [("vectors", 1)]


def test_a_paper_is_made_a_vector_once(cats_and_dogs: Store) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = by_meaning
        first, again = recommended(cats_and_dogs, endpoint), recommended(cats_and_dogs, endpoint)
    assert len(endpoint.embedded) == len(ANIMALS)
    assert titles(first) == titles(again)


def test_vectors_that_cannot_be_made_cost_nothing_but_a_sentence(cats_and_dogs: Store) -> None:
    plain = recommended(cats_and_dogs, None)
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = lambda texts: json_reply({"error": {"message": "overloaded"}}, 503)
        state = recommended(cats_and_dogs, endpoint)
    assert titles(state) == titles(plain)
    assert [warning for warning in state.findings.warnings if "words and links alone" in warning]


def test_with_a_long_history_no_vectors_are_made(cats_and_dogs: Store) -> None:
    shelf.save(cats_and_dogs, [paper(f"animal number {number}") for number in range(MOST_BY_VECTORS)])
    with ScriptedModel(in_turn()) as endpoint:
        endpoint.embeds = by_meaning
        recommended(cats_and_dogs, endpoint)
    assert endpoint.embedded == []


def test_no_call_to_a_model_means_no_vectors_either(cats_and_dogs: Store) -> None:
    with ScriptedModel(in_turn()) as endpoint:
        recommended(cats_and_dogs, endpoint, calls=0)
    assert endpoint.embedded == []
