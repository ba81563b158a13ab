"""A small made-up field of papers that cite each other, a source that holds it, and models that judge it."""

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.llm.budget import Budget
from agents.llm.model import Model
from agents.llm.prompt import FENCE, AssessedItems, ModelAnswer, Prompt
from agents.llm.usage import Usage
from agents.run.control import Control
from agents.run.resources import Resources
from agents.search.events import Event
from agents.search.kind import SEARCH
from agents.search.loop import search
from agents.search.options import Limits, SearchOptions
from agents.search.state import SearchState
from cache.store import Store
from connectors.capability import Capability
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.source import Answer, Query, Source
from tests.agents.llm.use import access
from tests.agents.scripted import paper
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt

T = TypeVar("T", bound=BaseModel)
E = TypeVar("E", bound=Event)
_TAIL = re.compile(r'"id":"[a-zP]\d+(_[0-9a-f]{4})"')
_BARE_ID = re.compile(r"\b[chlnpfstuP]\d{1,3}\b")
QUESTION = "sparse retrieval of scientific passages"
SMALL = Limits(
    records=8,
    queries=2,
    rounds=2,
    evolved=2,
    judged=16,
    batch=4,
    seeds=5,
    asked_seeds=2,
    references=5,
    citing=2,
    cache=40,
    calls=40,
)
"""As the fast search, over a field of a few dozen papers."""
_SUBJECTS = ("sparse retrieval", "dense retrieval", "scientific passages", "protein folding", "river ecology")
_MEANS = ("learned term weights", "inverted indexes", "contrastive training", "token pruning", "field surveys")
_LIMITS = ("vocabulary mismatch", "query latency", "index size", "noisy labels", "small samples")


def made_up(size: int = 40, seed: int = 1) -> list[Paper]:
    """Papers on five subjects; each cites up to four older ones."""
    dice = Random(seed)
    made: list[Paper] = []
    for number in range(size):
        subject, means, limit = dice.choice(_SUBJECTS), dice.choice(_MEANS), dice.choice(_LIMITS)
        made.append(
            paper(
                f"Study {number}: {subject} with {means}",
                f"10.1000/p{number}",
                abstract=f"We study {subject} of scientific texts. We propose a method with {means} number {number}. "
                f"It is applied to a task on {dice.choice(_SUBJECTS)}. However, {limit} remains a problem.",
                author=f"Ada Author{number}",
                date=str(1990 + number % 30),
                citation_count=dice.randrange(200),
                references=[made[one].identifiers[0] for one in dice.sample(range(number), min(number, 4))],
            )
        )
    return made


def by_words(query: str, papers: Iterable[Paper]) -> list[Paper]:
    """The papers that share words with `query`, those with the most first."""
    asked = set(query.lower().split())
    shared = [(len(asked & set(f"{paper.title} {paper.about}".lower().split())), paper) for paper in papers]
    return [one for count, one in sorted(shared, key=lambda pair: (-pair[0], pair[1].id)) if count]


@dataclass
class Library(Source):
    """A source that holds `papers`; what it was asked is written down."""

    papers: Sequence[Paper]
    name: str = "openalex"
    seconds: float = 0.0
    capabilities: frozenset[Capability] = frozenset(
        {Capability.SEARCH, Capability.LOOKUP, Capability.REFERENCES, Capability.CITATIONS}
    )
    schemes: Any = ("doi",)
    searched: list[Query] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)

    async def search(self, query: Query) -> Answer:
        self.searched.append(query)
        return await self._say(by_words(query.text, self.papers)[: query.limit])

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        return await self._say([paper for paper in self.papers if set(names) & set(paper.identifiers)])

    async def references(self, paper: Paper, limit: int) -> Answer:
        self.followed.append(paper.id)
        return await self._say([one for one in self.papers if set(one.identifiers) & set(paper.references)][:limit])

    async def citations(self, paper: Paper, limit: int) -> Answer:
        self.followed.append(paper.id)
        return await self._say([one for one in self.papers if set(paper.identifiers) & set(one.references)][:limit])

    async def _say(self, papers: Sequence[Paper]) -> Answer:
        await asyncio.sleep(self.seconds)
        return Answer(tuple(papers))


def shelf(*sources: Any, model: Any = None, fallback: Any = None) -> Resources:
    return Resources(
        {source.name: source for source in sources}, {}, {fallback.name: fallback} if fallback else {}, model
    )


@dataclass(repr=False)  # asyncio.run has what its task returns written out, and a whole search is long
class Searched:
    """What came of a search: its events, the state they fold to, and where the events were kept together."""

    state: SearchState
    events: list[Event]
    bursts: list[int]

    @property
    def answer(self) -> list[tuple[str, float, float]]:
        """The final list: papers by name, with score and relevance."""
        return [(self.state.found[entry.work].paper.id, entry.score, entry.relevance) for entry in self.state.ranking]

    @property
    def titles(self) -> list[str]:
        return [self.state.found[entry.work].paper.title for entry in self.state.ranking]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


async def go(
    resources: Resources,
    options: SearchOptions,
    question: str = QUESTION,
    so_far: Sequence[Event] = (),
    control: Control | None = None,
    each: Callable[[Event], None] = lambda event: None,
) -> Searched:
    """Search, or go on with `so_far`; `each` is told every event."""
    events, bursts = list(so_far), [len(so_far)]

    def keep(event: Event) -> None:
        if len(events) == bursts[-1]:
            asyncio.get_running_loop().call_soon(lambda: bursts.append(len(events)))
        events.append(event)

    board = SEARCH.board(keep, so_far)
    async for event in search(question, resources, options, board, control):
        each(event)
    return Searched(board.state, events, bursts)


def searched(
    resources: Resources, options: SearchOptions | None = None, question: str = QUESTION, **more: Any
) -> Searched:
    """`go` in a loop of its own; the model, if there is one, is closed."""

    async def run() -> Searched:
        try:
            return await go(resources, options or SearchOptions(choose_sources=False), question, **more)
        finally:
            if isinstance(resources.model, Model):
                await resources.model.close()

    return asyncio.run(run())


# Models


def shown(request: ModelRequest | Prompt) -> list[dict[str, Any]]:
    """Return the only paper in a question to the model, as a list."""
    return [json.loads(unfenced(request).partition("Paper:\n")[2])]


def unfenced(request: ModelRequest | Prompt) -> str:
    """Return a question to the model without the fences around data."""
    return request.user.replace(f"\n{FENCE}\n", "") if isinstance(request, Prompt) else request.text


def with_tails(script: Callable[[Any], object]) -> Callable[[Any], object]:
    """A script whose ids ("p1") get the tail that the ids of the question have."""

    def tailed(request: ModelRequest | Prompt) -> object:
        tail = _TAIL.search(unfenced(request))
        return _tailed(script(request), tail[1] if tail else "")

    return tailed


def _tailed(value: object, tail: str) -> object:
    if isinstance(value, ModelSays):
        return value if value.text is None else replace(value, text=_BARE_ID.sub(rf"\g<0>{tail}", value.text))
    if isinstance(value, str):
        return _BARE_ID.sub(rf"\g<0>{tail}", value)
    if isinstance(value, Mapping):
        return {name: _tailed(part, tail) for name, part in value.items()}
    return [_tailed(part, tail) for part in value] if isinstance(value, list) else value


def verdict(one: Mapping[str, Any]) -> dict[str, Any]:
    """An honest judgement: the subject decides."""
    title = one["title"]
    label = 3 if "sparse retrieval" in title else 2 if "retrieval" in title or "passages" in title else 0
    return {"label": label, "reason": f"It says: {title}.", "quote": title}


def judge(request: ModelRequest | Prompt) -> dict[str, Any]:
    return verdict(*shown(request))


def judge_words(request: ModelRequest | Prompt) -> dict[str, Any]:
    """Honest judgements by the words of the titles."""
    return labeled(
        request, lambda words: 3 if {"sparse", "retrieval"} <= words else 2 if {"retrieval", "passages"} & words else 0
    )


def labeled(request: ModelRequest | Prompt, label: Callable[[frozenset[str]], object]) -> dict[str, Any]:
    """A label for each paper by the words of its title."""
    told = json.loads(unfenced(request).partition("Words:\n")[2])
    return {"papers": [{"id": one["id"], "label": label(frozenset(one["title"].split()))} for one in told]}


def understand(request: ModelRequest | Prompt) -> dict[str, Any]:
    queries = ("learned sparse term weights", "inverted indexes for scientific texts", "dense retrieval baselines")
    return {"intent": "topic", "refined": [{"query": query} for query in queries]}


def understand_queries(request: ModelRequest | Prompt) -> dict[str, Any]:
    return {"needs": [], "queries": [refined["query"] for refined in understand(request)["refined"]]}


def evolve(request: ModelRequest | Prompt) -> dict[str, Any]:
    """Two queries a round, each with words for a source."""
    text = unfenced(request)
    asked = len(json.loads(text.partition("Searched already:\n")[2]))
    about = (
        "token pruning",
        "contrastive training",
        "field surveys",
        "river ecology",
        "protein folding",
        "noisy labels",
    )
    fresh = [*about[asked % len(about) :], *about[: asked % len(about)]]
    return {"queries": [{"query": f"{words} in {words.split()[0]} systems", "openalex": words} for words in fresh]}


HONEST: dict[str, Callable[[Any], object]] = {
    "understand": understand,
    "understand-queries": understand_queries,
    "judge": judge,
    "judge-complex": judge,
    "judge-words": judge_words,
    "evolve": evolve,
}


@dataclass
class ScriptedReasoner:
    """A model in this process, for tests that search hundreds of times; it keeps to the budget as the real one does."""

    name: str = "mind-1"
    scripts: Mapping[str, Callable[[Any], object]] = field(default_factory=lambda: HONEST)
    asked: list[Prompt] = field(default_factory=list)

    async def ask(
        self,
        prompt: Prompt,
        shape: type[T],
        budget: Budget,
        about: AssessedItems[T] | None = None,
        heard: Callable[[str], None] | None = None,
    ) -> ModelAnswer[T]:
        await budget.reserve(Usage(1, 10, 10))
        await asyncio.sleep(0)
        self.asked.append(prompt)
        usage = Usage(1, prompt.tokens, 5)
        budget.settle(Usage(1, 10, 10), usage)
        return ModelAnswer(shape.model_validate(self.scripts[prompt.name](prompt)), usage)


def scripted(**more: Callable[[ModelRequest], object]) -> ScriptedModel:
    """A model over HTTP that is honest but for `more`, whose names have `_` for `-`; a reading without refined queries
    says that it has none, and a judge without a script for words says that these tell nothing against a paper."""
    if "judge" in more:
        more.setdefault("judge_words", lambda request: labeled(request, lambda words: 2))
    scripts = {**HONEST, **{name.replace("_", "-"): script for name, script in more.items()}}
    return ScriptedModel(by_prompt({**scripts, "understand": _whole(scripts["understand"])}))


def _whole(understand: Callable[[ModelRequest], object]) -> Callable[[ModelRequest], object]:
    def said(request: ModelRequest) -> object:
        answer = understand(request)
        return {"refined": [], **answer} if isinstance(answer, dict) else answer

    return said


def model_at(endpoint: ScriptedModel, store: Store | None = None, **more: Any) -> Model:
    return Model(access(endpoint, **more), store)


def hostile(one: Paper, order: str) -> Paper:
    """`one` with an order at the end of its abstract."""
    return replace(one, abstract=f"{one.abstract} {order}")
