"""`python -m tests.benchmarks.recommending` as a developer runs it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from urllib.parse import urlsplit

import pytest

from agents.llm.model import BATCH
from tests.benchmarks.measuring import tiny
from tests.benchmarks.recommending.__main__ import main
from tests.benchmarks.recommending.report import NO_TIME
from tests.benchmarks.recommending.systems import SYSTEMS
from tests.benchmarks.recommending.test_recommending import written
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import ScriptedModel, in_turn
from tests.spar_tui.in_process import printed


def measured(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    return printed(main, home, ["recommending", *arguments], more)


def answer(home: Path, *arguments: str, more: Mapping[str, str] | None = None) -> Any:
    ran = measured(home, *arguments, "--json", more=more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture
def libraries(tmp_path: Path) -> str:
    (tmp_path / "reefs").mkdir()
    return str(written(tmp_path / "reefs"))


def test_every_way_is_measured_for_every_history(libraries: str, tmp_path: Path) -> None:
    told = answer(tmp_path, libraries, "--history", "1", "all", "--tag-free")
    assert (told["collection"], told["people"], told["tag_free"]) == ("reefs", 3, True)
    assert [one["history"] for one in told["histories"]] == [1, "all"]
    assert all(set(one["arms"]) == set(SYSTEMS) for one in told["histories"])


def test_the_same_command_measures_the_same_again(libraries: str, tmp_path: Path) -> None:
    command = (libraries, "--queries", "2", "--history", "2", "--seed", "4")
    told = answer(tmp_path, *command)
    assert told["people"] == 2
    assert told == answer(tmp_path, *command)


def test_arms_are_chosen_and_vanilla_is_always_beside_them(libraries: str, tmp_path: Path) -> None:
    told = answer(tmp_path, libraries, "--arms", "arag")
    assert list(told["histories"][0]["arms"]) == ["arag", "vanilla"]


def test_the_table_says_that_libraries_have_no_order_of_time(libraries: str, tmp_path: Path) -> None:
    ran = measured(tmp_path, libraries)
    assert ran.returncode == 0
    assert ran.stdout.startswith("reefs · 3 people · half: all\n\nwhole library known ")
    assert ran.stdout.endswith(f"{NO_TIME}\n")


def test_vectors_need_a_model_for_them(libraries: str, tmp_path: Path) -> None:
    ran = measured(tmp_path, libraries, "--embeddings")
    assert ran.returncode == 2
    assert "there is no model for vectors. Set SPAR_SEMANTIC_FOLDER" in ran.stderr


def test_a_collection_without_libraries_is_named(tmp_path: Path) -> None:
    ran = measured(tmp_path, str(tiny.write(tmp_path / "atolls")))
    assert ran.returncode == 2
    assert "has no libraries of people" in ran.stderr


@pytest.fixture
def endpoint() -> Iterator[ScriptedModel]:
    with ScriptedModel(in_turn()) as model:
        yield model


def test_nothing_is_sent_to_a_model_unless_vectors_are_asked_for(
    libraries: str, tmp_path: Path, endpoint: ScriptedModel
) -> None:
    told = answer(tmp_path, libraries, more=endpoint.environment_with_vectors)
    assert set(told["histories"][0]["arms"]) == set(SYSTEMS)
    assert told["embedding_model"] is None
    assert (endpoint.embedded, endpoint.calls) == ([], 0)


def test_with_vectors_it_says_how_many_texts_go_where_and_sends_each_once(
    libraries: str, tmp_path: Path, endpoint: ScriptedModel
) -> None:
    ran = measured(tmp_path, libraries, "--embeddings", more=endpoint.environment_with_vectors)
    host = urlsplit(endpoint.url).netloc
    assert f"reefs: 36 texts (title and abstract of a document each) go to vectors-1 at {host}" in ran.stderr
    assert len(endpoint.embedded) == len(set(endpoint.embedded)) == 36
    assert endpoint.calls == 0
    assert "arag+vectors against arag " in ran.stdout
    again = measured(tmp_path, libraries, "--embeddings", more=endpoint.environment_with_vectors)
    assert "nothing to send; 36 vectors are already stored" in again.stderr
    assert len(endpoint.embedded) == 36
    assert again.stdout == ran.stdout


def test_vectors_are_measured_beside_the_program_without_them(
    libraries: str, tmp_path: Path, endpoint: ScriptedModel
) -> None:
    command = (libraries, "--arms", "arag+vectors")
    told = answer(tmp_path, *command, more=endpoint.environment_with_vectors)
    assert list(told["histories"][0]["arms"]) == ["arag+vectors", "arag", "vanilla"]
    assert told["embedding_model"] == f"vectors-1 at {urlsplit(endpoint.url).netloc}"


def test_what_came_before_the_model_failed_is_kept(libraries: str, tmp_path: Path, endpoint: ScriptedModel) -> None:
    """A hundred documents are two requests; the second one fails."""
    with (Path(libraries) / "docs.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": f"more-{number}", "title": f"More {number}"}) + "\n" for number in range(64))

    def once(texts: Sequence[str]) -> Reply:
        if len(endpoint.embedded) > BATCH:
            return json_reply({"error": {"message": "no"}}, 401)
        rows = [{"index": index, "embedding": [1.0, float(index)]} for index in range(len(texts))]
        return json_reply({"data": rows})

    endpoint.embeds = once
    ran = measured(tmp_path, libraries, "--embeddings", more=endpoint.environment_with_vectors)
    assert ran.returncode == 2
    assert "64 of 100 vectors are stored; run the command again for the others." in ran.stderr
    endpoint.embeds, endpoint.embedded = None, []
    ran = measured(tmp_path, libraries, "--embeddings", more=endpoint.environment_with_vectors)
    assert len(endpoint.embedded) == 36
    assert "have different lengths; delete " in ran.stderr
