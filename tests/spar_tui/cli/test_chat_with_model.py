"""`spar chat` with a language model behind it, as a person runs it."""

import json
import re
import signal
import threading
from pathlib import Path

import pytest

from agents.assistant.answering import BY_MODEL
from cache import shelf
from cache.store import Store
from spar_tui.conversation_phrases import DRAFT
from tests.agents.assistant.world import LISTED, filled, planned, scripted, told
from tests.library import copied
from tests.services.model import says
from tests.services.model.server import ScriptedModel
from tests.spar_tui.in_process import spar
from tests.spar_tui.tui.real_terminal import Terminal, opened

QUESTION = "which of the latest papers on dense retrieval is the fastest?"
IN_WORDS = {**LISTED, "in_words": True}
FASTEST = {"sentences": [{"text": "P3 is the fastest with 17 ms.", "rests_on": ["P3"]}]}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "spar").mkdir()
    with Store.open(copied(tmp_path / "spar" / "spar.db")) as store:
        filled(store)
    return tmp_path


def test_what_the_model_says_stands_apart_and_names_papers_that_are_shown(home: Path) -> None:
    with scripted(IN_WORDS, answer=FASTEST) as endpoint:
        ran = spar(home, "chat", QUESTION, more=endpoint.environment)
    assert ran.returncode == 0
    assert endpoint.calls == 2
    words, _, papers = ran.stdout.partition(BY_MODEL)[2].partition("  1. ")
    assert words.strip() == "- [3] is the fastest with 17 ms."
    assert "Study 7 of dense retrieval" in papers
    assert not ran.stderr


def held_back(said: object, drip: float = 0.0) -> tuple[ScriptedModel, threading.Event]:
    """A model that sends the second half of its answer when the event is set."""
    go_on = threading.Event()
    return scripted(IN_WORDS, answer=says.held_back(said, go_on, drip)), go_on


def shown_in(terminal: Terminal) -> str:
    """What of all that was written stands on the terminal: lines that were taken away do not."""
    text = terminal.output.decode().replace("\r\n", "\n")
    lines = [""]
    for part in re.split(r"(\n|\x1b\[\d+A\r\x1b\[J)", text):
        if up := re.fullmatch(r"\x1b\[(\d+)A\r\x1b\[J", part):
            lines = [*lines[: len(lines) - 1 - int(up[1])], ""]
        elif part == "\n":
            lines.append("")
        else:
            lines[-1] += re.sub(r"\x1b\[[?\d;]*[a-z]", "", part)
    return "\n".join(lines)


def test_on_a_terminal_words_are_seen_while_they_are_written_and_the_checked_answer_takes_their_place(
    home: Path,
) -> None:
    model, go_on = held_back(FASTEST)
    with model as endpoint, opened(home, ["chat", QUESTION], endpoint.environment, size=(100, 30)) as terminal:
        terminal.until(b"is the")
        seen = shown_in(terminal)
        assert DRAFT in seen
        assert BY_MODEL not in seen
        go_on.set()
        assert terminal.ended() == 0
    told = shown_in(terminal)
    assert DRAFT not in told
    assert told.count("is the fastest with 17 ms.") == 1
    assert BY_MODEL in told
    assert "taken" not in told


def test_a_sentence_that_was_seen_and_does_not_hold_is_gone_which_is_said(home: Path) -> None:
    false = {"sentences": [{"text": "P1 is faster than all of the others with its 17 ms.", "rests_on": ["P1"]}]}
    model, go_on = held_back(false)
    with model as endpoint, opened(home, ["chat", QUESTION], endpoint.environment, size=(100, 30)) as terminal:
        terminal.until(b"is faster than")
        go_on.set()
        assert terminal.ended() == 0
    told = shown_in(terminal)
    assert "is faster than" not in told
    assert "Left out 1 sentence of the draft that you saw" in told


def test_ctrl_c_while_it_is_written_takes_the_draft_away_and_the_turn_can_be_answered_later(home: Path) -> None:
    model, go_on = held_back(FASTEST)
    with model as endpoint, opened(home, ["chat", QUESTION], endpoint.environment, size=(100, 30)) as terminal:
        terminal.until(b"is the")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.ended() == 130
        told = shown_in(terminal)
        assert DRAFT not in told
        assert "is the" not in told
        assert "--resume" in told
        go_on.set()
    with scripted(IN_WORDS, answer=FASTEST) as endpoint:
        ran = spar(home, "chat", "--resume", "last", "--jsonl", QUESTION, more=endpoint.environment)
    kinds = [json.loads(line)["event"] for line in ran.stdout.splitlines()]
    assert kinds.count("TurnAnswered") == 1
    assert kinds.count("ConversationFinished") >= 1


def test_what_is_not_checked_goes_into_no_pipe(home: Path) -> None:
    with scripted(IN_WORDS, answer=FASTEST) as endpoint:
        lines = spar(home, "chat", "--jsonl", QUESTION, more=endpoint.environment)
        words = spar(home, "chat", QUESTION, more=endpoint.environment)
    assert "AnswerDrafted" not in lines.stdout
    assert [json.loads(line)["event"] for line in lines.stdout.splitlines()].count("TurnAnswered") == 1
    assert DRAFT not in words.stdout + words.stderr
    assert not words.stderr


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
    assert "spar does the rest without it." in ran.stderr


def test_a_model_that_fails_is_named_once_and_rules_answer(home: Path) -> None:
    with scripted(says.down()) as endpoint:
        ran = spar(home, "chat", "papers on river ecology since 2015", more=endpoint.environment)
    assert ran.returncode == 0
    assert "5 papers" in ran.stdout
    assert ran.stderr.count("Built-in rules took over.") == 1


def test_what_the_model_would_change_waits_for_the_persons_yes(home: Path) -> None:
    saves = planned(("take", {"papers": ["Study 3 of river ecology"]}), ("save", {"papers": ["@all"], "tags": ["x"]}))
    with scripted(saves) as endpoint:
        ran = spar(home, "chat", "save Study 3 of river ecology under x", more=endpoint.environment)
    assert "Shall I? (yes or no)" in ran.stdout
    with Store.open(home / "spar" / "spar.db") as store:
        assert len(shelf.rows(store)) == 2


def test_the_log_tells_who_planned_what_the_critic_found_and_what_was_noted(home: Path) -> None:
    missing = {"good": False, "faults": [{"fault": "missing_step", "tool": "rank"}]}
    alike, nothing = ("resemble", {"words": "dense retrieval"}), ("filter", {"words": ["astrology"]})
    with scripted(
        lambda request: (
            planned(alike, ("rank", {"by": "newest"}), ("list", {}))
            if "Faults" in told(request)
            else planned(alike, nothing, ("list", {}))
        ),
        missing,
    ) as endpoint:
        ran = spar(home, "chat", "--jsonl", "the latest that is like dense retrieval", more=endpoint.environment)
    kinds = [json.loads(line)["event"] for line in ran.stdout.splitlines()]
    assert (kinds.count("TurnPlanned"), kinds.count("TurnCriticized")) == (2, 1)
    runs = json.loads(spar(home, "history", "--json").stdout)["runs"]
    log = " ".join(spar(home, "log", runs[0]["run"]).stdout.split())
    assert "finds missing_step rank" in log
    assert "notes for this conversation: like “dense retrieval”" in log
