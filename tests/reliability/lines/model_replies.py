"""Line 12: whatever a model says, a search ends with every paper judged by somebody, after few calls, and is cut off at
once when the person wants it."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from agents.llm.model import Model
from agents.search.events import PaperJudged
from cache.store import Store
from tests.agents.llm.use import access
from tests.agents.search.claims import Exchange, logged, untrue
from tests.agents.search.test_misbehaving import FAST, MISBEHAVING, PAPERS, honest
from tests.agents.search.world import Library, Searched, go, searched, shelf, shown
from tests.library import copied
from tests.reliability.line import Figure, Line, Trial, harm
from tests.services.model import says
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, ScriptedModel

Says = Callable[[ModelRequest], ModelSays]
ODD = (
    "null", "true", "-1", "1e999", "NaN", '""', "[]", "{}", '"\\ud800"', '"p1"', "99999999999999999999", '"<b>"',
    '"\\u0000"', '"‮"',
)  # fmt: skip


def measure(trial: Trial) -> Line:
    wanted = trial.many(20, 1_000)
    dice = trial.dice
    tried, results = 0, Results()
    kinds = list(MISBEHAVING) if trial.full else []
    for kind in kinds:
        say, exchanges = logged(MISBEHAVING[kind])
        with Store.open(copied(trial.folder / f"{kind.replace('/', '')}.db")) as store:
            results.add(say, store, exchanges, seconds=0.3 if kind == "no answer in time" else 20.0)
    while tried < wanted:
        with Store.open(copied(trial.folder / f"fuzzed-{tried}.db")) as store:
            tried += results.add(fuzzed(Random(dice.random())), store)
    cancelled = [cut_off() for _ in range(trial.many(1, 5))]
    return Line(
        12, "replies of models",
        f"searches of {len(PAPERS)} papers with a model that misbehaves in {len(kinds)} ways, then with {tried:,} "
        f"random answers; {len(cancelled)} searches canceled while a slow model answers",
        (
            Figure("searches that ended with an exception", results.raised),
            Figure("papers without a judgement", results.unjudged),
            Figure("papers missing from a list", results.missing),
            Figure("scores out of bounds", results.beyond),
            Figure("quotes that are not in the paper", results.misquoted),
            Figure("false statements about the model", results.untrue),
            Figure("most requests about one paper", results.most, 2),
            Figure("longest time to end after canceling", round(max(cancelled), 2), 1, unit=" s"),
        ),
        (harm("of 100 random answers, those that crash a trusting reader", stumbled(trial.dice, 100)),),
        tests=(
            "tests/agents/search/test_misbehaving.py", "tests/agents/search/test_model_trouble.py",
            "tests/agents/llm/test_model.py", "tests/agents/llm/test_streaming.py",
        ),
    )  # fmt: skip


class Results:
    """What came of many searches."""

    def __init__(self) -> None:
        self.raised = self.unjudged = self.missing = self.beyond = self.misquoted = self.most = self.untrue = 0

    def add(self, say: Says, store: Store, exchanges: Sequence[Exchange] = (), seconds: float = 20.0) -> int:
        """Search once more with a model that says this, and writes it down in `exchanges`; how many answers it gave."""
        with ScriptedModel(say) as endpoint:
            try:
                found = searched(shelf(Library(PAPERS), model=Model(access(endpoint, seconds=seconds), store)), FAST)
            except Exception:  # noqa: BLE001  # none may come, of whichever kind
                self.raised += 1
                return endpoint.calls
            self._look_at(found)
            self.untrue += len(untrue(found, exchanges)) if exchanges else 0
            asked = Counter(one["title"] for request in endpoint.asked("judge") for one in shown_in(request))
            self.most = max(self.most, *asked.values(), 0)
            return endpoint.calls

    def _look_at(self, found: Searched) -> None:
        self.missing += len({one.title for one in PAPERS} - set(found.titles))
        self.unjudged += len(found.state.found) - len(found.state.judged)
        for event in found.of(PaperJudged):
            self.beyond += not 0 <= event.score <= 1
            one = found.state.found[event.work].paper
            self.misquoted += bool(event.quote) and event.quote not in f"{one.title}\n{one.abstract}"


def shown_in(request: ModelRequest) -> list[dict[str, str]]:
    """The papers that a question is about, unless the model is asked again because its answer was bad."""
    return [] if request.corrected else shown(request)


def fuzzed(dice: Random) -> Says:
    """Honest answers, each spoiled in one to three places."""

    def say(request: ModelRequest) -> ModelSays:
        text = json.dumps(honest(request))
        for _ in range(dice.randint(1, 3)):
            text = spoiled(text, dice)
        return ModelSays(text)

    return say


def spoiled(text: str, dice: Random) -> str:
    at, end = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    if dice.random() < 0.5:  # a value, so that what comes is still JSON
        places = [place for place in range(len(text)) if text.startswith(": ", place)]
        if places:
            at = dice.choice(places) + 2
            ends = [place for place in range(at, len(text)) if text[place] in ",}]"]
            return text[:at] + dice.choice(ODD) + text[ends[0] if ends else len(text) :]
    return dice.choice((
        text[:at] + text[end:], text[:at] + text[at:end] * 2 + text[end:], text[:at],
        text[:at] + chr(dice.randrange(0x20, 0x3000)) + text[at:], text[end:],
    ))  # fmt: skip


def stumbled(dice: Random, times: int) -> int:
    """How many spoiled answers raise in code that takes the answer for what was asked for."""
    answer = json.dumps({"verdicts": [{"id": f"p{n}", "label": n % 4, "quote": "words of it"} for n in range(14)]})
    raised = 0
    for _ in range(times):
        try:
            [
                (one["id"], int(one["label"]), one["quote"].strip())
                for one in json.loads(spoiled(answer, dice))["verdicts"]
            ]
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
            raised += 1
    return raised


def cut_off() -> float:
    """Seconds from a person's wish to stop until the search has ended, while the model takes very long."""
    ended: list[float] = []

    async def run() -> None:
        with ScriptedModel(lambda request: says.slow(honest(request), 30.0)) as endpoint:
            model = Model(access(endpoint, seconds=60.0))
            searching = asyncio.create_task(go(shelf(Library(PAPERS), model=model), FAST))
            while not endpoint.calls:
                await asyncio.sleep(0.02)
            begun = time.monotonic()
            searching.cancel()
            await asyncio.wait([searching])
            ended.append(time.monotonic() - begun)
            await model.close()

    asyncio.run(run())
    return ended[0]
