"""What the model is told to do in each step, word for word.

Answers are remembered by a prompt's name and version. Who changes a text gives it a new version, and enters it here.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from agents.assistant.options import ConversationOptions
from agents.llm.errors import TooSlow
from agents.llm.prompt import FENCED, Prompt
from agents.run.control import Control
from agents.run.retrieval.full_texts import QUOTABLE
from agents.search.options import SearchOptions
from agents.search.question.wanted import SearchIntent
from agents.summary.answering.kind import ANSWER
from agents.summary.answering.loop import answer
from agents.summary.options import SummaryOptions
from cache.store import Store
from tests.agents.assistant.world import GOOD, NOW, TOO_STRICT, Talk, planned
from tests.agents.assistant.world import filled as talked_about
from tests.agents.bench.test_demonstrations import Writer, exactly, tried
from tests.agents.recommendation.world import library, reasoner, recommended
from tests.agents.search.world import HONEST, Library, ScriptedReasoner, made_up, searched, shelf
from tests.agents.summary.world import TOPIC, honest_model, summed
from tests.agents.summary.writing.test_repair import written

PAPERS = made_up(40)
TEXTS = {
    "answer/3": "6a16557ceaf43caa",
    "assistant-answer/3": "4f609021f31c6034",
    "assistant-critic/1": "129e0fd765f4ee3e",
    "assistant-intents-of-plans/1": "392469daa2abb2c9",
    "assistant-intents/1": "3c1d3dec4f1462b1",
    "assistant-plan/1": "7b195403b0c635a7",
    "assistant-step/1": "5054fc173bfc8b6a",
    "context-summary/3": "801745269cd2d883",
    "evolve/5": "e8898cc849570c98",
    "item-ranker/3": "fd682f59e985e874",
    "judge-complex/6": "163f9250ee9e92d2",
    "judge/6": "6f01dc67ee28d776",
    "judge-words/4": "3387e4d08e5ffeb5",
    "nli/2": "2a6c7b19774c7931",
    "passages, of judge/6, judge-complex/6, write/9 and repair/5": "e5942be422868f94",
    "plan/3": "2a07ca871e673957",
    "relevant/4": "9c7351a56dede1b2",
    "repair/5": "05741e5f561af62f",
    "support/3": "3ebf996445cb782a",
    "the fence around data": "b7dca3b4630a03b8",
    "understand-queries/1": "7b869a7bcdd1b226",
    "understand/3": "8cd6ccbbacc5fca5",
    "user-understanding/2": "4cf6c873848b6cb9",
    "wanted, of judge/6, judge-complex/6 and evolve/5": "9672345f77ad2846",
    "write/9": "8f1810b08a0bb083",
}


def texts(prompts: Sequence[Prompt]) -> dict[str, str]:
    """The digests of what stands above each question, by name and version; every question of a name has the same."""
    found: dict[str, str] = {}
    for prompt in prompts:
        digest = _digest(prompt.system)
        assert found.setdefault(f"{prompt.name}/{prompt.version}", digest) == digest
    return found


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _too_slow(prompt: Prompt) -> object:
    raise TooSlow("It did not answer in time.")


def of_search(strict: bool = False, slow: bool = False) -> dict[str, str]:
    model = ScriptedReasoner(scripts={**HONEST, "understand": _too_slow} if slow else HONEST)
    searched(shelf(Library(PAPERS), model=model), SearchOptions(choose_sources=False, strict_judge=strict))
    return texts(model.asked)


def of_what_is_wanted() -> dict[str, str]:
    """What stands ahead of each question to the judge and for new queries."""
    told = SearchIntent(
        "why?", "The reasons of it.", ("a reason", "a doubt"), ("since 2020-01-01", "open access")
    ).intro()
    return {"wanted, of judge/6, judge-complex/6 and evolve/5": _digest(told)}


def of_passages() -> dict[str, str]:
    """What stands ahead of papers of which a full text is kept."""
    return {"passages, of judge/6, judge-complex/6, write/9 and repair/5": _digest(QUOTABLE)}


def of_data() -> dict[str, str]:
    """Return the text before the data in each prompt that shows texts of papers."""
    return {"the fence around data": _digest(FENCED)}


def of_summary(depth: int) -> dict[str, str]:
    model = honest_model()
    summed(shelf(Library(PAPERS), model=model), SummaryOptions(depth=depth, branch=2, words=400, table=("method",)))
    # How long a text is asked for, depends on the number of facets.
    return texts([prompt for prompt in model.asked if depth == 0 or prompt.name != "write"])


def of_answer() -> dict[str, str]:
    model = honest_model(answer=lambda prompt: {"verdict": "silent", "sentences": []})
    resources = shelf(Library(PAPERS), model=model)
    board, options = ANSWER.board(), SummaryOptions(depth=0, words=150, corpus="library")

    async def whole() -> None:
        async for _ in answer(TOPIC, resources, options, board, Control(None)):
            pass

    asyncio.run(whole())
    return texts(model.asked)


def of_repair() -> dict[str, str]:
    _, asked = written(lambda sentences: [])
    return texts([prompt for prompt in asked if isinstance(prompt, Prompt)])


def of_recommendation(folder: Path) -> dict[str, str]:
    model = reasoner()
    with library(folder) as store:
        recommended(store, model)
    return texts(model.asked)


def _says(value: object, prompt: Prompt) -> object:
    return value


def of_conversation(folder: Path) -> dict[str, str]:
    said = {"assistant-plan": planned(TOO_STRICT, ("list", {}), in_words=True), "assistant-critic": GOOD,
            "assistant-step": planned(), "assistant-answer": {"sentences": []}}  # fmt: skip
    model = ScriptedReasoner(scripts={name: partial(_says, value) for name, value in said.items()})
    with Store.open(folder / "talk.db", now=lambda: NOW) as store:
        Talk(talked_about(store), model=model).say("the latest papers on dense retrieval")
        one_by_one = ConversationOptions(plan_first=False)
        Talk(store, model=model, options=one_by_one).say("the latest papers on dense retrieval")
    return texts(model.asked)


def of_demonstrations() -> dict[str, str]:
    writer = Writer(exactly)
    tried(writer)
    return texts(writer.asked)


def test_a_changed_text_has_a_new_version(tmp_path: Path) -> None:
    asked = (
        of_search()
        | of_search(strict=True)
        | of_search(slow=True)
        | of_summary(0)
        | of_summary(1)
        | of_recommendation(tmp_path)
    )
    asked |= of_conversation(tmp_path) | of_demonstrations() | of_repair() | of_answer()
    assert asked | of_what_is_wanted() | of_passages() | of_data() == TEXTS
