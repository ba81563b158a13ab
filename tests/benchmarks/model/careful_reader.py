"""A careful reader's answers replayed: `python -m tests.benchmarks.model.careful_reader [OPTION ...] [RUN ...]`, with
`--grades` or `--scores`, `--graded` or `--always`, `--calls=N` and `--wrong=P`.

The papers that recorded runs asked a reader about, those of one version of the prompts together, are the whole world,
in one source; a scripted model answers as the reader did, by paper and question. What is graded in `grades.json` or
`grades-by-title-beginning.json` counts as that, anything else as the reader's own verdict; papers of other questions
count as about something else. Runs A1 and A2 have needs in an order, and verdicts that name them. The reader says of
each paper what was said when it was judged, with `--grades` how it was graded afterwards. Prints for each run nDCG@10
(gain 2^grade - 1), precision@10, calls, tokens (three bytes each), papers read, papers judged, and how many of
the relevant ones were among them.
It never calls a paper one of the best of its label; with `--graded` it does so of those that were graded 3, with
`--always` of all. `--calls` bounds the requests. With `--wrong` it is wrong by one label about that part of the words
and about a twentieth of the texts, in eight ways, whose mean is printed.
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
from random import Random
from statistics import fmean, pstdev
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from agents.bench.closed_world import ClosedWorld
from agents.bench.collections import Collection, Document
from agents.builtin.text.loose_words import loose_words
from agents.builtin.text.terms import terms
from agents.llm.budget import Budget
from agents.llm.prompt import FENCE, ModelAnswer, Prompt
from agents.llm.usage import Usage, estimated_tokens
from agents.run.resources import Resources
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import SearchOptions
from agents.search.question.wanted import MOST_NEEDS
from agents.search.state import SearchState
from agents.search.verdicts import KEPT

ANSWERS = Path(__file__).parents[4] / "shared" / "model-answers"
MISSING = "../shared/model-answers is not beside the repository"
SCORED = ("B1", "B2", "B3", "B4", "B5", "B6", "D7")
LABELED = ("A1", "A2")
"""Runs whose reader gave labels and named needs."""
RUNS = (*SCORED, *LABELED)
DEEP = {"D7"}
TODAY = date(2026, 11, 21)
LABELS = (0.3, 0.6, 0.9)
"""From these scores of the reader on a paper counts as labelled 1, 2 and 3: so they fit the grades best."""

OWN_SCORES = (0.1, 0.45, 0.75, 0.95)
"""What the reader would have scored a paper of each grade."""

Finer = Literal["never", "graded", "always"]
T = TypeVar("T", bound=BaseModel)


def main(arguments: Sequence[str]) -> None:
    if not ANSWERS.exists():
        print(f"skipped: {MISSING}")
        return
    if "--scores" in arguments:
        print_scores()
        return
    heads = f"{'run':4} {'nDCG@10':>8} {'P@10':>6} {'calls':>6} {'judge':>6} {'tokens':>8} {'read':>5} {'judged':>7}"
    print(f"{heads} {'relevant':>9}")
    wrong = float(_value(arguments, "wrong") or 0)
    results = {
        name: [
            replayed(name, "--grades" in arguments, _calls(arguments), _finer(arguments), wrong, seed)
            for seed in range(8 if wrong else 1)
        ]
        for name in RUNS
        if not set(RUNS) & set(arguments) or name in arguments
    }
    for name, [result, *others] in results.items():
        print(f"{name:4} {result if not others else f'{fmean(one.ndcg for one in results[name]):8.3f}'}")
    fast = [result for name, some in results.items() if name not in DEEP for result in some]
    if fast:
        tokens = sum(result.tokens for result in fast)
        print(f"fast {fmean(result.ndcg for result in fast):8.3f} {fmean(result.precision for result in fast):6.2f} "
              f"{max(result.calls for result in fast):6} {'':6} {tokens:8,}")  # fmt: skip


def _calls(arguments: Sequence[str]) -> int | None:
    calls = _value(arguments, "calls")
    return int(calls) if calls else None


def _value(arguments: Sequence[str], name: str) -> str:
    return next((argument.partition("=")[2] for argument in arguments if argument.startswith(f"--{name}=")), "")


def _finer(arguments: Sequence[str]) -> Finer:
    return "graded" if "--graded" in arguments else "always" if "--always" in arguments else "never"


@dataclass(frozen=True)
class Result:
    """What came of one question."""

    ndcg: float
    precision: float
    calls: int
    judge_calls: int
    tokens: int
    read: int
    judged: int
    relevant_judged: int
    relevant: int

    def __str__(self) -> str:
        return (
            f"{self.ndcg:8.3f} {self.precision:6.2f} {self.calls:6} {self.judge_calls:6} {self.tokens:8,} "
            f"{self.read:5} {self.judged:7} {self.relevant_judged:4} of {self.relevant:3}"
        )


@cache
def replayed(
    name: str,
    by_grade: bool = False,
    calls: int | None = None,
    finer: Finer = "never",
    wrong: float = 0.0,
    seed: int = 0,
) -> Result:
    """The question of the run `name` searched again in the closed world, with the reader for a model."""
    reader = Reader(recording(name), by_grade, LABELED if name in LABELED else SCORED, finer, wrong, seed)
    state = asyncio.run(_searched(reader, name in DEEP, calls))
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
        len(reader.read),
        len(reader.judged),
        len(relevant & reader.judged),
        len(relevant),
    )


async def _searched(reader: "Reader", deep: bool, calls: int | None) -> SearchState:
    board = SEARCH.board()
    resources = Resources({OneSource.name: OneSource(world(reader.world))}, model=reader)  # type: ignore[arg-type]
    options = SearchOptions(mode="deep" if deep else "fast", choose_sources=False, calls=calls)
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
        """The grade of each paper that was looked at. Where needs have an order, a 3 gives the first of them."""
        own = {
            key: min(label_of(float(said["score"])), 3 if "n1" in said.get("needs", ["n1"]) else 2)
            for key, said in self.verdicts.items()
        }
        return own | dict(self.given)


def label_of(score: float) -> int:
    """The label that stands for a score of the reader."""
    return sum(score >= bound for bound in LABELS)


def key_of(title: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", title.lower()))


@cache
def recording(name: str) -> Recording:
    """What is recorded of the run `name`."""
    folder = ANSWERS / name
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
            evolved += answer.get("papers", [])
        elif step == "judge":
            titles = {one["id"]: one for one in json.loads(user.partition("Papers:\n")[2])}
            papers |= {key_of(one["title"]): one for one in titles.values()}
            verdicts |= {key_of(titles[said["id"]]["title"]): scored(said) for said in answer["verdicts"]}
    return Recording(question, understood, evolved, verdicts, given_grades(name, papers), papers)


def scored(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """A verdict with a score, which stands for the label where the reader gave one."""
    return said if "score" in said else {**said, "score": OWN_SCORES[said["label"]]}


def given_grades(name: str, papers: Mapping[str, object]) -> dict[str, int]:
    """The grades of the papers of a run that were looked at, by title."""
    if name in LABELED:
        begun = json.loads((ANSWERS / "grades-by-title-beginning.json").read_text("utf-8"))[name]
        return {key: grade for key in papers for title, grade in begun.items() if key.startswith(title)}
    graded = json.loads((ANSWERS / "grades.json").read_text("utf-8"))
    number = SCORED.index(name) + 1
    return {key_of(key.partition("|")[2]): grade for key, grade in graded.items() if key.startswith(f"{number}|")}


@cache
def world(runs: Sequence[str]) -> Collection:
    """All papers that the reader was asked about in any of `runs`."""
    papers = {key: one for name in runs for key, one in recording(name).papers.items()}
    return Collection(
        "model-answers",
        tuple(
            Document(f"d{number}", one["title"], one.get("abstract", ""), year=one.get("year"))
            for number, (_, one) in enumerate(sorted(papers.items()))
        ),
        (),
    )


@cache
def keys_by_words(runs: Sequence[str]) -> Mapping[frozenset[str], str]:
    """The keys of the papers of `world(runs)` by the words of their titles."""
    papers = {key: one for name in runs for key, one in recording(name).papers.items()}
    return {frozenset(loose_words(one["title"][:400], "").split()): key for key, one in papers.items()}


def print_scores() -> None:
    """The scores that the reader gave to papers of each grade."""
    scores = defaultdict(list)
    for name in SCORED:
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
    world: Sequence[str]
    """The runs whose papers there are."""
    finer: Finer
    """Which papers it calls the best of their label."""
    wrong: float = 0.0
    """Part of the labels of words that are wrong by one; of texts a twentieth is, if any."""
    seed: int = 0
    name: str = "reader"
    asked: list[Prompt] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """The papers whose texts it was shown."""
    judged: set[str] = field(default_factory=set)
    """The papers whose words it was shown."""
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
        """As it was read; else it means what it was rewritten as, and needs that and what refined queries ask for."""
        read = self.recording.understood
        if "needs" in read:
            return dict(read)
        meaning = read["original"]["query"]
        return {**read, "meaning": meaning, "needs": [meaning, *self._further_needs()], "venues": read["venue"] or []}

    def judge(self, prompt: Prompt) -> dict[str, Any]:
        """Return the reader's judgement of the paper, with its reason if there is one."""
        paper = json.loads(prompt.user.partition("Paper:\n")[2].replace(FENCE, ""))
        key = key_of(paper["title"])
        self.read.add(key)
        said = self._verdict(key)
        label = self._label(key, said, "text")
        verdict: dict[str, Any] = {"label": label}
        if label >= 2:
            verdict = {
                "label": self._finer(key, label),
                "reason": said["reason"] or "It helps.",
                "quote": paper["title"],
                "needs": self._needs(key, label, paper),
            }
        return verdict

    def judge_words(self, prompt: Prompt) -> dict[str, Any]:
        """Return the same labels by the words of titles."""
        papers, keys = (
            json.loads(prompt.user.partition("Words:\n")[2].replace(FENCE, "")),
            keys_by_words(tuple(self.world)),
        )
        rows = []
        for one in papers:
            key = keys[frozenset(one["title"].split())]
            self.judged.add(key)
            label = self._label(key, self._verdict(key), "words")
            rows.append({"id": one["id"], "label": self._finer(key, label), "needs": self._needs(key, label, one)})
        return {"papers": rows}

    def _label(self, key: str, said: Mapping[str, Any], of: Literal["words", "text"]) -> int:
        label, dice = label_of(float(said["score"])), Random(f"{self.seed} {of} {key}")
        if dice.random() >= (min(self.wrong, 0.05) if of == "text" else self.wrong):
            return label
        return label + dice.choice([step for step in (-1, 1) if label + step in range(4)])

    def _finer(self, key: str, label: int) -> int | str:
        best = self.finer == "always" or (self.finer == "graded" and self.recording.given.get(key) == 3)
        return f"{label}+" if best and label >= KEPT else label

    def _needs(self, key: str, label: int, paper: Mapping[str, Any]) -> Sequence[str]:
        if label < 2:
            return []
        named: Sequence[str] = self._verdict(key).get("needs", [])
        mistaken = label != label_of(float(self._verdict(key)["score"]))
        return (not mistaken and named) or ["n1" if label == 3 else self._further_need(paper)]

    def _verdict(self, key: str) -> Mapping[str, Any]:
        given = self.recording.given.get(key, 0)
        said = self.recording.verdicts.get(key, {"score": OWN_SCORES[given], "reason": ""})
        if self.by_grade and key in self.recording.given:
            return {**said, "score": OWN_SCORES[given]}
        return said

    def _further_needs(self) -> list[str]:
        return [refined["query"] for refined in self.recording.understood["refined"]][: MOST_NEEDS - 1]

    def _further_need(self, paper: Mapping[str, Any]) -> str:
        """Of the needs beside the question itself the one that shares most words with the paper."""
        words = set(terms(f"{paper['title']} {paper.get('abstract', '')}"))
        shares = [len(words & set(terms(need))) / len(set(terms(need))) for need in self._further_needs()]
        return f"n{shares.index(max(shares)) + 2}"

    def evolve(self, prompt: Prompt) -> dict[str, Any]:
        """The refined queries that are left, then those that were drawn from papers; by paper as they were drawn."""
        left = [refined for refined in self.recording.understood["refined"] if refined["query"] not in prompt.user]
        drawn = [{"query": one[way]} for one in self.recording.evolved for way in ("method", "limitation")]
        return {"queries": [*left, *drawn], "papers": list(self.recording.evolved)}

    def rerank(self, prompt: Prompt) -> dict[str, Any]:
        papers = json.loads(prompt.user.partition("Papers:\n")[2])
        return {"papers": [{"id": one["id"], "score": one["relevance"], "justification": "."} for one in papers]}


ANSWERING = {
    "understand": Reader.understand, "judge": Reader.judge, "judge-words": Reader.judge_words, "evolve": Reader.evolve,
    "rerank": Reader.rerank,
}  # fmt: skip

if __name__ == "__main__":
    main(sys.argv[1:])
