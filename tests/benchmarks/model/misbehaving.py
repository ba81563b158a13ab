"""What is said of a model that misbehaves: `python -m tests.benchmarks.model.misbehaving [RUN ...]`.

A run is search, recommend, chat or summary. Prints for each way of misbehaving the requests, whether every sentence
follows from what the model did, and the sentences.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.llm.model import Model
from agents.summary.options import SummaryOptions
from tests.agents.assistant.world import GOOD, LISTED, Talk
from tests.agents.assistant.world import library as talked_about
from tests.agents.llm.use import access
from tests.agents.recommendation.world import HONEST as RECOMMENDING
from tests.agents.recommendation.world import library, recommended
from tests.agents.search.claims import Log, logged, untrue_sentences
from tests.agents.search.test_misbehaving import FAST, MISBEHAVING, PAPERS
from tests.agents.search.world import HONEST, Library, searched, shelf, with_tails
from tests.agents.summary.world import SUMMING, summed
from tests.services.model.server import ScriptedModel

ANSWER = {"sentences": [{"text": "P1 takes 19 ms.", "rests_on": ["P1"]}]}
TALKING = {
    "assistant-plan": lambda request: {**LISTED, "in_words": True}, "assistant-critic": lambda request: GOOD,
    "assistant-answer": lambda request: ANSWER,
}  # fmt: skip
Run = Callable[[ScriptedModel, float, Path], tuple[Sequence[str], int, int]]
"""The warnings of a run with the model at an endpoint that may take so many seconds, in a folder of its own, and how
many papers rules judged, 1 where nobody counts them, and of how many the model has judged the words alone."""


def search(endpoint: ScriptedModel, seconds: float, folder: Path) -> tuple[Sequence[str], int, int]:
    found = searched(shelf(Library(PAPERS), model=Model(access(endpoint, seconds=seconds))), FAST)
    judged = found.state.judged.values()
    return found.state.warnings, sum(one.by == "built-in" for one in judged), sum(one.by_words for one in judged)


def summary(endpoint: ScriptedModel, seconds: float, folder: Path) -> tuple[Sequence[str], int, int]:
    resources = shelf(Library(PAPERS), model=Model(access(endpoint, seconds=seconds)))
    return summed(resources, SummaryOptions(depth=1)).state.findings.warnings, 1, 0


def recommend(endpoint: ScriptedModel, seconds: float, folder: Path) -> tuple[Sequence[str], int, int]:
    with library(folder) as store:
        return recommended(store, Model(access(endpoint, seconds=seconds))).state.findings.warnings, 1, 0


def chat(endpoint: ScriptedModel, seconds: float, folder: Path) -> tuple[Sequence[str], int, int]:
    with talked_about(folder) as store:
        return (
            Talk(store, endpoint, patience=seconds).say("which paper on dense retrieval is the fastest?").warnings,
            1,
            0,
        )


RUNS: dict[str, Run] = {"search": search, "recommend": recommend, "chat": chat, "summary": summary}


def main(names: Sequence[str]) -> None:
    HONEST.update({name: with_tails(script) for name, script in {**RECOMMENDING, **TALKING, **SUMMING}.items()})
    print("| run | kind | requests | every sentence true | sentences |", "|---" * 5 + "|", sep="\n")
    for name in names or RUNS:
        for kind, misbehaves in MISBEHAVING.items():
            say, exchanges = logged(misbehaves)
            with ScriptedModel(say) as endpoint, TemporaryDirectory() as folder:
                warnings, by_rule, unread = RUNS[name](
                    endpoint, 0.3 if kind == "no answer in time" else 20.0, Path(folder)
                )
            wrong = untrue_sentences(Log(exchanges, by_rule, unread), warnings)
            true = f"no: {wrong}" if wrong else "yes"
            print(f"| {name} | {kind} | {len(exchanges)} | {true} | {' '.join(warnings)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
