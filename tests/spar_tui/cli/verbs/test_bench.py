"""`spar bench` as a person or a script runs it."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui import running
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.overlap_model import SCRIPTS
from tests.spar_tui.running import PATIENCE, command, environment

ROW = {"question": "attention transformer sequence transduction", "answer": ["Attention Is All You Need"]}


@pytest.fixture
def questions(tmp_path: Path) -> str:
    """Offline the resources are this machine's: its library and the starter shelf, which holds the famous papers."""
    (tmp_path / "questions.jsonl").write_text(json.dumps(ROW) + "\n")
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("offline = true\n")
    return str(tmp_path / "questions.jsonl")


def test_questions_with_known_titles_are_put_to_the_sources(questions: str, tmp_path: Path) -> None:
    result = answer(tmp_path, "bench", questions)
    assert (result["collection"], result["queries"]) == ("questions", 1)
    assert result["raw_recall"] == result["recall@5"] == 1
    assert (result["asked"] > 0, result["calls"]) == (True, 0)


def test_several_files_are_one_object_too(questions: str, tmp_path: Path) -> None:
    other = tmp_path / "others.jsonl"
    other.write_text(json.dumps(ROW) + "\n")
    result = answer(tmp_path, "bench", questions, str(other))
    assert [one["collection"] for one in result["collections"]] == ["questions", "others"]


def test_only_so_many_questions_are_drawn_by_the_seed(questions: str, tmp_path: Path) -> None:
    Path(questions).write_text((json.dumps(ROW) + "\n") * 5)
    assert answer(tmp_path, "bench", questions, "--queries", "2")["queries"] == 2


def test_in_a_pipe_the_figures_are_plain_and_alone(questions: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", questions)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("questions · 1 question · fast\n")
    assert "raw_recall" in ran.stdout


def test_with_a_model_it_judges_the_papers(questions: str, tmp_path: Path) -> None:
    with ScriptedModel(by_prompt(SCRIPTS)) as model:
        result = answer(tmp_path, "bench", questions, "--model", more=model.environment)
    assert result["calls"] > 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "file of questions"),
        (["nowhere"], "nowhere"),
        (["{}", "--queries", "0"], "--queries 0"),
        (["{}", "--limit", "0"], "--limit 0"),
        (["{}", "--limit", "many"], "--limit"),
        (["{}", "--model"], "there is no language model"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    arguments: list[str], named: str, questions: str, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "bench", *(argument.format(questions) for argument in arguments))
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert named in ran.stderr


def test_a_broken_line_is_named_by_file_and_number(questions: str, tmp_path: Path) -> None:
    Path(questions).write_text(json.dumps(ROW) + "\nno json\n")
    ran = spar(tmp_path, "bench", questions)
    assert ran.returncode == 2
    assert "questions.jsonl, line 2" in ran.stderr


def test_without_a_known_paper_there_is_nothing_to_measure(questions: str, tmp_path: Path) -> None:
    Path(questions).write_text('{"question": "coral"}\n')
    ran = spar(tmp_path, "bench", questions)
    assert ran.returncode == 2
    assert "nothing to measure" in ran.stderr


def test_without_its_libraries_it_says_how_to_get_them(questions: str, tmp_path: Path) -> None:
    noted = tmp_path / "ir_measures-0.0.1.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: ir-measures\nVersion: 0.0.1\n")
    ran = running.spar(tmp_path, "bench", questions, more={"PYTHONPATH": str(tmp_path)})
    assert ran.returncode == 1
    assert f"install it with: {shlex.quote(sys.executable)} -m pip install 'ir-measures>=" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interruption_prints_what_is_finished(questions: str, tmp_path: Path) -> None:
    Path(questions).write_text((json.dumps(ROW) + "\n") * 1_000)
    code, result, beside = _interrupted(tmp_path, questions)
    assert code == 130
    assert 0 < result["queries"] < 1_000
    assert f"{result['queries']} of 1,000 questions" in beside


def _interrupted(home: Path, file: str) -> tuple[int, dict[str, Any], str]:
    """The exit code, the answer and what was said of measuring a collection until it told of a finished question."""
    reader, writer = pty.openpty()
    ran = subprocess.Popen(
        command("bench", file, "--json"),
        env=environment(home, {"TERM": "xterm-256color"}),
        stdout=subprocess.PIPE,
        stderr=writer,
        text=True,
        cwd=Path(__file__).parents[4],
    )
    os.close(writer)
    beside = b""
    with suppress(OSError):  # how a pseudo-terminal says that the other side is closed
        while not re.search(rb"questions [1-9]", beside):
            beside += os.read(reader, 4_096)
        ran.send_signal(signal.SIGINT)
        while True:
            beside += os.read(reader, 4_096)
    os.close(reader)
    said, _ = ran.communicate(timeout=PATIENCE)
    return ran.returncode, json.loads(said), beside.decode()
