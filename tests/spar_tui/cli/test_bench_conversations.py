"""`spar bench --converse` as a person or a script runs it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agents.assistant.planning import BEGINS
from agents.bench.conversing.report import NO_MODEL
from tests.agents.assistant.world import GOOD, planned, told
from tests.agents.bench.conversing import reefs
from tests.agents.bench.test_recommending import written
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui.in_process import answer, spar


@pytest.fixture
def libraries(tmp_path: Path) -> str:
    (tmp_path / "reefs").mkdir()
    return str(written(tmp_path / "reefs"))


def test_people_are_measured_by_conversations_and_single_requests(libraries: str, tmp_path: Path) -> None:
    command = ("bench", libraries, "--converse", "--queries", "2", "--seed", "4")
    told = answer(tmp_path, *command)
    assert (told["collection"], told["people"]) == ("reefs", 2)
    assert list(told["tasks"]) == ["dialog", "retrieval", "ranking"]
    assert told == answer(tmp_path, *command)


def test_questions_are_measured_by_single_requests(tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", str(reefs.write(tmp_path / "reefs")), "--converse", "--arms", "bm25")
    assert told["questions"] == 2
    assert {task: list(found["arms"]) for task, found in told["tasks"].items()} == {
        "retrieval": ["spar", "bm25"], "ranking": ["spar", "bm25"]
    }  # fmt: skip


def test_the_table_says_what_was_not_measured(libraries: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", libraries, "--converse", "--queries", "1")
    assert ran.returncode == 0
    assert ran.stdout.startswith("reefs · 1 person · half: all\n")
    assert ran.stdout.endswith(f"{NO_MODEL}\n")


def by_the_nearest(request: ModelRequest) -> object:
    """A plan by the demonstration that is nearest to the message, without runs of their own; else the newest."""
    shown = [one for one in told(request)["Examples"] if not any(step["tool"] in BEGINS for step in one["plan"])]
    if not shown:
        return planned(("rank", {"by": "newest"}), ("list", {}))
    steps = [(step["tool"], step["arguments"]) for step in shown[-1]["plan"]]
    return planned(*steps, onward=shown[-1]["onward"])


def the_next_by_the_nearest(request: ModelRequest) -> object:
    plan: Any = by_the_nearest(request)
    done = len(told(request).get("Plan", ()))
    return {**plan, "steps": plan["steps"][done : done + 1]}


def test_with_a_model_each_part_of_its_planning_is_left_out_in_turn(libraries: str, tmp_path: Path) -> None:
    scripts = {"assistant-plan": by_the_nearest, "assistant-step": the_next_by_the_nearest,
               "assistant-critic": lambda request: GOOD}  # fmt: skip
    with ScriptedModel(by_prompt(scripts)) as endpoint:
        found = answer(
            tmp_path, "bench", libraries, "--converse", "--model", "--queries", "1", "--arms",
            "spar-plan,spar-demonstrations,spar-reflection", more=endpoint.environment,
        )  # fmt: skip
        asked = Counter(request.name for request in endpoint.requests)
        shown = {bool(told(request)["Examples"]) for request in endpoint.asked("assistant-plan")}
    assert not endpoint.surprises
    assert found["model"] == "scripted-1"
    assert found["not_measured"] == []
    assert set(asked) == {"assistant-plan", "assistant-step", "assistant-critic"}
    assert shown == {True, False}
    for task in found["tasks"].values():
        arms = task["arms"]
        assert list(arms) == ["spar", "spar-plan", "spar-demonstrations", "spar-reflection"]
        assert all(arm["by_model"] == 1 for arm in arms.values())
        assert arms["spar-reflection"]["calls"] == 1, "the plan alone"
        assert arms["spar"]["calls"] < arms["spar-plan"]["calls"], "one for each step, and one to end"
        assert all(arm["tokens"] > 0 for arm in arms.values())
        assert arms["spar-plan"]["spar_against"]["calls"]["difference"] < 0


def test_with_the_setting_offline_no_model_elsewhere_plans(libraries: str, tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("offline = true\n")
    more = {"OPENAI_BASE_URL": "http://model.example/v1", "SPAR_MODEL": "m"}
    ran = spar(tmp_path, "bench", libraries, "--converse", "--model", more=more)
    assert ran.returncode == 2
    assert "model.example is not asked offline" in ran.stderr


def test_the_arms_without_a_part_need_a_model(libraries: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", libraries, "--converse", "--arms", "spar-plan")
    assert ran.returncode == 2
    assert "--arms 'spar-plan' cannot be measured here" in ran.stderr
    ran = spar(tmp_path, "bench", libraries, "--converse", "--model")
    assert ran.returncode == 2
    assert "there is no language model" in ran.stderr


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--converse", "--recommend"], "--recommend and --converse cannot be combined"),
        (["--converse", "--live"], "--converse and --live cannot be combined"),
        (["--converse", "--judge", "perfect"], "--converse and --judge cannot be combined"),
        (["--converse", "--history", "3"], "--history needs --recommend"),
        (["--converse", "--arms", "arag"], "--arms 'arag' cannot be measured here"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(
    libraries: str, tmp_path: Path, flags: list[str], complaint: str
) -> None:
    ran = spar(tmp_path, "bench", libraries, *flags)
    assert ran.returncode == 2
    assert complaint in ran.stderr


def test_a_folder_without_documents_is_named(tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", str(tmp_path), "--converse")
    assert ran.returncode == 2
    assert "is not a collection" in ran.stderr
