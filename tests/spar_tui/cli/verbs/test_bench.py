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

from tests.agents.bench import tiny
from tests.agents.summary.world import SUMMING
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui import running
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import PATIENCE, environment, forked


@pytest.fixture
def collection(tmp_path: Path) -> str:
    return str(tiny.write(tmp_path / "reefs"))


def test_one_collection_is_one_object_by_the_contract(collection: str, tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", collection, "--arms", "bm25,spar")
    assert (told["collection"], told["queries"]) == ("reefs", 1)
    assert list(told["arms"]) == ["bm25", "spar"]
    assert told["arms"]["bm25"]["recall@10"] == pytest.approx(2 / 3, abs=1e-6)


def test_several_collections_are_one_object_too(collection: str, tmp_path: Path) -> None:
    other = str(tiny.write(tmp_path / "atolls"))
    told = answer(tmp_path, "bench", collection, other, "--arms", "bm25")
    assert [one["collection"] for one in told["collections"]] == ["reefs", "atolls"]


def test_the_same_command_says_the_same_again(collection: str, tmp_path: Path) -> None:
    def told() -> object:
        found = answer(tmp_path, "bench", collection, "--judge", "noisy:0.3", "--seed", "5")
        for arm in found["arms"].values():
            del arm["seconds"]
        return found

    assert told() == told()


def test_in_a_pipe_the_table_is_plain_and_alone(collection: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", collection)
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    assert ran.stdout.startswith("reefs · 1 question")


def test_a_perfect_judge_keeps_only_what_is_relevant(collection: str, tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", collection, "--arms", "spar", "--judge", "perfect")
    assert told["judge"] == "perfect"
    assert told["arms"]["spar"]["kept_precision"] == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "the folder of a collection"),
        (["nowhere"], "nowhere"),
        (["{}", "--arms", "magic"], "magic"),
        (["{}", "--arms", "spar-magic"], "spar-magic"),
        (["{}", "--judge", "good"], "good"),
        (["{}", "--judge", "noisy:2"], "noisy:2"),
        (["{}", "--judge", "noisy"], "noisy"),
        (["{}", "--half", "third"], "third"),
        (["{}", "--queries", "0"], "--queries must be 1 or more"),
        (["{}", "--limit", "0"], "--limit must be from 1 to 1000"),
        (["{}", "--limit", "many"], "--limit"),
        (["{}", "--fast", "--deep"], "--deep"),
        (["{}", "--live"], "gold.jsonl"),
        (["{}", "--live", "--arms", "bm25"], "bm25"),
        (["{}", "--judge", "model"], "--judge 'model'"),
        (["{}", "--summary", "--judge", "perfect"], "--judge"),
        (["{}", "--model"], "--summary"),
        (["{}", "--summary", "--documents", "nowhere"], "nowhere"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    arguments: list[str], named: str, collection: str, tmp_path: Path
) -> None:
    ran = spar(tmp_path, "bench", *(one.format(collection) for one in arguments))
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert named in ran.stderr


def test_a_broken_line_is_named_by_file_and_number(collection: str, tmp_path: Path) -> None:
    (Path(collection) / "qrels.tsv").write_text("coral\td01\t1\ncoral\td02\n")
    ran = spar(tmp_path, "bench", collection)
    assert ran.returncode == 2
    assert "qrels.tsv, line 2" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_without_a_known_answer_there_is_nothing_to_measure(tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", str(tiny.write(tmp_path / "reefs", labels=())))
    assert ran.returncode == 2
    assert "nothing to measure" in ran.stderr


def test_without_its_libraries_it_says_how_to_get_them(collection: str, tmp_path: Path) -> None:
    noted = tmp_path / "ir_measures-0.0.1.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: ir-measures\nVersion: 0.0.1\n")
    ran = running.spar(tmp_path, "bench", collection, more={"PYTHONPATH": str(tmp_path)})
    assert ran.returncode == 1
    assert f"install it with: {shlex.quote(sys.executable)} -m pip install 'ir-measures>=" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_questions_with_known_titles_are_put_to_the_sources(tmp_path: Path) -> None:
    """Offline the resources are this machine's: its library and the starter shelf, which holds the famous papers."""
    row = {"question": "attention transformer sequence transduction", "answer": ["Attention Is All You Need"]}
    (tmp_path / "questions.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("offline = true\n")
    told = answer(tmp_path, "bench", "--live", str(tmp_path / "questions.jsonl"), "--arms", "spar")
    assert told["arms"]["spar"]["raw_recall"] == 1
    assert "vs_bm25" not in told["arms"]["spar"]


def test_a_model_writes_and_judges_the_summaries(tmp_path: Path) -> None:
    rubrics = [{"id": "coral", "criteria": [{"text": "It names coral."}, {"text": "It names lobsters."}]}]
    folder = str(tiny.write(tmp_path / "reefs", rubrics=rubrics))

    def holding(request: ModelRequest) -> object:
        asked = json.loads(request.text.partition("Claims:\n")[2])
        return {"claims": [{"id": one["id"], "holds": "lobsters" not in one["claim"]} for one in asked]}

    with ScriptedModel(by_prompt({**SUMMING, "entailed": holding, "met": holding})) as model:
        options = ("--summary", "--depth", "0", "--model", "--judge", "model")
        told = answer(tmp_path, "bench", folder, *options, more=model.environment)
        assert model.surprises == []
    tree = told["arms"]["tree"]
    assert told["judge"] == "a model"
    assert tree["calls"] == 3  # one that judges the papers, one that writes, and one that judges what it wrote
    assert tree["citation_recall"] == tree["citation_precision"] == 1
    assert tree["rubric_coverage"] == told["arms"]["bm25"]["rubric_coverage"] == 0.5


@pytest.mark.parametrize("options", [("--judge", "model"), ("--model",)])
def test_without_a_model_none_judges_or_writes(collection: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    ran = spar(tmp_path, "bench", collection, "--summary", *options)
    assert ran.returncode == 2
    assert "spar doctor" in ran.stderr


@pytest.mark.parametrize("options", [("--judge", "model"), ("--model",)])
def test_with_the_setting_offline_no_model_elsewhere_judges_or_writes(
    collection: str, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("offline = true\n")
    more = {"OPENAI_BASE_URL": "http://model.example/v1", "SPAR_MODEL": "m"}
    ran = spar(tmp_path, "bench", collection, "--summary", *options, more=more)
    assert ran.returncode == 2
    assert "model.example is not asked offline" in ran.stderr


def test_questions_without_documents_are_put_to_others(collection: str, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.mkdir()
    (asked / "queries.jsonl").write_text('{"id": "q", "text": "coral"}\n')
    (asked / "aspects.jsonl").write_text('{"id": "q", "aspects": [{"text": "coral"}, {"text": "whales"}]}\n')
    told = answer(tmp_path, "bench", str(asked), "--summary", "--depth", "0", "--documents", collection)
    assert told["collection"] == "asked among reefs"
    assert told["arms"]["tree"]["aspect_coverage"] == 0.5
    assert "recall" not in told["arms"]["tree"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interruption_prints_what_is_finished(tmp_path: Path) -> None:
    questions = [{"id": f"q{number}", "text": "coral"} for number in range(30_000)]
    labels = tuple(f"q{number}\td02\t1" for number in range(30_000))
    folder = str(tiny.write(tmp_path / "reefs", labels=labels, queries=questions))
    code, told, beside = _interrupted(tmp_path, folder)
    assert code == 130
    assert 0 < told["queries"] < 30_000
    assert f"{told['queries']} of 30000 questions" in beside


def _interrupted(home: Path, folder: str) -> tuple[int, dict[str, Any], str]:
    """The exit code, the answer and what was said of measuring a collection until it told of a finished question."""
    reader, writer = pty.openpty()
    ran = subprocess.Popen(
        forked("bench", folder, "--arms", "bm25", "--json"),
        env=environment(home, {"TERM": "xterm-256color"}),
        stdout=subprocess.PIPE,
        stderr=writer,
        text=True,
        cwd=Path(__file__).parents[4],
    )
    os.close(writer)
    beside = b""
    with suppress(OSError):  # how a pseudo-terminal says that the other side is closed
        while not re.search(rb"reefs [1-9]", beside):
            beside += os.read(reader, 4_096)
        ran.send_signal(signal.SIGINT)
        while True:
            beside += os.read(reader, 4_096)
    os.close(reader)
    said, _ = ran.communicate(timeout=PATIENCE)
    return ran.returncode, json.loads(said), beside.decode()
