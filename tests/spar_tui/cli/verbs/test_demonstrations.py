"""`spar bench` lists what planners are shown, lets the model write more, and writes pairs to train on."""

import json
import os
import pty
import subprocess
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
from tests.spar_tui.running import PATIENCE, environment, forked


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
        (["demonstrations", "--calls", "3"], "--calls needs --generate"),
        (["demonstrations", "--generate", "3"], "needs a language model"),
        (["export-training", "--yes"], "--yes needs --own"),
        (["export-training", "--own"], "no terminal to ask"),
        (["export-training", "-o", "nowhere/pairs.jsonl"], "is not a folder"),
    ],
)
def test_wrong_usage_is_said(home: Path, arguments: list[str], why: str) -> None:
    ran = spar(home, "bench", *arguments)
    assert ran.returncode == 2
    assert why in " ".join(ran.stderr.split())


def test_pairs_are_written_as_json_lines(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    ran = spar(home, "bench", "export-training", "-o", str(out))
    assert ran.returncode == 0, ran.stderr
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) >= 60
    assert all(set(row) == {"instructions", "plan"} for row in rows)
    assert ran.stderr == f"spar: {len(rows)} pairs, from {len(rows)} demonstrations.\n"
    assert [json.loads(line) for line in spar(home, "bench", "export-training").stdout.splitlines()] == rows
    assert "papers on dense retrieval since 2017" not in out.read_text("utf-8")


def test_own_conversations_come_in_with_a_yes(home: Path) -> None:
    without = spar(home, "bench", "export-training").stdout.splitlines()
    ran = spar(home, "bench", "export-training", "--own", "--yes")
    added = ran.stdout.splitlines()[len(without) :]
    assert len(added) == 1
    assert "papers on dense retrieval since 2017" in json.loads(added[0])["instructions"]
    assert "1 turn of your conversations" in ran.stderr


@pytest.mark.parametrize(("said", "own"), [("yes\n", True), ("no\n", False), ("\n", False)])
def test_on_a_terminal_the_person_is_told_what_is_in_it_and_asked(home: Path, said: str, own: bool) -> None:
    out = home / "pairs.jsonl"
    shown = on_a_terminal(home, said, "bench", "export-training", "--own", "-o", str(out))
    assert "your messages in these conversations" in " ".join(shown.split())
    assert "no texts of papers" in " ".join(shown.split())
    assert out.exists() == own


def on_a_terminal(home: Path, said: str, *arguments: str) -> str:
    """What `spar` asks on a terminal where a person then types `said`."""
    person, terminal = pty.openpty()
    process = subprocess.Popen(
        forked(*arguments), stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, env=environment(home),
        cwd=Path(__file__).parents[5],
    )  # fmt: skip
    os.close(terminal)
    asked = b""
    while b"Type yes" not in asked:
        asked += os.read(person, 1_000)
    os.write(person, said.encode())
    process.communicate(timeout=PATIENCE)
    os.close(person)
    assert process.returncode == 0
    return asked.decode()
