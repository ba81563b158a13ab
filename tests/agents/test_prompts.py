"""What the model is told to do in each step, word for word.

Answers are remembered by a prompt's name and version. Who changes a text gives it a new version, and enters it here.
"""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from agents.assistant.options import ConversationOptions
from agents.llm.prompt import Prompt
from agents.run.retrieval.full_texts import QUOTABLE
from agents.search.options import SearchOptions
from agents.search.question.wanted import Wanted
from agents.summary.loop import SummaryOptions
from cache.store import Store
from tests.agents.assistant.demonstrations.test_generating import Writer, exactly, tried
from tests.agents.assistant.world import GOOD, LISTED, NOW, Talk, planned
from tests.agents.assistant.world import filled as talked_about
from tests.agents.recommendation.world import library, reasoner, recommended
from tests.agents.search.world import Library, ScriptedReasoner, made_up, searched, shelf
from tests.agents.summary.world import honest_model, summed
from tests.agents.summary.writing.test_repair import written

PAPERS = made_up(40)
TEXTS = {
    "assistant-answer/1": "edb77ed44a303004",
    "assistant-critic/1": "129e0fd765f4ee3e",
    "assistant-intents-of-plans/1": "392469daa2abb2c9",
    "assistant-intents/1": "3c1d3dec4f1462b1",
    "assistant-plan/1": "7b195403b0c635a7",
    "assistant-step/1": "5054fc173bfc8b6a",
    "compare/1": "5601039ce970166f",
    "context-summary/1": "8dcacc3165303cd5",
    "evolve/2": "533ad99905eb277c",
    "item-ranker/1": "3379010ad4ab2b8f",
    "judge-complex/2": "17c2761128aba55e",
    "judge/2": "c726200a7f6b7aa7",
    "needed/1": "5376755bf754266c",
    "nli/1": "95019b40750e716a",
    "passages, of judge/2, judge-complex/2, write/2, repair/1 and compare/1": "a474708f369e7903",
    "plan/1": "9bee9e6c84827f86",
    "relevant/2": "52b0cca61dbd95fd",
    "repair/1": "6921cc26275c76ad",
    "understand/2": "dcc0fa681ca0b933",
    "user-understanding/1": "8bbcae32eff42427",
    "wanted, of judge/2, judge-complex/2 and evolve/2": "a600dc68048dce4e",
    "write/2": "fb8e6c97ad94264e",
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


def of_search(strict: bool = False) -> dict[str, str]:
    model = ScriptedReasoner()
    searched(shelf(Library(PAPERS), model=model), SearchOptions(choose_sources=False, strict_judge=strict))
    return texts(model.asked)


def of_what_is_wanted() -> dict[str, str]:
    """What stands ahead of each question to the judge and for new queries."""
    told = Wanted("why?", "The reasons of it.", ("a reason", "a doubt"), ("since 2020-01-01", "open access")).told()
    return {"wanted, of judge/2, judge-complex/2 and evolve/2": _digest(told)}


def of_passages() -> dict[str, str]:
    """What stands ahead of papers of which a full text is kept."""
    return {"passages, of judge/2, judge-complex/2, write/2, repair/1 and compare/1": _digest(QUOTABLE)}


def of_summary(depth: int) -> dict[str, str]:
    model = honest_model()
    summed(shelf(Library(PAPERS), model=model), SummaryOptions(depth=depth, branch=2, words=200, table=("method",)))
    # How long a text is asked for, depends on the number of facets.
    return texts([prompt for prompt in model.asked if depth == 0 or prompt.name != "write"])


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
    said = {"assistant-plan": {**LISTED, "in_words": True}, "assistant-critic": GOOD,
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
    asked = of_search() | of_search(strict=True) | of_summary(0) | of_summary(1) | of_recommendation(tmp_path)
    asked |= of_conversation(tmp_path) | of_demonstrations() | of_repair()
    assert asked | of_what_is_wanted() | of_passages() == TEXTS
