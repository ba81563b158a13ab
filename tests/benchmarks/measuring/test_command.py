"""`python -m tests.benchmarks.measuring` as a developer runs it."""

import json
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.agents.summary.world import SUMMING
from tests.benchmarks.measuring import tiny
from tests.benchmarks.measuring.__main__ import main
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt
from tests.spar_tui.in_process import printed


def measured(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    return printed(main, home, ["measuring", *arguments], more)


def answer(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Any:
    ran = measured(home, *arguments, "--json", more=more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def collection(tmp_path: Path) -> str:
    return str(tiny.write(tmp_path / "reefs"))


def test_one_collection_is_one_object_by_the_contract(collection: str, tmp_path: Path) -> None:
    told = answer(tmp_path, collection, "--arms", "bm25", "spar")
    assert (told["collection"], told["queries"]) == ("reefs", 1)
    assert list(told["arms"]) == ["bm25", "spar"]
    assert told["arms"]["bm25"]["recall@10"] == pytest.approx(2 / 3, abs=1e-6)


def test_several_collections_are_one_object_too(collection: str, tmp_path: Path) -> None:
    other = str(tiny.write(tmp_path / "atolls"))
    told = answer(tmp_path, collection, other, "--arms", "bm25")
    assert [one["collection"] for one in told["collections"]] == ["reefs", "atolls"]


def test_the_same_command_says_the_same_again(collection: str, tmp_path: Path) -> None:
    def told() -> object:
        found = answer(tmp_path, collection, "--judge", "noisy:0.3", "--seed", "5")
        for arm in found["arms"].values():
            del arm["seconds"]
        return found

    assert told() == told()


def test_in_a_pipe_the_table_is_plain_and_alone(collection: str, tmp_path: Path) -> None:
    ran = measured(tmp_path, collection)
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "\x1b" not in ran.stdout
    assert ran.stdout.startswith("reefs · 1 question")


def test_a_perfect_judge_keeps_only_what_is_relevant(collection: str, tmp_path: Path) -> None:
    told = answer(tmp_path, collection, "--arms", "spar", "--judge", "perfect")
    assert told["judge"] == "perfect"
    assert told["arms"]["spar"]["kept_precision"] == 1


def test_a_broken_line_is_named_by_file_and_number(collection: str, tmp_path: Path) -> None:
    (Path(collection) / "qrels.tsv").write_text("coral\td01\t1\ncoral\td02\n")
    ran = measured(tmp_path, collection)
    assert ran.returncode == 2
    assert "qrels.tsv, line 2" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_without_a_known_answer_there_is_nothing_to_measure(tmp_path: Path) -> None:
    ran = measured(tmp_path, str(tiny.write(tmp_path / "reefs", labels=())))
    assert ran.returncode == 2
    assert "nothing to measure" in ran.stderr


def test_a_model_writes_and_judges_the_summaries(tmp_path: Path) -> None:
    rubrics = [{"id": "coral", "criteria": [{"text": "It names coral."}, {"text": "It names lobsters."}]}]
    folder = str(tiny.write(tmp_path / "reefs", rubrics=rubrics))

    def holding(request: ModelRequest) -> object:
        asked = json.loads(request.text.partition("Claims:\n")[2])
        return {"claims": [{"id": one["id"], "holds": "lobsters" not in one["claim"]} for one in asked]}

    with ScriptedModel(by_prompt({**SUMMING, "entailed": holding, "met": holding})) as model:
        options = ("--summary", "--depth", "0", "--model", "--judge", "model")
        told = answer(tmp_path, folder, *options, more=model.environment)
        assert model.surprises == []
    tree = told["arms"]["tree"]
    assert told["judge"] == "a model"
    assert tree["calls"] == 3  # one that judges the papers, one that writes, and one that judges what it wrote
    assert tree["citation_recall"] == tree["citation_precision"] == 1
    assert tree["rubric_coverage"] == told["arms"]["bm25"]["rubric_coverage"] == 0.5


@pytest.mark.parametrize("options", [("--judge", "model"), ("--model",)])
def test_without_a_model_none_judges_or_writes(collection: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    ran = measured(tmp_path, collection, "--summary", *options)
    assert ran.returncode == 2
    assert "spar doctor" in ran.stderr


@pytest.mark.parametrize("options", [("--judge", "model"), ("--model",)])
def test_with_the_setting_offline_no_model_elsewhere_judges_or_writes(
    collection: str, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("offline = true\n")
    more = {"OPENAI_BASE_URL": "http://model.example/v1", "SPAR_MODEL": "m"}
    ran = measured(tmp_path, collection, "--summary", *options, more=more)
    assert ran.returncode == 2
    assert "model.example is not asked offline" in ran.stderr


def test_questions_without_documents_are_put_to_others(collection: str, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.mkdir()
    (asked / "queries.jsonl").write_text('{"id": "q", "text": "coral"}\n')
    (asked / "aspects.jsonl").write_text('{"id": "q", "aspects": [{"text": "coral"}, {"text": "whales"}]}\n')
    told = answer(tmp_path, str(asked), "--summary", "--depth", "0", "--documents", collection)
    assert told["collection"] == "asked among reefs"
    assert told["arms"]["tree"]["aspect_coverage"] == 0.5
    assert "recall" not in told["arms"]["tree"]


def test_summaries_are_measured_on_a_collection(collection: str, tmp_path: Path) -> None:
    result = answer(tmp_path, collection, "--summary", "--depth", "1")
    assert list(result["arms"]) == ["tree", "bm25", "spar"]
    assert result["arms"]["tree"]["quotes_verbatim"] == 1
    assert measured(tmp_path, collection, "--summary").stdout.startswith("reefs · 1 question ")
