"""What a person gets who has named a folder with a model: meanings compared on their machine, and it is said."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.agents.meaning.models import has_weights, minilm, runs_models, words
from tests.spar_tui.in_process import answer, spar

SEARCH = ("search", "how machines learn to translate", "--offline")
ALONE = "Papers were compared by words and links alone."


def semantic(home: Path, folder: Path | str) -> dict[str, Any]:
    """What doctor finds of the extra."""
    ran = spar(home, "doctor", "--offline", "--json", more={"SPAR_SEMANTIC_FOLDER": str(folder)})
    found = [one for one in json.loads(ran.stdout)["findings"] if one["subject"] == "semantic"]
    assert len(found) == 1
    return dict(found[0])


@has_weights
def test_a_search_says_who_compared_how_many_papers_and_its_log_does_too(tmp_path: Path) -> None:
    folder = minilm(tmp_path / "minilm")
    ran = spar(tmp_path, *SEARCH, "--jsonl", more={"SPAR_SEMANTIC_FOLDER": str(folder)})
    events = [json.loads(line) for line in ran.stdout.splitlines()]
    compared = [one["compared"] for one in events if one["event"] == "PapersAssessed"][-1]
    found = {one["work"] for one in events if one["event"] == "PaperFound"}
    assert 10 < compared <= min(100, len(found))
    told = f"{compared} papers compared with the question by meaning, by the model in {folder}"
    assert told in ran.stderr
    assert told in spar(tmp_path, "log", "last").stdout.replace("\\", "")


def test_without_a_folder_nothing_is_said_of_meanings(tmp_path: Path) -> None:
    ran = spar(tmp_path, *SEARCH)
    assert "meaning" not in ran.stderr
    told = json.loads(spar(tmp_path, "log", "last", "--json").stdout)
    assert told["compared"] == {"papers": 0, "by": None}


def test_a_folder_that_holds_nothing_costs_a_sentence_and_no_paper(tmp_path: Path) -> None:
    plain = spar(tmp_path / "one", *SEARCH)
    ran = spar(tmp_path / "other", *SEARCH, more={"SPAR_SEMANTIC_FOLDER": str(tmp_path / "nowhere")})
    assert ran.returncode == 0
    assert ran.stdout == plain.stdout
    missing = tmp_path / "nowhere" / "model.onnx"
    assert f"spar: {missing} cannot be read (No such file or directory). {ALONE}" in ran.stderr
    assert "by meaning" not in ran.stderr


@has_weights
def test_doctor_names_folder_dimensions_and_hash(tmp_path: Path) -> None:
    folder = minilm(tmp_path / "minilm")
    found = semantic(tmp_path, folder)
    digest = sha256((folder / "model.onnx").read_bytes()).hexdigest()
    assert found["state"] == "ok"
    assert found["sentence"] == (
        f"{folder} makes vectors of 384 numbers out of the first 128 tokens; model.onnx has sha256 {digest}."
    )


@runs_models
def test_doctor_says_which_file_is_missing_and_what_to_do(tmp_path: Path) -> None:
    found = semantic(tmp_path, words(tmp_path / "half"))
    assert found["state"] == "problem"
    assert found["sentence"].startswith(f"{tmp_path / 'half' / 'model.onnx'} cannot be read (")
    assert "Set semantic_folder to another folder: it needs model.onnx and tokenizer.json" in found["sentence"]


def test_doctor_says_without_a_folder_what_that_means(tmp_path: Path) -> None:
    found = semantic(tmp_path, "")
    assert found["state"] == "note"
    assert found["sentence"] == "semantic_folder is not set, so no model on this machine compares meanings."


def test_doctor_says_how_to_add_the_extra_that_a_folder_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spar_tui.installation.commands.adding_extra", lambda extra: f"install {extra}")
    assert semantic(tmp_path, tmp_path) == {
        "subject": "semantic",
        "state": "problem",
        "sentence": f"{tmp_path} cannot be used without the extra; to add it: install semantic",
    }


@has_weights
def test_what_meanings_are_worth_is_measured_beside_the_search_without(tmp_path: Path) -> None:
    from tests.agents.bench import tiny

    more = {"SPAR_SEMANTIC_FOLDER": str(minilm(tmp_path / "minilm"))}
    command = ("bench", str(tiny.write(tmp_path / "reefs")), "--arms", "spar,spar+semantic")
    told = answer(tmp_path, *command, more=more)
    assert list(told["arms"]) == ["spar", "spar+semantic"]
    assert list(tmp_path.rglob("bench-vectors/texts.db"))
    ran = spar(tmp_path, *command)
    assert ran.returncode == 2
    assert "there is no model for vectors. Set SPAR_SEMANTIC_FOLDER to the folder of one" in ran.stderr


@has_weights
def test_similar_papers_say_who_compared_them(tmp_path: Path) -> None:
    folder = minilm(tmp_path / "minilm")
    command = ("similar", "arxiv:1706.03762", "--offline", "--limit", "5")
    ran = spar(tmp_path, *command, more={"SPAR_SEMANTIC_FOLDER": str(folder)})
    assert f"ordered by the sources and by meaning, as compared by the model in {folder}" in ran.stderr
    assert "by meaning" not in spar(tmp_path, *command).stderr


def test_similar_papers_are_listed_though_the_folder_holds_nothing(tmp_path: Path) -> None:
    command = ("similar", "arxiv:1706.03762", "--offline", "--limit", "5")
    ran = spar(tmp_path, *command, more={"SPAR_SEMANTIC_FOLDER": str(tmp_path / "nowhere")})
    assert "cannot be read (No such file or directory). The papers are in the order of the sources." in ran.stderr
    assert ran.stdout == spar(tmp_path, *command).stdout
