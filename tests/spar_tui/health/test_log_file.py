"""The log says what was done, keeps secrets and words to itself, and never costs the run."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from spar_tui.health.log_file import MOST_BYTES
from tests.agents.summary.world import SUMMING
from tests.services import Services
from tests.services.model.server import ScriptedModel, by_prompt
from tests.spar_tui.in_process import answer, spar

KEY = "sk-0123456789-very-secret"
QUESTION = "literature search agents"
ASK = ("search", QUESTION, "--source", "openalex", "--fast")


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


def log_of(home: Path) -> str:
    return (home / "spar" / "spar.log").read_text("utf-8")


def test_requests_and_outcomes_are_noted_and_no_words_keys_or_addresses(services: Services, tmp_path: Path) -> None:
    key = services.terms.serpapi_key  # which goes into the address of a request
    more = {**services.environment, "SERPAPI_API_KEY": key, "NCBI_EMAIL": "ada@example.org"}
    run = answer(tmp_path, *ASK, "--source", "google", "--source", "pubmed", more=more)["run"]
    log = log_of(tmp_path)
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d+ spar \d\S* search$", log, re.MULTILINE)
    assert re.search(r" spar\.http GET http://127\.0\.0\.1:\d+/works\S*: 200 after \d+\.\d\d s", log)
    assert f" spar.run {run} openalex ok, " in log
    assert re.search(r" spar\.http GET http://127\.0\.0\.1:\d+/search\S*: 200 after ", log)
    for secret in (key, "ada@example.org", "?", "literature", "agents", "search="):
        assert secret not in log
    if os.name == "posix":
        assert (tmp_path / "spar" / "spar.log").stat().st_mode & 0o777 == 0o600


def test_what_the_model_was_asked_is_counted_and_not_repeated(services: Services, tmp_path: Path) -> None:
    with ScriptedModel(by_prompt(SUMMING)) as model:
        more = {**services.environment, **model.environment, "OPENAI_API_KEY": KEY}
        ask = ("summarize", "query evolution", "--source", "openalex", "--depth", "0", "--words", "200")
        run = answer(tmp_path, *ask, more=more)["run"]
    log = log_of(tmp_path)
    assert re.search(
        r" spar\.http POST http://127\.0\.0\.1:\d+/v1/chat/completions, [\d,]+ bytes sent$", log, re.MULTILINE
    )
    assert re.search(rf" spar\.run {run} model, write: 1 calls, 0 remembered, \d+ tokens in, \d+ out", log)
    assert KEY not in log
    assert "evolution" not in log


def test_a_part_of_an_address_that_may_be_a_key_is_hidden_wherever_it_stands(tmp_path: Path) -> None:
    more = {"SPAR_OPENALEX_URL": f"http://127.0.0.1:9/{KEY}"}
    shown = spar(tmp_path, *ASK, "-v", more=more).stderr
    for told in (shown, log_of(tmp_path)):
        assert "GET http://127.0.0.1:9/[hidden]/works…" in told
        assert KEY not in told


def test_verbose_tells_as_it_goes_what_the_log_holds(services: Services, tmp_path: Path) -> None:
    told = spar(tmp_path, *ASK, "--verbose", more=services.environment)
    lines = [line for line in told.stderr.splitlines() if " spar." in line]
    assert lines
    assert [line for line in log_of(tmp_path).splitlines() if " spar." in line] == lines
    assert " spar.http " not in spar(tmp_path, *ASK, more=services.environment).stderr


def test_a_log_that_cannot_be_written_costs_the_log_alone(services: Services, tmp_path: Path) -> None:
    (tmp_path / "spar" / "spar.log").mkdir(parents=True)
    ran = spar(tmp_path, *ASK, more=services.environment)
    assert ran.returncode == 0
    assert ran.stdout
    assert "log" not in ran.stderr
    told = spar(tmp_path, "doctor", "--offline").stdout
    assert re.search(r"^note +log +\S+spar\.log cannot be written \(", told, re.MULTILINE)


def test_the_log_is_bounded_and_the_file_before_is_kept(services: Services, tmp_path: Path) -> None:
    spar(tmp_path, *ASK, more=services.environment)
    file = tmp_path / "spar" / "spar.log"
    file.write_text("old\n" * (MOST_BYTES // 4), "utf-8")
    spar(tmp_path, *ASK, more=services.environment)
    assert file.stat().st_size < 100_000
    assert (tmp_path / "spar" / "spar.log.1").read_text("utf-8").startswith("old")
    assert re.search(r"^ok +log +\S+spar\.log: 0\.0", spar(tmp_path, "doctor", "--offline").stdout, re.MULTILINE)


def test_what_asks_nobody_writes_no_log(tmp_path: Path) -> None:
    spar(tmp_path, "config", "path", new=True)
    assert not (tmp_path / "spar").exists()
