import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from tests.agents.meaning.models import has_weights, minilm
from tests.cache.corpus.dumps import work, written
from tests.services.http.message import json_reply
from tests.services.model.server import ScriptedModel, in_turn
from tests.spar_tui.in_process import answer, spar
from tests.spar_tui.running import command, environment, wait_until

TITLES = ("How infants slumber at night", "Roses in the garden", "Steel bridges under load")


@pytest.fixture
def dump(tmp_path: Path) -> str:
    return str(written(tmp_path / "works.gz", [work(number, title) for number, title in enumerate(TITLES, start=1)]))


@pytest.fixture
def endpoint() -> Iterator[ScriptedModel]:
    with ScriptedModel(in_turn()) as model:
        yield model


def test_a_build_says_how_many_texts_go_where_and_sends_each_once(
    tmp_path: Path, dump: str, endpoint: ScriptedModel
) -> None:
    ran = spar(tmp_path, "corpus", "build", dump, "--vectors", more=endpoint.environment_with_vectors)
    by = f"vectors-1 at {urlsplit(endpoint.url).netloc}"
    assert f"vectors: 3 texts (title and abstract of a document each) go to {by}." in ran.stderr
    assert f"3 new vectors by {by}\n" in ran.stdout
    assert sorted(endpoint.embedded) == sorted(f"{title}. " for title in TITLES)
    again = spar(tmp_path, "corpus", "build", dump, "--vectors", more=endpoint.environment_with_vectors)
    assert "vectors: nothing to send." in again.stderr
    assert len(endpoint.embedded) == 3
    assert f"vectors  3 (by {by})" in spar(tmp_path, "corpus", "info").stdout
    assert answer(tmp_path, "corpus", "info")["vectors"] == 3


def test_without_vectors_nothing_is_sent(tmp_path: Path, dump: str, endpoint: ScriptedModel) -> None:
    spar(tmp_path, "corpus", "build", dump, more=endpoint.environment_with_vectors)
    assert endpoint.embedded == []
    assert "\nvectors " not in spar(tmp_path, "corpus", "info").stdout


def test_without_a_model_nothing_is_built(tmp_path: Path, dump: str) -> None:
    ran = spar(tmp_path, "corpus", "build", dump, "--vectors")
    assert (ran.returncode, "there is no model for vectors" in ran.stderr) == (2, True)
    assert "There is no corpus" in spar(tmp_path, "corpus", "info").stderr


def test_a_model_that_refuses_costs_the_vectors_and_not_the_works(
    tmp_path: Path, dump: str, endpoint: ScriptedModel
) -> None:
    endpoint.embeds = lambda texts: json_reply({"error": {"message": "no"}}, 401)
    ran = spar(tmp_path, "corpus", "build", dump, "--vectors", more=endpoint.environment_with_vectors)
    assert (ran.returncode, "3 new works in" in ran.stdout) == (1, True)
    assert "vectors-1" in ran.stderr
    info = answer(tmp_path, "corpus", "info")
    assert (info["works"], info["vectors"], info["vectors_by"]) == (3, 0, None)


def test_what_is_interrupted_says_how_many_vectors_are_kept_and_goes_on_from_there(
    tmp_path: Path, endpoint: ScriptedModel
) -> None:
    many = str(written(tmp_path / "many.gz", [work(number, f"Bridge {number}") for number in range(1, 1_501)]))
    build = ("corpus", "build", many, "--vectors")
    with subprocess.Popen(
        command(*build),
        env=environment(tmp_path, endpoint.environment_with_vectors),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    ) as process:
        wait_until(lambda: len(endpoint.embedded) > 600)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        told = process.stderr.read().decode()
    assert process.returncode == 130
    said = re.search(r"interrupted; 1,500 works and ([\d,]+) vectors of this build are stored", told)
    assert said is not None, told
    kept = int(said[1].replace(",", ""))
    assert kept >= 512
    assert answer(tmp_path, "corpus", "info")["vectors"] == kept
    assert f"{1_500 - kept:,} new vectors" in spar(tmp_path, *build, more=endpoint.environment_with_vectors).stdout


@has_weights
def test_a_search_finds_what_means_the_same_in_other_words(tmp_path: Path, dump: str) -> None:
    more = {"SPAR_SEMANTIC_FOLDER": str(minilm(tmp_path / "minilm"))}
    assert spar(tmp_path, "corpus", "build", dump, "--vectors", more=more).returncode == 0
    search = ("search", "babies sleeping", "--source", "corpus", "--no-model")
    assert "no papers found" in spar(tmp_path, *search).stderr
    found = answer(tmp_path, *search, more=more)
    assert [paper["title"] for paper in found["papers"]][:1] == [TITLES[0]]


@has_weights
def test_the_log_of_a_search_says_that_the_vectors_are_of_another_model(
    tmp_path: Path, dump: str, endpoint: ScriptedModel
) -> None:
    spar(tmp_path, "corpus", "build", dump, "--vectors", more=endpoint.environment_with_vectors)
    more = {"SPAR_SEMANTIC_FOLDER": str(minilm(tmp_path / "minilm"))}
    assert spar(tmp_path, "search", "roses", "--source", "corpus", "--no-model", more=more).returncode == 0
    assert "it has vectors by vectors-1 at" in spar(tmp_path, "log", "last").stdout
    refused = spar(tmp_path, "corpus", "build", dump, "--vectors", more=more)
    assert (refused.returncode, "cannot be added to them" in refused.stderr) == (1, True)
