"""A person with a library of many papers, and models that recommend from it: honest ones, over HTTP or in this process.

Nothing of the library is changed by a recommendation that nobody keeps, so one library serves many tests.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar, cast

from agents.builtin.text.loose_words import loose_words
from agents.llm.model import Model
from agents.llm.prompt import Prompt
from agents.meaning.kept import KeptVectors
from agents.recommendation.events import RecommendationEvent, RecommendationState
from agents.recommendation.kind import RECOMMENDATION
from agents.recommendation.loop import recommend
from agents.recommendation.options import RecommendOptions
from agents.run.control import Control
from agents.run.resources import Resources
from agents.taste.context import ReaderContext, read_context
from cache import citation_keys, papers, profile, reading_history, shelf
from cache.store import Store
from connectors.paper import Paper
from connectors.source import Source
from tests.agents.scripted import paper
from tests.agents.search.world import ScriptedReasoner, unfenced, with_tails
from tests.library import copied
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SUBJECTS = ("sparse retrieval of passages", "protein folding by attention", "river ecology in winter")
MEANS = ("learned weights", "inverted indexes", "contrastive training", "token pruning", "field surveys")
STEPS = ("user-understanding", "nli", "context-summary", "item-ranker")
SECRETS = ("my secret note", "my-secret-tag", "my-secret-folder/file.pdf", "secretkey26")
STRANGE = "Medieval tax rolls of"
"""How titles of the library begin that have nothing to do with the history."""
Asked = ModelRequest | Prompt
E = TypeVar("E")


def about(subject: str, number: int, **more: Any) -> Paper:
    means = MEANS[number % len(MEANS)]
    abstract = f"We look at {subject} with {means}. The result number {number} is that {means} help."
    name = f"10.1000/{subject.split()[0]}.{number}"
    return paper(f"Study {number} of {subject} with {means}", name, **{"abstract": abstract, **more})


def filled(store: Store, extra: Sequence[Paper] = ()) -> Store:
    """The library: a history on two subjects, one paper that is not wanted, and sixty papers to choose from."""
    retrieval, folding, rivers = SUBJECTS
    liked = papers.remember(store, [about(retrieval, number) for number in range(6)], NOW)
    saved = shelf.save(store, [about(folding, number) for number in range(4)], [SECRETS[1]], NOW - timedelta(days=9))
    shelf.set_note(store, saved[0], SECRETS[0])
    shelf.set_files(store, saved[0], [SECRETS[2]])
    citation_keys.keep(store, saved[0], SECRETS[3])
    for number in liked:
        reading_history.note_interaction(store, number, "liked", now=NOW - timedelta(days=3))
    reading_history.note_interaction(store, liked[0], "read", now=NOW - timedelta(minutes=9))
    [unwanted] = papers.remember(store, [about(rivers, 0)], NOW)
    reading_history.note_interaction(store, unwanted, "disliked", now=NOW - timedelta(days=1))
    profile.add_line(store, "expect", "open data", now=NOW)
    papers.remember(store, [about(retrieval, number) for number in range(10, 40)], NOW)
    papers.remember(store, [about(folding, number) for number in range(10, 30)], NOW)
    papers.remember(store, [about(rivers, number) for number in range(10, 20)], NOW)
    shires = (f"{first}{second}shire" for first in "ABCDEFGHIJ" for second in "aeioulmnrstvwxy")
    strange = [paper(f"{STRANGE} {one}", f"10.1000/{one}", abstract="Wool and rent.") for one in shires]
    papers.remember(store, strange, NOW)
    papers.remember(store, extra, NOW)
    return store


def library(folder: Path, extra: Sequence[Paper] = ()) -> Store:
    store = Store.open(copied(folder / "library.db", filled), now=lambda: NOW)
    papers.remember(store, extra, NOW)
    return store


@dataclass
class Recommended:
    """What came of a recommendation: its events, the state they fold to, and where they were kept together."""

    state: RecommendationState
    events: list[RecommendationEvent]
    bursts: list[int]

    @property
    def answer(self) -> list[tuple[str, float, str, str]]:
        """The ranking: papers by name, with score, explanation, and reason."""
        state = self.state
        return [
            (state.findings.papers[one.work].id, one.score, one.why, state.aligned[one.work].reason)
            for one in (state.ranked.ranking if state.ranked else ())
        ]

    @property
    def titles(self) -> list[str]:
        """What is shown, by title."""
        return [self.state.findings.papers[placed.work].title for placed in self.state.shown]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


async def go(
    store: Store,
    model: Any = None,
    options: RecommendOptions | None = None,
    so_far: Sequence[RecommendationEvent] = (),
    live: Sequence[Source] = (),
    control: Control | None = None,
) -> Recommended:
    """Recommend, or go on with `so_far`."""
    asked = options or RecommendOptions()
    events, bursts = list(so_far), [len(so_far)]

    def keep(event: RecommendationEvent) -> None:
        if len(events) == bursts[-1]:
            asyncio.get_running_loop().call_soon(lambda: bursts.append(len(events)))
        events.append(event)

    reader = ReaderContext(store, read_context(store, NOW, asked.start, asked.tag), NOW)
    encoder = model.embeddings() if isinstance(model, Model) else None
    embeddings = KeptVectors(encoder, store) if encoder else None
    named = {source.name: source for source in live}
    resources = Resources(named, model=model, reader=reader, embeddings=embeddings)
    board = RECOMMENDATION.board(keep, so_far)
    async for _ in recommend(resources, asked, board, control):
        pass
    return Recommended(board.state, events, bursts)


def recommended(store: Store, model: Any = None, options: RecommendOptions | None = None, **more: Any) -> Recommended:
    """`go` in a loop of its own; the model, if there is one, is closed."""

    async def run() -> Recommended:
        try:
            return await go(store, model, options, **more)
        finally:
            if isinstance(model, Model):
                await model.close()

    return asyncio.run(run())


# Models


def listed(request: Asked, heading: str = "Candidates") -> Any:
    """The JSON under a heading of a question to the model."""
    text = unfenced(request)
    return json.loads(f"\n\n{text}".partition(f"\n\n{heading}:\n")[2].partition("\n\n")[0])


def history(request: Asked) -> list[dict[str, Any]]:
    return [one for group in listed(request, "History") for one in group["subject"]]


def candidates(request: Asked) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], listed(request))


def understand(request: Asked) -> dict[str, Any]:
    """A line for each subject of the history."""
    lines = [
        {"facet": "like", "text": f"work on {group['subject'][0]['title'].partition(' of ')[2]}",
         "papers": [one["id"] for one in group["subject"]]}
        for group in listed(request, "History")
    ]  # fmt: skip
    return {"lines": lines, "now": "Comparing ways of weighing terms"}


def weigh(request: Asked) -> dict[str, Any]:
    """Folding fits best; the words of its abstract are quoted."""
    folding = history(request)[0]["id"]
    return {
        "candidates": [
            {
                "id": one["id"],
                "score": 0.9 if "protein" in one["title"] else 0.6,
                "alignment": "supports",
                "rests_on": [folding],
                "reason": "It takes up the method of what you have read.",
                "quote": " ".join(one["abstract"].split()[:6]),
            }
            for one in candidates(request)
        ]
    }


def sum_up(request: Asked) -> dict[str, Any]:
    folding = [one["id"] for one in candidates(request) if "protein" in one["title"]]
    return {
        "summary": "Most of them are studies of protein folding with other means.",
        "themes": [{"name": "Folding by other means", "candidates": folding}],
    }


def words_of(title: str) -> list[str]:
    """The words of a title, or of its loose words, in alphabetical order."""
    return sorted(loose_words(title, "").split())


def rank(request: Asked) -> dict[str, Any]:
    """By the words of titles, backwards."""
    order = sorted(candidates(request), key=lambda one: words_of(one["title"]), reverse=True)
    return {"ranking": [{"id": one["id"], "explanation": "It comes next for this person."} for one in order]}


HONEST: Mapping[str, Callable[[Any], object]] = {
    "user-understanding": understand,
    "nli": weigh,
    "context-summary": sum_up,
    "item-ranker": rank,
}


def reasoner(**more: Callable[[Any], object]) -> ScriptedReasoner:
    """A model in this process that is honest but for `more`, whose names have `_` for `-`."""
    return ScriptedReasoner(scripts=_scripts(more))


def scripted(latency: float = 0.0, **more: Callable[[ModelRequest], object]) -> ScriptedModel:
    """The same over HTTP."""
    return ScriptedModel(by_prompt(_scripts(more)), latency)


def _scripts(more: Mapping[str, Callable[[Any], object]]) -> dict[str, Callable[[Any], object]]:
    scripts = {**HONEST, **{name.replace("_", "-"): script for name, script in more.items()}}
    return {name: with_tails(script) for name, script in scripts.items()}
