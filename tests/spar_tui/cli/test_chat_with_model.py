"""`spar chat` with a language model behind it, as a person runs it."""

import json
from pathlib import Path

import pytest

from agents.assistant.answering import BY_MODEL
from cache import shelf
from cache.store import Store
from tests.agents.assistant.world import LISTED, filled, planned, scripted, told
from tests.services.model import says
from tests.spar_tui.in_process import spar

QUESTION = "which of the latest papers on dense retrieval is the fastest?"
IN_WORDS = {**LISTED, "in_words": True}
FASTEST = {"sentences": [{"text": "P3 is the fastest with 17 ms.", "rests_on": ["P3"]}]}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "spar").mkdir()
    with Store.open(tmp_path / "spar" / "spar.db") as store:
        filled(store)
    return tmp_path


def test_what_the_model_says_stands_apart_and_names_papers_that_are_shown(home: Path) -> None:
    with scripted(IN_WORDS, answer=FASTEST) as endpoint:
        ran = spar(home, "chat", QUESTION, more=endpoint.environment)
    assert ran.returncode == 0
    assert endpoint.calls == 3
    words, _, papers = ran.stdout.partition(BY_MODEL)[2].partition("  1. ")
    assert words.strip() == "- “Study 7 of dense retrieval” is the fastest with 17 ms."
    assert "Study 7 of dense retrieval" in papers
    assert not ran.stderr


def test_no_model_asks_none(home: Path) -> None:
    with scripted(IN_WORDS) as endpoint:
        ran = spar(home, "chat", "--no-model", "papers on river ecology since 2015", more=endpoint.environment)
    assert endpoint.calls == 0
    assert "5 papers" in ran.stdout


def test_the_budget_holds_and_that_it_is_spent_is_said(home: Path) -> None:
    with scripted(IN_WORDS, answer=FASTEST) as endpoint:
        ran = spar(home, "chat", "--calls", "1", QUESTION, more=endpoint.environment)
    assert endpoint.calls == 1
    assert ran.returncode == 0
    assert BY_MODEL not in ran.stdout
    assert "Study 9 of dense retrieval" in ran.stdout
    assert "The rest is built-in reasoning." in ran.stderr


def test_a_model_that_fails_is_named_once_and_rules_answer(home: Path) -> None:
    with scripted(says.down()) as endpoint:
        ran = spar(home, "chat", "papers on river ecology since 2015", more=endpoint.environment)
    assert ran.returncode == 0
    assert "5 papers" in ran.stdout
    assert ran.stderr.count("Built-in reasoning took over.") == 1


def test_what_the_model_would_change_waits_for_the_persons_yes(home: Path) -> None:
    saves = planned(("take", {"papers": ["Study 3 of river ecology"]}), ("save", {"papers": ["@all"], "tags": ["x"]}))
    with scripted(saves) as endpoint:
        ran = spar(home, "chat", "save Study 3 of river ecology under x", more=endpoint.environment)
    assert "Shall I? (yes or no)" in ran.stdout
    with Store.open(home / "spar" / "spar.db") as store:
        assert len(shelf.rows(store)) == 2


def test_the_log_tells_who_planned_what_the_critic_found_and_what_was_noted(home: Path) -> None:
    missing = {"good": False, "faults": [{"fault": "missing_step", "tool": "rank"}]}
    alike = ("resemble", {"words": "dense retrieval"})
    with scripted(
        lambda request: (
            planned(alike, ("rank", {"by": "newest"}), ("list", {}))
            if "Faults" in told(request)
            else planned(alike, ("list", {}))
        ),
        lambda request: missing if len(told(request)["Plan"]["steps"]) == 2 else {"good": True},
    ) as endpoint:
        ran = spar(home, "chat", "--jsonl", "the latest that is like dense retrieval", more=endpoint.environment)
    kinds = [json.loads(line)["event"] for line in ran.stdout.splitlines()]
    assert kinds.count("TurnPlanned") == kinds.count("TurnCriticized") == 2
    runs = json.loads(spar(home, "history", "--json").stdout)["runs"]
    log = " ".join(spar(home, "log", runs[0]["run"]).stdout.split())
    assert "finds missing_step rank" in log
    assert "notes for this conversation: like “dense retrieval”" in log
