"""What a search says of a model that misbehaves: `python -m tests.benchmarks.model.misbehaving`.

Prints for each way of misbehaving the requests, the papers that the model and the rules judged, whether every sentence
follows from what the model did, and the sentences.
"""

from collections import Counter

from agents.llm.model import Model
from agents.search.events import PaperJudged
from tests.agents.llm.use import access
from tests.agents.search.claims import logged, untrue
from tests.agents.search.test_misbehaving import FAST, MISBEHAVING, PAPERS
from tests.agents.search.world import Library, searched, shelf
from tests.services.model.server import ScriptedModel


def main() -> None:
    print(
        "| kind | requests | judged by model | by rules | every sentence true | sentences |\n|---|---|---|---|---|---|"
    )
    for kind, misbehaves in MISBEHAVING.items():
        say, exchanges = logged(misbehaves)
        with ScriptedModel(say) as endpoint:
            model = Model(access(endpoint, seconds=0.3 if kind == "no answer in time" else 20.0))
            found = searched(shelf(Library(PAPERS), model=model), FAST)
        by = Counter(judged.by for judged in found.of(PaperJudged))
        wrong = untrue(found, exchanges)
        cells = (kind, len(exchanges), by["model"], by["built-in"], f"no: {wrong}" if wrong else "yes",
                 " ".join(found.state.warnings))  # fmt: skip
        print(f"| {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
