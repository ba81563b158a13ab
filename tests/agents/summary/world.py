"""Summaries over the made-up field of the searches, and a model that plans, checks and writes them."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from agents.llm.prompt import Prompt
from agents.run.control import Control
from agents.run.resources import Resources
from agents.run.step import NOTE
from agents.summary.events import NodeWritten, Sentence, SummaryEvent
from agents.summary.kind import SUMMARY
from agents.summary.loop import summarize
from agents.summary.options import SummaryOptions
from agents.summary.state import SummaryState
from agents.summary.writing.sections import sections
from connectors.paper import Paper, WorkId
from spar_tui.reports.summary_markdown import markdown
from tests.agents.search.world import ScriptedReasoner, unfenced, with_tails
from tests.services.model.server import ModelRequest

TOPIC = "sparse retrieval of scientific passages"
_MEANS = ("learned term weights", "inverted indexes", "contrastive training", "token pruning", "field surveys")
_SUBJECTS = ("queries", "storage", "labels", "evaluation", "texts")

Asked = ModelRequest | Prompt


@dataclass
class Summed:
    """What came of a summary: its events, the state they fold to, and where the events were kept together."""

    state: SummaryState
    events: list[SummaryEvent]
    bursts: list[int]

    @property
    def text(self) -> str:
        return "\n".join(markdown(self.state))

    @property
    def sentences(self) -> list[Sentence]:
        return [sentence for node in sections(self.state) for sentence in self.state.written[node].sentences]

    def written(self, node: str) -> NodeWritten:
        return self.state.written[node]


def papers_of(state: SummaryState) -> Mapping[WorkId, Paper]:
    return state.findings.papers


async def go(
    resources: Resources,
    options: SummaryOptions,
    topic: str = TOPIC,
    so_far: Sequence[SummaryEvent] = (),
    control: Control | None = None,
) -> Summed:
    """Summarize, or go on with `so_far`."""
    events, bursts = list(so_far), [len(so_far)]

    def keep(event: SummaryEvent) -> None:
        if len(events) == bursts[-1]:
            asyncio.get_running_loop().call_soon(lambda: bursts.append(len(events)))
        events.append(event)

    board = SUMMARY.board(keep, so_far)
    async for _ in summarize(topic, resources, options, board, control):
        pass
    return Summed(board.state, events, bursts)


def summed(resources: Resources, options: SummaryOptions | None = None, topic: str = TOPIC, **more: Any) -> Summed:
    """`go` in a loop of its own."""
    return asyncio.run(go(resources, options or SummaryOptions(), topic, **more))


# A model


def _part(request: Asked, heading: str) -> str:
    text = unfenced(request)
    return text.partition(f"{heading}:\n")[2].partition("\n\n")[0]


def listed(request: Asked, heading: str) -> list[dict[str, Any]]:
    """The JSON under a heading of a question to the model, with the papers themselves in place of their ids."""
    told = cast(list[dict[str, Any]], json.loads(_part(request, heading)))
    if heading in ("Sections", "Sentences") and (papers := _part(request, "Papers")):
        known = {one["id"]: one for one in json.loads(papers)}
        return [one | {"papers": [known[name] for name in one["papers"]]} if "papers" in one else one for one in told]
    return told


def plan(request: Asked) -> dict[str, Any]:
    """Five facets of every question, with titles that are found nowhere else in the tree."""
    asked = _part(request, "Question")
    words = _MEANS if asked == _part(request, "Topic") else tuple(f"{asked.split(':')[0]} {one}" for one in _SUBJECTS)
    return {
        "facets": [
            {
                "title": word.title(),
                "question": f"{word}: what is known?",
                "query": f"{word} sparse retrieval number {at}",
            }
            for at, word in enumerate(words)
        ]
    }


def relevant(request: Asked) -> dict[str, Any]:
    return {"facets": [{"id": one["id"], "relevant": one["candidates"][:8]} for one in listed(request, "Facets")]}


def sentence(paper: Mapping[str, Any], place: int = 0) -> dict[str, Any]:
    """What the model says of a paper: one of its sentences in quotation marks, which is the quote as well."""
    text = str(paper.get("abstract") or paper.get(NOTE) or paper["title"])
    quote = " ".join(re.split(r"(?<=\.)\s", text)[place].split()[:20])
    said = quote if paper.get(NOTE) else f"“{quote}”"
    return {"text": f"According to one paper, {said}", "citations": [{"paper": paper["id"], "quote": quote}]}


def resting_on(section: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the model says of a section's parts: sentences of theirs, with their ids as what supports them."""
    told = re.findall(r"(\S.*?)(?: \([\d, ]+\))? \((t\d+_\w{4})\)", " ".join(part["text"] for part in section["parts"]))
    return [{"text": text, "citations": [{"paper": name, "quote": ""}]} for text, name in told]


def write(request: Asked) -> dict[str, Any]:
    return {
        "sections": [
            {"id": one["id"], "sentences": [*map(sentence, one["papers"][:2]), *resting_on(one)[:2]], "missing": ""}
            for one in listed(request, "Sections")
        ]
    }


def give_up(request: Asked) -> dict[str, Any]:
    """No sentence that does not hold can be saved."""
    return {"sentences": []}


def support(request: Asked) -> dict[str, Any]:
    """Every sentence is supported by what it quotes."""
    return {"sentences": [{"id": one["id"], "support": "whole"} for one in listed(request, "Sentences")]}


SUMMING: dict[str, Callable[[Any], object]] = {
    "plan": plan,
    "relevant": relevant,
    "write": write,
    "repair": give_up,
    "support": support,
}


def honest_model(**more: Callable[[Any], object]) -> ScriptedReasoner:
    """A model that is honest but for `more`."""
    return ScriptedReasoner(scripts={name: with_tails(script) for name, script in {**SUMMING, **more}.items()})


def bare(paper: Paper) -> Paper:
    """The paper without its abstract."""
    return replace(paper, abstract="")
