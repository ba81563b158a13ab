"""What a summary asks a model: `python -m tests.benchmarks.model.summary_calls [failing|alone] [RUN ...]`.

The papers that the recorded summaries S1, S2 and T1 showed to a reader are the whole world, in one source. A scripted
model plans as the reader did, finds every second candidate relevant, and writes as many sentences as it is asked for,
one in three of them on two papers, each with words of these papers, and something that they miss; it finds all of them
supported. So calls and tokens are those of an honest model that makes no mistake; with `failing`, it finds every second
sentence unsupported, and writes each again that it is asked to mend; with `alone`, it writes every sentence on one
paper, and relates it to others where it is asked to. Prints for each run the questions by their name, the tokens in
(three bytes each, as the program estimates), and how many sentences rest on two papers or more.
"""

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.bench.collections import Collection, Document
from agents.llm.budget import Budget
from agents.llm.prompt import FENCE, ModelAnswer, Prompt
from agents.llm.usage import Usage
from agents.run.resources import Resources
from agents.summary.events import Sentence
from agents.summary.kind import SUMMARY
from agents.summary.loop import summarize
from agents.summary.options import SummaryOptions
from tests.benchmarks.model.careful_reader import ANSWERS, MISSING, TODAY, OneSource, key_of

RUNS, FAILING, ALONE = ("S1", "S2", "T1"), "failing", "alone"
_SENTENCE = 19
"""Words of a sentence."""
T = TypeVar("T", bound=BaseModel)


def main(arguments: Sequence[str]) -> None:
    if not ANSWERS.exists():
        print(f"skipped: {MISSING}")
        return
    for name in [name for name in arguments if name not in (FAILING, ALONE)] or RUNS:
        writer = Writer(name, FAILING in arguments, ALONE in arguments)
        sentences = asyncio.run(_summarized(writer))
        words = sum(len(sentence.text.split()) for sentence in sentences)
        several = sum(len({cited.work for cited in sentence.citations}) > 1 for sentence in sentences)
        counts = ", ".join(f"{step} {times}" for step, times in Counter(one.name for one in writer.asked).items())
        tokens = Counter[str]()
        for prompt in writer.asked:
            tokens[prompt.name] += prompt.tokens
        each = ", ".join(f"{step} {number:,}" for step, number in tokens.items())
        print(f"{name}: {len(writer.asked)} calls ({counts}), {tokens.total():,} tokens in ({each}), {words} words, "
              f"{several} of {len(sentences)} sentences on several papers")  # fmt: skip


async def _summarized(writer: "Writer") -> list[Sentence]:
    """Write the summary."""
    board = SUMMARY.board()
    resources = Resources({OneSource.name: OneSource(writer.world)}, model=writer)  # type: ignore[arg-type]
    options = SummaryOptions(table=("method", "data", "result"))
    async for _ in summarize(writer.topic, resources, options, board, today=TODAY):
        pass
    return [sentence for text in board.state.written.values() for sentence in text.sentences]


@dataclass
class Writer:
    """A model that plans as a recorded run did, and writes from what it is shown."""

    run: str
    fails: bool = False
    alone: bool = False
    name: str = "writer"
    asked: list[Prompt] = field(default_factory=list)
    topic: str = ""
    plans: list[Mapping[str, Any]] = field(default_factory=list)
    world: Collection = field(init=False)

    def __post_init__(self) -> None:
        papers = dict[str, Mapping[str, Any]]()
        for file in sorted((ANSWERS / self.run / "in").glob("*.json"), key=lambda one: int(one.stem)):
            request = json.loads(file.read_text("utf-8"))
            user, step = request["messages"][-1]["content"], request["response_format"]["json_schema"]["name"]
            if step == "plan":
                self.topic = user.partition("Topic:\n")[2].partition("\n\n")[0]
                answer = (ANSWERS / self.run / "out" / f"{file.stem}.txt").read_text("utf-8")
                self.plans.append(json.loads(answer))
            headings = re.finditer(r"^[A-Z][a-z ]+:\n(?=\[\n)", user, re.MULTILINE)
            for one in _papers_in([json.JSONDecoder().raw_decode(user, found.end())[0] for found in headings]):
                held = papers.get(key_of(one["title"]), {})
                if len(one.get("abstract", "")) >= len(held.get("abstract", "")):
                    papers[key_of(one["title"])] = one
        documents = (Document(f"d{number}", one["title"], one.get("abstract", ""), year=one.get("year"))
                     for number, (_, one) in enumerate(sorted(papers.items())))  # fmt: skip
        self.world = Collection(self.run, tuple(documents), ())

    async def ask(self, prompt: Prompt, shape: type[T], budget: Budget, *_: object) -> ModelAnswer[T]:
        await budget.reserve(Usage(1, 10, 10))
        await asyncio.sleep(0)
        self.asked.append(prompt)
        answer = shape.model_validate(_ANSWERING[prompt.name](self, prompt))
        usage = Usage(1, prompt.tokens, 10)
        budget.settle(Usage(1, 10, 10), usage)
        return ModelAnswer(answer, usage)

    def plan(self, prompt: Prompt) -> Mapping[str, Any]:
        return self.plans[min(sum(one.name == "plan" for one in self.asked), len(self.plans)) - 1]

    def relevant(self, prompt: Prompt) -> Mapping[str, Any]:
        return {"facets": [{"id": one["id"], "relevant": one["candidates"][::2]} for one in _listed(prompt, "Facets")]}

    def write(self, prompt: Prompt) -> Mapping[str, Any]:
        return {"sections": [self._section(one) for one in _listed(prompt, "Sections")]}

    def _section(self, section: Mapping[str, Any]) -> Mapping[str, Any]:
        papers = section["papers"]
        most = 5 if section["summary"] else max(1, section["words"] // _SENTENCE)
        if section["parts"]:
            return {"id": section["id"], "sentences": _resting_on(section["parts"], most), "missing": _missing(section)}
        sentences = []
        for place in range(most):
            cited = [
                papers[(place + further) % len(papers)]
                for further in range(2 if place % 3 == 0 and not self.alone else 1)
            ]
            quotes = [_quote(one, place) for one in cited]
            text = " and ".join(_in_other_order(quote.rstrip(".")) for quote in quotes)
            citations = [{"paper": one["id"], "quote": quote} for one, quote in zip(cited, quotes, strict=True)]
            sentences.append({"text": f"Studies report that {text}.", "citations": citations})
        return {"id": section["id"], "sentences": sentences, "missing": _missing(section), "rows": [
            {"id": one["id"], "cells": [{"column": "method", "quote": _quote(one, 0)}]} for one in papers]}  # fmt: skip

    def support(self, prompt: Prompt) -> Mapping[str, Any]:
        return {"sentences": [
            {"id": one["id"], "support": "not" if self.fails and number % 2 else "whole"}
            for number, one in enumerate(_listed(prompt, "Sentences"))]}  # fmt: skip

    def repair(self, prompt: Prompt) -> Mapping[str, Any]:
        papers = {one["id"]: one for one in _listed(prompt, "Papers")}
        return {"sentences": [
            {"id": one["id"], "text": f"It is reported that {' and '.join(map(_in_other_order, quotes.values()))}.",
             "citations": [{"paper": name, "quote": quote} for name, quote in quotes.items()]}
            for one in _listed(prompt, "Sentences")
            for quotes in [{name: _quote(papers[name], 1) for name in one["papers"][: 1 + self.alone]}]]}  # fmt: skip


def _resting_on(parts: Sequence[Mapping[str, Any]], most: int) -> list[Mapping[str, Any]]:
    """Sentences on the first ones of the parts in turn, one in three of them on those of two parts."""
    told = [re.findall(r"(\S.*?)(?: \([\d, ]+\))? \((t\d+_\w{4})\)", part["text"])[0] for part in parts]
    some = [[told[(place + further) % len(told)] for further in range(2 if place % 3 == 0 else 1)]
            for place in range(most)]  # fmt: skip
    return [{"text": " and ".join(" ".join(text.split()[:_SENTENCE]) for text, _ in one),
             "citations": [{"paper": name, "quote": ""} for _, name in one]} for one in some]  # fmt: skip


def _missing(section: Mapping[str, Any]) -> str:
    """What the section's papers are said not to say: something of which one of them speaks."""
    return f"how well it works by {section['papers'][0]['title']}" if section["papers"] else ""


def _in_other_order(quote: str) -> str:
    """Words of a paper so that no run of them is copied."""
    words = quote.split()
    return " ".join(word for at in range(len(words) // 4 * 4, -1, -4) for word in words[at : at + 4])


def _quote(paper: Mapping[str, Any], place: int) -> str:
    """Words of a paper, of another sentence for each place."""
    sentences = re.split(r"(?<=\.)\s", paper.get("abstract", "")) if paper.get("abstract") else [paper["title"]]
    return " ".join(sentences[place % len(sentences)].split()[:20])


def _papers_in(value: object) -> Iterator[Mapping[str, Any]]:
    """The papers that were shown, wherever they stand in what was sent."""
    if isinstance(value, dict):
        if "title" in value and {"abstract", "excerpt"} & value.keys():
            yield value
        value = list(value.values())
    for one in value if isinstance(value, list) else ():
        yield from _papers_in(one)


def _listed(prompt: Prompt, heading: str) -> list[dict[str, Any]]:
    text = prompt.user.replace(FENCE, "").partition(f"{heading}:\n")[2]
    found: list[dict[str, Any]] = json.JSONDecoder().raw_decode(text.lstrip())[0]
    if heading == "Sections":
        papers = {one["id"]: one for one in _listed(prompt, "Papers")}
        return [one | {"papers": [papers[name] for name in one["papers"]]} for one in found]
    return found


_ANSWERING: Mapping[str, Callable[[Writer, Prompt], Mapping[str, Any]]] = {
    "plan": Writer.plan, "relevant": Writer.relevant, "write": Writer.write, "support": Writer.support,
    "repair": Writer.repair,
}  # fmt: skip

if __name__ == "__main__":
    main(sys.argv[1:])
