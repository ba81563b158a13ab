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
Outcome = tuple[Sequence[str], int, int]
Run = Callable[[Model, Path], Outcome]
"""The warnings of a run with the model, in a folder of its own; how many papers rules judged, or how many steps they
took; and of how many papers the model has judged the words alone."""


def search(model: Model, folder: Path) -> Outcome:
    found = searched(shelf(Library(PAPERS), model=model), FAST)
    judged = found.state.judged.values()
    return found.state.warnings, sum(one.by == "built-in" for one in judged), sum(one.by_words for one in judged)


def summary(model: Model, folder: Path) -> Outcome:
    made = summed(shelf(Library(PAPERS), model=model), SummaryOptions(depth=1))
    return made.state.findings.warnings, by_rule(made.events), 0


def recommend(model: Model, folder: Path) -> Outcome:
    with library(folder) as store:
        made = recommended(store, model)
    return made.state.findings.warnings, by_rule(made.events), 0


def chat(model: Model, folder: Path) -> Outcome:
    with talked_about(folder) as store:
        talk = Talk(store, model=model).say("which paper on dense retrieval is the fastest?")
    return talk.warnings, by_rule(talk.events), 0


def by_rule(events: Sequence[object]) -> int:
    """How many steps rules took."""
    return sum(getattr(event, "by", "") == "built-in" for event in events)


RUNS: dict[str, Run] = {"search": search, "recommend": recommend, "chat": chat, "summary": summary}


def main(names: Sequence[str]) -> None:
    HONEST.update({name: with_tails(script) for name, script in {**RECOMMENDING, **TALKING, **SUMMING}.items()})
    print("| run | kind | requests | every sentence true | sentences |", "|---" * 5 + "|", sep="\n")
    for name in names or RUNS:
        for kind, misbehaves in MISBEHAVING.items():
            say, exchanges = logged(misbehaves)
            with ScriptedModel(say) as endpoint, TemporaryDirectory() as folder:
                model = Model(access(endpoint, seconds=0.3 if kind == "no answer in time" else 20.0))
                warnings, ruled, unread = RUNS[name](model, Path(folder))
            wrong = untrue_sentences(Log(exchanges, ruled, unread), warnings)
            true = f"no: {wrong}" if wrong else "yes"
            print(f"| {name} | {kind} | {len(exchanges)} | {true} | {' '.join(warnings)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
