"""`spar bench --recommend` as a person or a script runs it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from agents.bench.recommending.report import NO_TIME
from agents.bench.recommending.systems import SYSTEMS
from agents.llm.model import BATCH
from tests.agents.bench import tiny
from tests.agents.bench.test_recommending import written
from tests.services.http.message import Reply, json_reply
from tests.services.model.server import ScriptedModel, in_turn
from tests.spar_tui.in_process import answer, spar


@pytest.fixture
def libraries(tmp_path: Path) -> str:
    (tmp_path / "reefs").mkdir()
    return str(written(tmp_path / "reefs"))


def test_every_way_is_measured_for_every_history(libraries: str, tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", libraries, "--recommend", "--history", "1,all", "--tag-free")
    assert (told["collection"], told["people"], told["tag_free"]) == ("reefs", 3, True)
    assert [one["history"] for one in told["histories"]] == [1, "all"]
    assert all(set(one["arms"]) == set(SYSTEMS) for one in told["histories"])


def test_the_same_command_measures_the_same_again(libraries: str, tmp_path: Path) -> None:
    command = ("bench", libraries, "--recommend", "--queries", "2", "--history", "2", "--seed", "4")
    told = answer(tmp_path, *command)
    assert told["people"] == 2
    assert told == answer(tmp_path, *command)


def test_arms_are_chosen_and_vanilla_is_always_beside_them(libraries: str, tmp_path: Path) -> None:
    told = answer(tmp_path, "bench", libraries, "--recommend", "--arms", "arag")
    assert list(told["histories"][0]["arms"]) == ["arag", "vanilla"]


def test_the_table_says_that_libraries_have_no_order_of_time(libraries: str, tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", libraries, "--recommend")
    assert ran.returncode == 0
    assert ran.stdout.startswith("reefs · 3 people · half: all\n\nwhole library known ")
    assert ran.stdout.endswith(f"{NO_TIME}\n")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (["--recommend", "--history", "0"], "--history '0' is not a number of papers"),
        (["--recommend", "--history", "some"], "--history 'some' is not a number of papers"),
        (["--recommend", "--arms", "bm25"], "--arms 'bm25' cannot be measured here"),
        (["--recommend", "--live"], "--recommend and --live cannot be combined"),
        (["--recommend", "--judge", "perfect"], "--recommend and --judge cannot be combined"),
        (["--history", "3"], "--history needs --recommend"),
        (["--tag-free"], "--tag-free needs --recommend"),
        (["--embeddings"], "--embeddings needs --recommend"),
        (["--recommend", "--embeddings"], "there is no model for vectors. Set SPAR_SEMANTIC_FOLDER"),
    ],
)
def test_flags_that_do_not_go_together_are_refused(
    libraries: str, tmp_path: Path, flags: list[str], complaint: str
) -> None:
    ran = spar(tmp_path, "bench", libraries, *flags)
    assert ran.returncode == 2
    assert complaint in ran.stderr


def test_a_collection_without_libraries_is_named(tmp_path: Path) -> None:
    ran = spar(tmp_path, "bench", str(tiny.write(tmp_path / "atolls")), "--recommend")
    assert ran.returncode == 2
    assert "has no libraries of people" in ran.stderr


@pytest.fixture
def endpoint() -> Iterator[ScriptedModel]:
    with ScriptedModel(in_turn()) as model:
        yield model


def test_nothing_is_sent_to_a_model_unless_vectors_are_asked_for(
    libraries: str, tmp_path: Path, endpoint: ScriptedModel
) -> None:
    told = answer(tmp_path, "bench", libraries, "--recommend", more=endpoint.environment_with_vectors)
    assert set(told["histories"][0]["arms"]) == set(SYSTEMS)
    assert told["embedding_model"] is None
    assert (endpoint.embedded, endpoint.calls) == ([], 0)


def test_with_vectors_it_says_how_many_texts_go_where_and_sends_each_once(
    libraries: str, tmp_path: Path, endpoint: ScriptedModel
) -> None:
    ran = spar(tmp_path, "bench", libraries, "--recommend", "--embeddings", more=endpoint.environment_with_vectors)
    host = urlsplit(endpoint.url).netloc
    assert f"reefs: 36 texts (title and abstract of a document each) go to vectors-1 at {host}" in ran.stderr
    assert len(endpoint.embedded) == len(set(endpoint.embedded)) == 36
    assert endpoint.calls == 0
    assert "arag+vectors against arag " in ran.stdout
    again = spar(tmp_path, "bench", libraries, "--recommend", "--embeddings", more=endpoint.environment_with_vectors)
    assert "nothing to send; 36 vectors are already stored" in again.stderr
    assert len(endpoint.embedded) == 36
    assert again.stdout == ran.stdout


def test_vectors_are_measured_beside_the_program_without_them(
    libraries: str, tmp_path: Path, endpoint: ScriptedModel
) -> None:
    command = ("bench", libraries, "--recommend", "--arms", "arag+vectors")
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
    ran = spar(tmp_path, "bench", libraries, "--recommend", "--embeddings", more=endpoint.environment_with_vectors)
    assert ran.returncode == 1
    assert "64 of 100 vectors are stored; run the command again for the others." in ran.stderr
    endpoint.embeds, endpoint.embedded = None, []
    ran = spar(tmp_path, "bench", libraries, "--recommend", "--embeddings", more=endpoint.environment_with_vectors)
    assert len(endpoint.embedded) == 36
    assert "have different lengths; delete " in ran.stderr
