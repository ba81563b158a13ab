"""A step of reasoning: whatever a model leaves out, doubles or invents, every item gets one event, in its order."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.llm.answers.json_answers import Misfit, read_answer
from agents.llm.errors import ModelError
from agents.llm.model import Model
from agents.llm.prompt import Prompt
from agents.run.control import Control
from agents.run.events import Warned
from agents.run.findings import Board, Findings
from agents.run.resources import Resources, RunOptions
from agents.run.session import RunSession
from agents.run.step import Score, ask_about, by_item, known_ids, numbered, read_id, read_score, reason
from connectors.batches import in_batches
from tests.agents.llm.use import access, use
from tests.agents.search.world import ScriptedReasoner
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.server import ModelRequest, ScriptedModel


class Remark(BaseModel):
    id: str
    text: str = ""


class Remarks(BaseModel):
    remarks: list[Remark]


@dataclass(frozen=True)
class Posted:
    """A run that is nothing but its events."""

    events: tuple[object, ...] = ()
    started: None = None
    finished: None = None
    findings: Findings = field(default_factory=Findings)

    def apply(self, event: object) -> "Posted":
        return replace(self, events=(*self.events, event))


class Session(RunSession[Posted, object]):
    """A run under way, with nothing found yet."""

    @property
    def said(self) -> list[object]:
        """What was said of items, without what it cost and what was warned of."""
        return [event for event in self.state.events if isinstance(event, tuple)]


def session(answer: Callable[[Prompt], object] | None, control: Control | None = None) -> Session:
    """A run whose model answers with `answer`, or that has no model."""
    model = ScriptedReasoner(scripts={"remark": answer}) if answer else None
    return Session(Resources(model=model), Board(Posted()), control or Control(), RunOptions(), 100)  # type: ignore[arg-type]


def names_in(prompt: Prompt) -> list[str]:
    return prompt.user.split()


def listing(items: Mapping[str, int]) -> Prompt:
    return Prompt("remark", 1, "Remark on each.", " ".join(items))


def by_model(run: Session) -> Callable[[Sequence[int]], Coroutine[Any, Any, dict[int, object] | None]]:
    """The events of a batch: what the model remarks on each item; one without words cannot be used."""

    async def remarked(batch: Sequence[int]) -> dict[int, object] | None:
        answers = await ask_about(
            run,
            numbered(batch, "p", "why?"),
            listing,
            Remarks,
            lambda answer: [one for one in answer.remarks if one.text],
        )
        return None if answers is None else {item: ("model", item, row.text) for item, row in answers.items()}

    return remarked


def by_rule(item: int) -> tuple[str, int]:
    return ("rule", item)


def done(run: Session, items: Sequence[int], size: int) -> list[object]:
    asyncio.run(reason(run, in_batches(items, size), by_model(run), by_rule))
    return run.said


def honest(prompt: Prompt) -> dict[str, Any]:
    return {"remarks": [{"id": name, "text": f"on {name}"} for name in names_in(prompt)]}


IDS = st.sampled_from([*(f"p{number}" for number in range(8)), "", "p", "p99", "f1"])
ROWS = st.lists(st.builds(Remark, id=IDS, text=st.sampled_from(["", "good", "bad"])), max_size=20)
ITEMS = st.lists(st.integers(), unique=True, max_size=12)
SIZES = st.integers(1, 5)


# Ids


@given(ITEMS)
def test_each_item_has_an_id_of_the_letter_and_its_number_and_a_tail_that_the_secret_decides(items: list[int]) -> None:
    names, others = numbered(items, "f", "a question"), numbered(items, "f", "another")
    assert list(names.values()) == items
    assert [name.partition("_")[0] for name in names] == [f"f{number + 1}" for number in range(len(items))]
    assert not names.keys() & others.keys()
    assert not [name for name in names if read_id(name.partition("_")[0], names.keys())]


@given(ROWS, ITEMS)
def test_the_first_row_that_names_an_item_counts_and_unknown_ids_are_dropped(
    rows: list[Remark], items: list[int]
) -> None:
    names = numbered(items, "p", "why?")
    answers = by_item(rows, names)
    assert answers == {names[row.id]: row for row in reversed(rows) if row.id in names}
    assert set(answers) <= set(items)


@each(
    ("written", "meant"),
    [
        ("p1_0a1b", "p1_0a1b"),
        ("P1_0A1B", "p1_0a1b"),
        ("[p2_0a1b]", "p2_0a1b"),
        ("paper p2_0a1b", "p2_0a1b"),
        ("p2_0a1b: Study of something", "p2_0a1b"),
        ("p1", None),
        ("1", None),
        ("p1_ffff", None),
        ("p11_0a1b", None),
        ("p1_0a1b and p2_0a1b", None),
        ("Study of something", None),
        ("", None),
        ("…", None),
    ],
)
def test_an_id_is_understood_as_models_write_it_and_never_guessed(written: str, meant: str | None) -> None:
    assert read_id(written, ["p1_0a1b", "p2_0a1b", "p3_0a1b"]) == meant


@given(st.text(max_size=30), st.integers(0, 12))
def test_what_is_read_as_an_id_is_one_of_those_that_were_given(written: str, count: int) -> None:
    ids = numbered(range(count), "p", "why?").keys()
    assert read_id(written, ids) in {None, *ids}


@given(st.lists(st.sampled_from(["p1", "P2", "3", "paper 4", "p9", "nonsense"]), max_size=8))
def test_each_id_that_is_named_is_known_once(written: list[str]) -> None:
    found = known_ids(written, ["p1", "p2", "p3", "p4"])
    assert len(found) == len(set(found))
    assert set(found) <= {"p1", "p2", "p3", "p4"}


# Scores


class Scored(BaseModel):
    id: str
    score: Score


class AllScored(BaseModel):
    rows: list[Scored]


@each("scores", [[1, 7], [0.9, 1, 2], [0, 1, 85], ["9", "1"], [1, 1.5]])
def test_scores_on_another_scale_are_refused_as_a_whole_and_never_by_halves(scores: list[object]) -> None:
    """A 1 among sevens is the least of ten, and no certainty."""
    rows = [{"id": f"p{number}", "score": score} for number, score in enumerate(scores)]
    with pytest.raises(Misfit, match="from 0 to 1"):
        read_answer(json.dumps({"rows": rows}), AllScored, partly=True)


def test_scores_that_name_their_scale_are_understood_and_what_is_none_is_left_out() -> None:
    written = ["9/10", "90 %", 0.9, "0.9", -0.5, "high", None, True]
    rows = [{"id": f"p{number}", "score": score} for number, score in enumerate(written)]
    read = read_answer(json.dumps({"rows": rows}), AllScored, partly=True)
    assert [row.score for row in read.answer.rows] == [0.9] * 4 + [None] * 4


# Asking


@each("model", [None, honest], ids=["no model", "nothing to ask about"])
def test_where_nothing_is_asked_there_is_no_answer(model: Callable[[Prompt], object] | None) -> None:
    run = session(model)
    assert asyncio.run(ask_about(run, {} if model else {"p1": 7}, listing, Remarks, lambda one: one.remarks)) is None
    assert run.state.events == ()


def test_an_answer_that_says_nothing_is_an_answer() -> None:
    run = session(lambda prompt: {"remarks": []})
    assert asyncio.run(ask_about(run, {"p1": 7}, listing, Remarks, lambda answer: answer.remarks)) == {}


def asked_of(
    endpoint: ScriptedModel, items: Mapping[str, int], prompt: Callable[[Mapping[str, int]], Prompt]
) -> tuple[Session, dict[int, Remark] | None]:
    """A run whose model is at `endpoint`, and what it says of `items`."""
    run = session(None)

    async def ask(model: Model) -> dict[int, Remark] | None:
        run.resources = Resources(model=model)
        return await ask_about(run, items, prompt, Remarks, lambda answer: answer.remarks)

    return run, use(Model(access(endpoint)), ask)


def test_what_is_too_much_to_read_at_once_is_asked_about_in_halves_and_nothing_is_said_of_it() -> None:
    """A context of 5,000 letters: of 16 items of 1,000 letters four are read together, and all are answered."""
    items = numbered(range(16), "p", "why?")

    def script(request: ModelRequest) -> says.ModelSays:
        if len(request.text) > 5_000:
            return says.overflow()
        return says.answer({"remarks": [{"id": line.strip(), "text": "read"} for line in request.text.split("|")]})

    def prompt(some: Mapping[str, int]) -> Prompt:
        return Prompt("remark", 1, "Remark on each.", "|".join(f"{name:<1000}" for name in some))

    with ScriptedModel(script) as endpoint:
        run, answers = asked_of(endpoint, items, prompt)
    assert answers is not None
    assert set(answers) == set(items.values())
    assert not any(isinstance(event, Warned) for event in run.state.events)
    assert endpoint.calls == 2 + 4, "16 and 8 were too much; another 8 is not even tried"


def test_what_is_too_much_alone_is_left_to_the_rule_and_that_is_said_once() -> None:
    def script(request: ModelRequest) -> says.ModelSays:
        return says.overflow()

    def prompt(some: Mapping[str, int]) -> Prompt:
        return Prompt("remark", 1, "Remark on each.", "|".join(f"{name:<9000}" for name in some))

    with ScriptedModel(script) as endpoint:
        run, answers = asked_of(endpoint, numbered(range(4), "p", "why?"), prompt)
    assert answers is None
    assert endpoint.calls == 3, "four, two, one"
    (told,) = (event.sentence for event in run.state.events if isinstance(event, Warned))
    assert "cannot read a prompt of this length" in told


# Reasoning


@given(ROWS, ITEMS, SIZES)
def test_every_item_gets_one_event_in_its_order_by_the_model_where_it_says_something(
    rows: list[Remark], items: list[int], size: int
) -> None:
    run = session(lambda prompt: {"remarks": [row.model_dump() for row in rows]})
    expected: list[object] = []
    for batch in in_batches(items, size):
        for name, item in numbered(batch, "p", "why?").items():
            usable = [row.text for row in rows if row.id == name and row.text]
            expected.append(("model", item, usable[0]) if usable else by_rule(item))
    assert done(run, items, size) == expected


@given(ITEMS, SIZES)
def test_a_model_that_fails_leaves_everything_to_the_rule(items: list[int], size: int) -> None:
    def fail(prompt: Prompt) -> object:
        raise ModelError("The model is down.")

    assert done(session(fail), items, size) == list(map(by_rule, items))


@given(ITEMS, SIZES)
def test_without_a_model_each_item_sees_what_was_posted_of_those_before(items: list[int], size: int) -> None:
    run = session(None)
    asyncio.run(reason(run, in_batches(items, size), by_model(run), lambda item: (item, len(run.said))))
    assert run.said == [(item, before) for before, item in enumerate(items)]


def test_all_batches_are_asked_at_once_and_each_is_posted_as_its_answer_comes() -> None:
    run = session(honest)
    waiting = {batch: asyncio.Event() for batch in (1, 3, 5)}

    async def slow(batch: Sequence[int]) -> dict[int, object]:
        await waiting[batch[0]].wait()
        return {item: ("model", item) for item in batch}

    async def go() -> list[list[object]]:
        reasoning = asyncio.create_task(reason(run, in_batches([1, 2, 3, 4, 5], 2), slow, by_rule))
        seen: list[list[object]] = []
        for first in (5, 1, 3):
            waiting[first].set()
            while len(run.said) == len(seen[-1] if seen else []):
                await asyncio.sleep(0)
            seen.append(run.said)
        await reasoning
        return seen

    fifth, first, third = asyncio.run(go())
    assert fifth == [("model", 5)]
    assert first == [*fifth, ("model", 1), ("model", 2)]
    assert third == [*first, ("model", 3), ("model", 4)]


@each("paused", [False, True])
def test_a_batch_that_waits_when_the_run_is_ended_gets_no_event(paused: bool) -> None:
    control = Control()
    run = session(honest, control)

    async def stuck(batch: Sequence[int]) -> dict[int, object] | None:
        if batch[0] == 1:
            return {1: ("model", 1)}
        if not paused:
            await asyncio.sleep(60.0)
        return await by_model(run)(batch)

    async def go() -> None:
        if paused:
            control.pause()
        reasoning = asyncio.create_task(reason(run, in_batches([1, 2, 3], 1), stuck, by_rule))
        while not run.said:
            await asyncio.sleep(0)
        control.stop()
        await reasoning

    asyncio.run(go())
    assert run.said == [("model", 1)]


def test_once_the_model_calls_are_used_up_the_rule_does_the_rest() -> None:
    run = session(honest)
    run.calls = 1
    [name] = numbered([1], "p", "why?")
    assert set(done(run, [1, 2, 3], 1)) == {("model", 1, f"on {name}"), ("rule", 2), ("rule", 3)}


@each(("told", "score"), [(0.9, 0.9), ("0.9", 0.9), ("0.9/1", 0.9), ("9/10", 0.9), ("90 %", 0.9), (1, 1.0), (0, 0.0)])
def test_scores_are_read_as_models_write_them(told: object, score: float) -> None:
    assert read_score(told) == score


@each("told", [7, -0.1, "7", "high", "", None, True, float("nan"), float("inf"), "NaN", "1/0", [1], {}])
def test_what_is_no_score_from_0_to_1_is_none(told: object) -> None:
    assert read_score(told) is None


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans()))
def test_no_score_is_ever_outside_of_0_to_1(told: object) -> None:
    score = read_score(told)
    assert score is None or 0 <= score <= 1
