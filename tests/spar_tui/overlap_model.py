"""A language model's part played by counting shared words, so that a whole search can be run against loopback.

It judges by the share of the question's words that a paper has, quotes the sentence that has most of them, refines a
question and draws queries from titles. It reads only what the program sends it.
"""

import json
import re
from typing import Any

from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS
from tests.services.model.server import ModelRequest, by_prompt

ADDED = ("algorithms compared", "in practice", "failure cases")


def words(text: str) -> set[str]:
    """The words of `text` that say something."""
    return set(re.findall(r"[a-z]{3,}", text.lower())) - STOP_WORDS - QUESTION_WORDS


def understand(request: ModelRequest) -> dict[str, Any]:
    """Two more queries; every source that is offered."""
    sources = request.text.partition("Sources: ")[2].splitlines()[0].split(", ")
    question = request.text.partition("Question:\n")[2].strip()
    topic = " ".join(sorted(words(question)))
    return {
        "intent": "survey",
        "field": "information retrieval",
        "sources": [{"name": name, "reason": "it covers the field"} for name in sources],
        "reason": "The question is broad.",
        "original": {"query": question, "semantic_scholar": topic, "openalex": topic},
        "refined": [
            {"query": f"challenges of {topic}", "semantic_scholar": f"{topic} challenges", "openalex": topic},
            {"query": f"{topic} evaluation benchmarks", "semantic_scholar": f"{topic} benchmark", "openalex": topic},
        ],
    }


def judge(request: ModelRequest) -> dict[str, Any]:
    """Judge the shown paper by the words that it shares with the question."""
    question, paper = _question_and_paper(request)
    asked = words(question)
    shared = asked & words(f"{paper['title']} {paper['abstract']}")
    label = _label(asked, shared)
    sentences = re.split(r"(?<=[.!?])\s+", paper["abstract"]) if paper["abstract"] else [paper["title"]]
    telling = max(sentences, key=lambda one: len(asked & words(one)))
    return {
        "label": label,
        "reason": f"It speaks of {' and '.join(sorted(shared)) or 'something else'}.",
        "quote": " ".join(telling.split()[:20]) if shared else "",
    }


def judge_words(request: ModelRequest) -> dict[str, Any]:
    """Judge papers by their words in no order, as `judge` does."""
    question = request.text.partition("Question:\n")[2].partition("\n\n")[0]
    asked, told = words(question), json.loads(request.text.partition("Words:\n")[2])
    return {"papers": [{"id": one["id"], "label": _label(asked, asked & words(f"{one['title']} {one['abstract']}"))}
                       for one in told]}  # fmt: skip


def _label(asked: set[str], shared: set[str]) -> int:
    return round(3 * len(shared) / (len(asked) or 1))


def evolve(request: ModelRequest) -> dict[str, Any]:
    """Queries in other words, each with keywords."""
    question = re.sub(r"^Question:\n", "", request.text).split("\n\n")[0]
    topic = sorted(words(question))[:4]
    return {
        "queries": [
            {"query": f"{' '.join(topic)} {more}", "semantic_scholar": more, "openalex": f"{topic[0]} {more}"}
            for more in ADDED
        ]
    }


SCRIPTS = {"understand": understand, "judge": judge, "judge-words": judge_words, "evolve": evolve}
overlap_script = by_prompt(SCRIPTS)


def _question_and_paper(request: ModelRequest) -> tuple[str, dict[str, Any]]:
    before, _, shown = request.text.partition("Paper:\n")
    question = re.sub(r"^Question:\n", "", before).split("\n\n")[0].strip()
    return question, json.loads(shown)
