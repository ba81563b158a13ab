"""`spar bench` lists what planners are shown, and lets the model write more."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.assistant.kind import CONVERSATION
from cache import runs
from cache.store import Store
from tests.agents.assistant.world import Talk, filled, planned, told
from tests.library import copied
from tests.services.model import says
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui.in_process import answer, spar


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Of a person who has talked once."""
    (tmp_path / "spar").mkdir()
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        talk = Talk(filled(store)).say("papers on dense retrieval since 2017")
        run = runs.start(store, CONVERSATION.name, talk.turn.message)
        runs.extend(store, run, [runs.Post(*CONVERSATION.codec.encode(event)) for event in talk.events])
        runs.finish(store, run, "finished")
    return tmp_path


def write(request: ModelRequest) -> object:
    return {"intents": [{"text": f"papers on {what}"} for what in ("moss", "lichen", "fern", "algae", "fungi")]}


def plan(request: ModelRequest) -> object:
    return planned(("filter", {"words": [told(request)["Message"].rpartition(" ")[2]]}), ("list", {}))


def model(**more: Any) -> ScriptedModel:
    return ScriptedModel(by_prompt({"assistant-intents": write, "assistant-plan": plan, **more}))


def test_all_demonstrations_are_listed_with_their_plans(home: Path) -> None:
    told_there = spar(home, "bench", "demonstrations")
    assert (
        'read me the abstract of the second one\n    paper {"paper": "@2", "parts": ["abstract"]}\n'
        in told_there.stdout
    )
    rows = answer(home, "bench", "demonstrations")["demonstrations"]
    assert len(rows) >= 60
    assert f"{len(rows)} that come with spar, 0 of yours" in told_there.stderr
    assert set(rows[0]) == {"intent", "onward", "plan", "own"}


def test_what_the_model_writes_is_kept_as_the_persons_own_and_shown_from_then_on(home: Path) -> None:
    with model() as endpoint:
        ran = spar(home, "bench", "demonstrations", "--generate", "5", more=endpoint.environment)
    assert ran.returncode == 0, ran.stderr
    file = home / "spar" / "demonstrations.jsonl"
    assert "kept 5 of 5 requests that the model wrote" in " ".join(ran.stderr.split())
    assert [json.loads(line)["intent"] for line in file.read_text().splitlines()][:2] == [
        "papers on moss",
        "papers on lichen",
    ]
    found = answer(home, "bench", "demonstrations")
    assert [row["intent"] for row in found["demonstrations"] if row["own"]][:1] == ["papers on moss"]
    assert found["file"] == str(file)


def test_what_was_made_before_the_budget_was_spent_is_kept(home: Path) -> None:
    with model() as endpoint:
        arguments = ("bench", "demonstrations", "--generate", "5", "--calls", "3")
        ran = spar(home, *arguments, more=endpoint.environment)
    assert endpoint.calls == 3
    assert ran.returncode == 0
    assert "kept 2 of 2 requests" in " ".join(ran.stderr.split())
    assert "3 model calls" in ran.stderr


def test_a_model_that_fails_is_named_and_leaves_nothing(home: Path) -> None:
    with model(**{"assistant-intents": lambda request: says.down()}) as endpoint:
        ran = spar(home, "bench", "demonstrations", "--generate", "2", more=endpoint.environment)
    assert ran.returncode == 1
    assert not (home / "spar" / "demonstrations.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["demonstrations", "--generate", "0"], "--generate must be from 1 to 200"),
        (["demonstrations", "--calls", "3"], "need --generate"),
        (["demonstrations", "--generate", "3"], "needs a language model"),
    ],
)
def test_wrong_usage_is_said(home: Path, arguments: list[str], why: str) -> None:
    ran = spar(home, "bench", *arguments)
    assert ran.returncode == 2
    assert why in " ".join(ran.stderr.split())
