"""The language model as a person meets it, in the settings and in `spar doctor`; and where rate limits are kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.llm.config import HOSTED, HOSTED_MODEL, ModelConfig
from connectors.http.secret import Secret
from spar_tui.installation import metadata
from spar_tui.settings import load_settings
from tests.services.model.says import answer, page, prose
from tests.services.model.server import Rules, ScriptedModel, in_turn
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import NOWHERE


def model(home: Path, toml: str = "", **environment: str) -> ModelConfig | None:
    (home / "config.toml").write_text(toml)
    return load_settings({"SPAR_HOME": str(home), **environment}).model


def test_without_key_and_address_there_is_no_model(tmp_path: Path) -> None:
    assert model(tmp_path, 'model = "some"', SPAR_MODEL="other", OPENAI_API_KEY=" ") is None


def test_a_key_alone_means_the_hosted_service(tmp_path: Path) -> None:
    found = model(tmp_path, OPENAI_API_KEY="sk-1")
    assert found == ModelConfig(None, None, Secret("sk-1"))
    assert (found.endpoint, found.known_name) == (HOSTED, HOSTED_MODEL)


def test_an_address_alone_means_a_server_that_wants_no_key(tmp_path: Path) -> None:
    found = model(tmp_path, OPENAI_BASE_URL="http://localhost:11434/v1/", SPAR_MODEL="llama")
    assert found == ModelConfig("llama", "http://localhost:11434/v1", None)
    assert found.host == "localhost:11434"
    assert model(tmp_path, OPENAI_BASE_URL="http://localhost:1/v1") == ModelConfig(None, "http://localhost:1/v1")


def test_the_file_holds_all_but_the_key_and_the_environment_goes_first(tmp_path: Path) -> None:
    toml = 'model = "a"\nmodel_url = "http://a/v1"\nmodel_seconds = 5\ninput_price = 0.4\noutput_price = 1.6'
    assert model(tmp_path, toml) == ModelConfig("a", "http://a/v1", None, 5.0, 0.4, 1.6)
    found = model(tmp_path, toml, SPAR_MODEL="b", OPENAI_BASE_URL="http://b/v1")
    assert found is not None
    assert (found.name, found.base_url, found.usd(1_000_000, 1_000_000)) == ("b", "http://b/v1", 2.0)


@pytest.mark.parametrize(
    ("toml", "environment"), [("", {"OPENAI_BASE_URL": "localhost:11434"}), ('model_url = "localhost:11434"', {})]
)
def test_a_broken_address_never_sends_the_question_to_the_hosted_service(
    toml: str, environment: dict[str, str], tmp_path: Path
) -> None:
    assert model(tmp_path, toml, OPENAI_API_KEY="sk-1", **environment) is None


@pytest.mark.parametrize(
    "toml", ['mode = "slow"', 'judge_prompt = "long"', "model_seconds = 0", "input_price = -1", 'model = "a\\u0007"']
)
def test_a_setting_that_cannot_be_is_named(toml: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(toml)
    (warning,) = load_settings({"SPAR_HOME": str(tmp_path)}).warnings
    assert toml.split()[0] in warning


def finding(home: Path, *flags: str, subject: str = "model", **more: str) -> dict[str, Any]:
    ran = spar(home, "doctor", "--json", *flags, more=more)
    assert "Traceback" not in ran.stderr
    found: dict[str, Any] = next(one for one in json.loads(ran.stdout)["findings"] if one["subject"] == subject)
    return found


def test_doctor_tells_where_what_services_say_is_kept_for_all_processes(tmp_path: Path) -> None:
    found = finding(tmp_path, "--offline", subject="rate limits")
    assert (found["state"], str(tmp_path / "manners" / "gates") in found["sentence"]) == ("ok", True)
    assert (tmp_path / "manners" / "gates").is_dir()


def test_doctor_says_so_where_a_process_keeps_it_to_itself(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = finding(tmp_path, "--offline", subject="rate limits", SPAR_MANNERS=str(tmp_path / "file"))
    assert found["state"] == "note"
    assert "cannot be used (Not a directory)" in found["sentence"]


def test_doctor_tells_what_a_model_can_do_with_three_questions(tmp_path: Path) -> None:
    with ScriptedModel(in_turn(answer({"total": 5}))) as endpoint:
        found = finding(tmp_path, **endpoint.environment)
    assert found["state"] == "ok"
    assert "scripted-1 at 127.0.0.1" in found["sentence"]
    assert "JSON schema: yes, JSON in text: yes, streaming: yes; price not known" in found["sentence"]
    assert endpoint.calls == 3


def test_doctor_tells_what_an_old_server_cannot_do(tmp_path: Path) -> None:
    script = lambda request: page() if request.streamed else answer({"total": 5})  # noqa: E731  # said in one line
    with ScriptedModel(script, rules=Rules(schema=False)) as endpoint:
        found = finding(tmp_path, **endpoint.environment)
    assert found["state"] == "ok"
    assert "JSON schema: no, JSON in text: yes, streaming: no" in found["sentence"]


def test_doctor_takes_no_thought_for_a_streamed_answer(tmp_path: Path) -> None:
    script = lambda request: prose("Let me think.") if request.streamed else answer({"total": 5})  # noqa: E731
    with ScriptedModel(script) as endpoint:
        assert "streaming: no" in finding(tmp_path, **endpoint.environment)["sentence"]


def test_doctor_names_a_model_whose_answer_is_wrong(tmp_path: Path) -> None:
    with ScriptedModel(lambda request: answer({"total": 6})) as endpoint:
        found = finding(tmp_path, **endpoint.environment)
    assert found["state"] == "problem"
    assert "says that 2 + 3 is 6" in found["sentence"]


def test_doctor_names_a_model_that_does_not_answer(tmp_path: Path) -> None:
    found = finding(tmp_path, OPENAI_BASE_URL=f"{NOWHERE}/v1", SPAR_MODEL="m", OPENAI_API_KEY="sk-CANARY")
    assert found["state"] == "problem"
    assert "cannot be reached" in found["sentence"]
    assert "CANARY" not in found["sentence"]


def test_doctor_asks_nobody_elsewhere_offline_and_says_when_there_is_no_model(tmp_path: Path) -> None:
    with ScriptedModel(in_turn(answer({"total": 5}))) as endpoint:
        assert finding(tmp_path, "--offline", **endpoint.environment)["state"] == "ok"
    found = finding(tmp_path, "--offline", OPENAI_BASE_URL="http://model.example.org/v1", SPAR_MODEL="large")
    assert found["state"] == "note"
    assert "was not asked (offline)" in found["sentence"]
    assert "built-in rules" in finding(tmp_path, "--offline")["sentence"]


@pytest.mark.parametrize(("extra", "package"), [("mcp", "mcp"), ("keyring", "keyring"), ("corpus", "lancedb")])
def test_doctor_names_each_extra_that_is_missing(
    extra: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version_of = metadata.version_of
    monkeypatch.setattr(metadata, "version_of", lambda name: "" if name == package else version_of(name))
    told = spar(tmp_path, "doctor", "--offline").stdout
    assert any(line.startswith("note") and f" {extra} " in line and "to add it: " in line for line in told.splitlines())


def test_a_damaged_settings_file_is_named_once_with_its_fault(tmp_path: Path) -> None:
    file = tmp_path / "spar" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("[[[", "utf-8")
    ran = spar(tmp_path, "doctor", "--offline")
    [line] = [line for line in ran.stdout.splitlines() if line.startswith("problem")]
    assert (ran.returncode, line.count(str(file))) == (1, 1)
    assert "the defaults are used" in line
