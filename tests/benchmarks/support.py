"""How many planted errors the checks of a written text catch: `python -m tests.benchmarks.support [work|report] [-v]`.

Sentences that papers support, and sentences with one error (`planting`), are put through the checks of summaries and
answers: without a model, with one that judges as it should, and with one that is wrong in a tenth of the sentences.
Prints of each kind how many were refused: of true sentences these are the false alarms. `-v` prints what the checks
without a model judged wrong. A digest of its text puts a sentence into the half to work on or to report.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from agents.builtin.text.pages import no_pages
from agents.llm.budget import Budget
from agents.llm.prompt import FENCE, ModelAnswer, Prompt
from agents.llm.usage import Usage
from agents.run.control import Control
from agents.run.events import FoundBy, PaperFound
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.summary.events import SummaryEvent
from agents.summary.options import SummaryOptions
from agents.summary.session import SummarySession
from agents.summary.state import SummaryState
from agents.summary.writing.checking import CopiedWords, Section, SectionDraft, WrittenSentence
from agents.summary.writing.support import check_support
from connectors.paper import Paper, WorkId
from tests.benchmarks.evidence import HALVES, SHARED, abstracts
from tests.benchmarks.planting import CHANGES, ONE, SEVERAL, Planted, planted

WRONG = 0.1


class Judge:
    """A model that knows which sentences are true; it says the opposite of a share of them that is `wrong`."""

    name = "judge"

    def __init__(self, true: Collection[tuple[str, ...]], wrong: float) -> None:
        self._true, self._wrong, self._dice = true, wrong, Random(1)

    async def ask(self, prompt: Prompt, shape: Any, budget: Budget, *_: object) -> ModelAnswer[Any]:
        asked = json.loads(prompt.user.partition("Sentences:\n")[2].replace(FENCE, ""))
        rows = [{"id": one["id"], "support": self._judged((one["text"], *(quote["quote"] for quote in one["quotes"])))}
                for one in asked]  # fmt: skip
        return ModelAnswer(shape.model_validate({"sentences": rows}), Usage(1, 10, 10))

    def _judged(self, shown: tuple[str, ...]) -> str:
        return "whole" if (shown in self._true) is (self._dice.random() >= self._wrong) else "not"


def refused(some: Sequence[Planted], papers: Mapping[str, Paper], wrong: float | None) -> list[str]:
    """Why the checks refuse each sentence, "" if they do not, with a model that is `wrong` so often, or without any."""
    works = {name: WorkId(number) for number, name in enumerate(papers, start=1)}
    drafts = [
        SectionDraft(
            Section(
                id="s1",
                sentences=[
                    WrittenSentence(text=one.text, citations=[CopiedWords(paper=a, quote=b) for a, b in one.cited])
                ],
            ),
            {name: (works[name], papers[name]) for name, _ in one.cited},
            no_pages,
        )
        for one in some
    ]
    true = {(sentence.text, *(one.quote for one in sentence.citations))
            for draft, one in zip(drafts, some, strict=True)
            if one.kind in (ONE, SEVERAL) and (sentence := draft.checked[0].sentence)}  # fmt: skip
    model: Any = None if wrong is None else Judge(true, wrong)
    board = Board[SummaryState, SummaryEvent](SummaryState())
    session = SummarySession("", Resources({}, model=model), SummaryOptions(calls=len(some)), board, Control())
    cited = dict.fromkeys(name for one in some for name, _ in one.cited)
    session.post(*(PaperFound(works[name], papers[name], FoundBy("scifact", "", 1)) for name in cited))
    asyncio.run(check_support(session, [(draft, 0) for draft in drafts if draft.standing]))
    return ["" if draft.standing else draft.checked[0].faults[0] for draft in drafts]


def main() -> None:
    """Print the figures."""
    half = next((one for one in sys.argv[1:] if one in HALVES), HALVES[0])
    if not SHARED.is_dir():
        sys.exit("needs ../shared")
    papers = abstracts()
    some = planted(papers, half)
    size = Counter(one.kind for one in some)
    modes = {"without": None, "perfect": 0.0, "wrong in 10 %": WRONG}
    results = {name: refused(some, papers, wrong) for name, wrong in modes.items()}
    print(f"{'refused, in %':18s} {'of':>4s}", *(f"{name:>14s}" for name in modes))
    for title, kinds in [(kind, [kind]) for kind in (ONE, SEVERAL, *CHANGES)] + [
        ("all true", [ONE, SEVERAL]), ("all false", [*CHANGES])
    ]:  # fmt: skip
        of = sum(size[kind] for kind in kinds)
        shares = [
            sum(one.kind in kinds and bool(why) for one, why in zip(some, result, strict=True)) / of
            for result in results.values()
        ]
        print(f"{title:18s} {of:4d}", *(f"{100 * share:14.1f}" for share in shares))
    joined = [(one, why) for one, why in zip(some, results["without"], strict=True) if one.claims]
    alone = iter(refused([claim for one, _ in joined for claim in one.claims], papers, None))
    apart = [sum(bool(next(alone)) for _ in one.claims) > 0 for one, _ in joined]
    print(
        f"of {len(joined)} joined of two true claims, without a model: {sum(bool(why) for _, why in joined)} refused; "
        f"of {sum(apart)} a claim is refused when it stands alone"
    )
    for one, why in zip(some, results["without"], strict=True) if "-v" in sys.argv else ():
        if bool(why) is (one.kind in (ONE, SEVERAL)):
            print(f"\n{one.kind}: {one.text}\n  {why}", *(f"  [{name}] {quote}" for name, quote in one.cited), sep="\n")


if __name__ == "__main__":
    main()
