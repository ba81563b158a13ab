"""A careful reader's answers replayed: `python -m tests.benchmarks.model.careful_reader [--grades|--scores] [RUN ...]`.

The papers that seven recorded runs asked a reader about are the whole world, in one source; a scripted model answers as
the reader did, by paper and question. What is graded in `grades.json` counts as that, anything else as the reader's own
verdict; papers of other questions count as about something else. The reader says of each paper what was said when it
was judged, with `--grades` how it was graded afterwards. Prints for each run nDCG@10 (gain 2^grade - 1),
precision@10, calls, tokens (three bytes each), papers judged, and how many of the relevant ones were among them.
`--scores` prints the mean score that the reader gave to papers of each grade, which `verdicts.SCORES` rests on.

What it cannot show: how well a prompt is understood, what other sources would have found, links (none are recorded),
and venues (none are recorded, so that bound is dropped).
"""

import asyncio
import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from math import log2
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.bench.closed_world import ClosedWorld
from agents.bench.collections import Collection, Document
from agents.builtin.text.terms import terms
from agents.llm.budget import Budget
from agents.llm.prompt import FENCE, ModelAnswer, Prompt
from agents.llm.usage import Usage, estimated_tokens
from agents.run.resources import Resources
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.state import SearchState

ANSWERS = Path(__file__).parents[4] / "shared" / "model-answers"
MISSING = "../shared/model-answers is not beside the repository"
RUNS = ("B1", "B2", "B3", "B4", "B5", "B6", "D7")
DEEP = {"D7"}
TODAY = date(2026, 11, 21)
LABELS = (0.3, 0.6, 0.9)
"""From these scores of the reader on a paper counts as labelled 1, 2 and 3: so they fit the grades best."""

OWN_SCORES = (0.1, 0.45, 0.75, 0.95)
"""What the reader would have scored a paper of each grade."""

T = TypeVar("T", bound=BaseModel)


def main(arguments: Sequence[str]) -> None:
    if not ANSWERS.exists():
        print(f"skipped: {MISSING}")
        return
    if "--scores" in arguments:
        print_scores()
        return
    print(f"{'run':4} {'nDCG@10':>8} {'P@10':>6} {'calls':>6} {'judge':>6} {'tokens':>8} {'judged':>7} {'relevant':>9}")
    results = {
        name: replayed(name, "--grades" in arguments)
        for name in RUNS
        if not set(RUNS) & set(arguments) or name in arguments
    }
    for name, result in results.items():
        print(f"{name:4} {result}")
    fast = [result for name, result in results.items() if name not in DEEP]
    if fast:
        tokens = sum(result.tokens for result in fast)
        print(f"fast {fmean(result.ndcg for result in fast):8.3f} {fmean(result.precision for result in fast):6.2f} "
              f"{max(result.calls for result in fast):6} {'':6} {tokens:8,}")  # fmt: skip


@dataclass(frozen=True)
class Result:
    """What came of one question."""

    ndcg: float
    precision: float
    calls: int
    judge_calls: int
    tokens: int
    judged: int
    relevant_judged: int
    relevant: int

    def __str__(self) -> str:
        return (
            f"{self.ndcg:8.3f} {self.precision:6.2f} {self.calls:6} {self.judge_calls:6} {self.tokens:8,} "
            f"{self.judged:7} {self.relevant_judged:4} of {self.relevant:3}"
        )


def replayed(name: str, by_grade: bool = False) -> Result:
    """The question of the run `name` searched again in the closed world, with the reader for a model."""
    reader = Reader(recording(name), by_grade)
    state = asyncio.run(_searched(reader, name in DEEP))
    gains = reader.recording.grades
    order = [gains.get(key_of(state.found[entry.work].paper.title), 0) for entry in state.shown[:10]]
    ideal = sorted(gains.values(), reverse=True)[:10]
    relevant = {key for key, grade in gains.items() if grade >= 2}
    judge = [prompt for prompt in reader.asked if prompt.name.startswith("judge")]
    return Result(
        _dcg(order) / _dcg(ideal),
        sum(grade >= 2 for grade in order) / 10,
        len(reader.asked),
        len(judge),
        reader.tokens,
        len(reader.judged),
        len(relevant & reader.judged),
        len(relevant),
    )


async def _searched(reader: "Reader", deep: bool) -> SearchState:
    board = SEARCH.board()
    resources = Resources({OneSource.name: OneSource(world())}, model=reader)  # type: ignore[arg-type]
    options = SearchOptions(mode="deep" if deep else "fast", choose_sources=False)
    async for _ in search(reader.recording.question, resources, options, board, today=TODAY):
        pass
    return board.state


def _dcg(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1) / log2(place + 1) for place, grade in enumerate(grades, start=1))


class OneSource(ClosedWorld):
    """The world as a source that is asked in keywords."""

    name = "openalex"


# What was recorded


@dataclass(frozen=True)
class Recording:
    """One run: its question, how it was read, which queries were drawn, and what the reader said of each paper."""

    question: str
    understood: Mapping[str, Any]
    evolved: Sequence[Mapping[str, Any]]
    verdicts: Mapping[str, Mapping[str, Any]]
    given: Mapping[str, int]
    """The grades of papers, by title."""
    papers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def grades(self) -> dict[str, int]:
        """The grade of each paper that was looked at."""
        return {key: label_of(float(said["score"])) for key, said in self.verdicts.items()} | dict(self.given)


def label_of(score: float) -> int:
    """The label that stands for a score of the reader."""
    return sum(score >= bound for bound in LABELS)


def key_of(title: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", title.lower()))


@cache
def recording(name: str) -> Recording:
    """What is recorded of the run `name`."""
    folder, number = ANSWERS / name, RUNS.index(name) + 1
    question, understood, evolved = "", {}, []
    verdicts: dict[str, Mapping[str, Any]] = {}
    papers: dict[str, Mapping[str, Any]] = {}
    for file in sorted(folder.glob("in/*.json"), key=lambda one: int(one.stem)):
        request = json.loads(file.read_text("utf-8"))
        answer = json.loads((folder / "out" / f"{file.stem}.txt").read_text("utf-8"))
        user, step = request["messages"][-1]["content"], request["response_format"]["json_schema"]["name"]
        if step == "understand":
            question, understood = user.partition("Question:\n")[2].strip(), answer
        elif step == "evolve":
            evolved += answer["papers"]
        elif step == "judge":
            titles = {one["id"]: one for one in json.loads(user.partition("Papers:\n")[2])}
            papers |= {key_of(one["title"]): one for one in titles.values()}
            verdicts |= {key_of(titles[said["id"]]["title"]): said for said in answer["verdicts"]}
    graded = json.loads((ANSWERS / "grades.json").read_text("utf-8"))
    given = {key_of(key.partition("|")[2]): grade for key, grade in graded.items() if key.startswith(f"{number}|")}
    return Recording(question, understood, evolved, verdicts, given, papers)


@cache
def world() -> Collection:
    """All papers that the reader was asked about in any of the runs."""
    papers = {key: one for name in RUNS for key, one in recording(name).papers.items()}
    return Collection(
        "model-answers",
        tuple(
            Document(f"d{number}", one["title"], one.get("abstract", ""), year=one.get("year"))
            for number, (_, one) in enumerate(sorted(papers.items()))
        ),
        (),
    )


def print_scores() -> None:
    """The scores that the reader gave to papers of each grade."""
    scores = defaultdict(list)
    for name in RUNS:
        for key, grade in recording(name).given.items():
            if key in recording(name).verdicts:
                scores[grade].append(float(recording(name).verdicts[key]["score"]))
    for grade, given in sorted(scores.items()):
        print(f"{grade}: {fmean(given):.3f}, deviating {pstdev(given):.2f}, of {len(given)} papers")


# The reader


@dataclass
class Reader:
    """A model that repeats the reader's judgement of each paper."""

    recording: Recording
    by_grade: bool
    """Whether it says how a paper was graded, in place of what was said when it was judged."""
    name: str = "reader"
    asked: list[Prompt] = field(default_factory=list)
    judged: set[str] = field(default_factory=set)
    tokens: int = 0

    async def ask(self, prompt: Prompt, shape: type[T], budget: Budget, *_: object) -> ModelAnswer[T]:
        await budget.reserve(Usage(1, 10, 10))
        await asyncio.sleep(0)
        self.asked.append(prompt)
        answer = shape.model_validate(ANSWERING[prompt.name](self, prompt))
        self.tokens += prompt.tokens + estimated_tokens(answer.model_dump_json())
        budget.settle(Usage(1, 10, 10), Usage(1, 10, 10))
        return ModelAnswer(answer, Usage(1, 10, 10))

    def understand(self, prompt: Prompt) -> dict[str, Any]:
        """As it was read; what it means is how it was rewritten, what it needs what the refined queries ask for."""
        read = self.recording.understood
        needs = [refined["query"] for refined in read["refined"]][:4]
        return {**read, "meaning": read["original"]["query"], "needs": needs, "venues": read["venue"] or []}

    def judge(self, prompt: Prompt) -> dict[str, Any]:
        """Return the reader's judgement of the paper, with its reason if there is one."""
        paper = json.loads(prompt.user.partition("Paper:\n")[2].replace(FENCE, ""))
        key = key_of(paper["title"])
        self.judged.add(key)
        given = self.recording.given.get(key, 0)
        said = self.recording.verdicts.get(key, {"score": OWN_SCORES[given], "reason": ""})
        if self.by_grade and key in self.recording.given:
            said = {**said, "score": OWN_SCORES[given]}
        label = label_of(float(said["score"]))
        verdict: dict[str, Any] = {"label": label}
        if label >= 2:
            verdict |= {"reason": said["reason"], "quote": paper["title"], "needs": [self._need(paper)]}
        return verdict

    def _need(self, paper: Mapping[str, Any]) -> str:
        """The need that shares most words with the paper."""
        words = set(terms(f"{paper['title']} {paper.get('abstract', '')}"))
        needs = [refined["query"] for refined in self.recording.understood["refined"]][:4]
        shares = [len(words & set(terms(need))) / len(set(terms(need))) for need in needs]
        return f"n{shares.index(max(shares)) + 1}"

    def evolve(self, prompt: Prompt) -> dict[str, Any]:
        """The refined queries that are left, then those that were drawn from papers; by paper as they were drawn."""
        left = [refined for refined in self.recording.understood["refined"] if refined["query"] not in prompt.user]
        drawn = [{"query": one[way]} for one in self.recording.evolved for way in ("method", "limitation")]
        return {"queries": [*left, *drawn], "papers": list(self.recording.evolved)}

    def rerank(self, prompt: Prompt) -> dict[str, Any]:
        papers = json.loads(prompt.user.partition("Papers:\n")[2])
        return {"papers": [{"id": one["id"], "score": one["relevance"], "justification": "."} for one in papers]}


ANSWERING = {"understand": Reader.understand, "judge": Reader.judge, "evolve": Reader.evolve, "rerank": Reader.rerank}

if __name__ == "__main__":
    main(sys.argv[1:])
