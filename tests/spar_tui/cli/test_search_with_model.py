"""A search with a language model as the person meets it: the real program against stand-ins and a scripted model."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.services import Services
from tests.services.model.says import ModelSays, answer, refusal
from tests.services.model.server import ModelRequest, Rules, ScriptedModel, by_prompt
from tests.spar_tui.in_process import spar
from tests.spar_tui.overlap_model import SCRIPTS, overlap_script

QUESTION = "query evolution for literature search agents"
KEY = "sk-CANARY-0123456789"


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with Services() as running:
        yield running


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(overlap_script) as endpoint:
        yield endpoint
        assert endpoint.surprises == []


def searched(
    home: Path, services: Services, model: ScriptedModel, *flags: str, key: str = ""
) -> tuple[dict[str, Any], str]:
    """What `--json` prints of a search in OpenAlex alone, and what standard error says."""
    more = {**services.environment, **model.environment, **({"OPENAI_API_KEY": key} if key else {})}
    ran = spar(home, "search", QUESTION, "--source", "openalex", *flags, "--json", more=more)
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found, ran.stderr


def judged(call: ModelRequest) -> str:
    """Return the title of the paper that a call is about."""
    return str(json.loads(call.text.partition("Paper:\n")[2])["title"])


@dataclass(frozen=True)
class Whole:
    """A whole search: what `--json` prints, what standard error says, what the model was asked."""

    found: dict[str, Any]
    told: str
    asked: list[ModelRequest]


@pytest.fixture(scope="module")
def whole(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    with ScriptedModel(overlap_script) as endpoint:
        found, told = searched(tmp_path_factory.mktemp("whole"), services, endpoint)
        assert endpoint.surprises == []
        return Whole(found, told, endpoint.requests)


def test_every_relevant_paper_has_a_reason_and_a_quote_that_stands_in_it(whole: Whole) -> None:
    relevant = [paper for paper in whole.found["papers"] if paper["relevance"] >= 0.5]
    assert relevant
    for paper in relevant:
        assert paper["judged_by"] == "model"
        assert paper["reason"].startswith("It speaks of " if paper["proven"] else "by its words alone, ")
        assert (paper["quote"] or "") in f"{paper['title']}\n{paper['abstract']}"
    assert any(paper["proven"] for paper in relevant)


def test_the_question_is_read_back_as_the_model_read_it(whole: Whole) -> None:
    read = whole.found["understanding"]
    assert (read["intent"], read["domain"], read["by"]) == ("survey", "information retrieval", "model")
    assert read["queries"][0] == QUESTION
    assert len(read["queries"]) == 3
    assert read["sources"] == ["openalex"]


def test_the_cost_is_what_the_endpoint_counted(whole: Whole) -> None:
    cost = whole.found["cost"]
    assert cost["calls"] == len(whole.asked) >= 3
    assert cost["input_tokens"] > cost["output_tokens"] > 0
    assert cost["usd"] is None
    assert f"model: {len(whole.asked)} calls" in whole.told


def test_no_paper_is_shown_to_the_judge_twice(whole: Whole) -> None:
    titles = [judged(call) for call in whole.asked if call.name == "judge"]
    assert titles
    assert len(titles) == len(set(titles))


def test_known_prices_turn_tokens_into_money(services: Services, model: ScriptedModel, tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("input_price = 2.0\noutput_price = 8.0\n")
    found, told = searched(tmp_path, services, model, "--no-evolution", "--no-refchain")
    cost = found["cost"]
    assert cost["usd"] == pytest.approx((2 * cost["input_tokens"] + 8 * cost["output_tokens"]) / 1e6)
    assert " USD (estimate)" in told
    assert cost["usd_estimated"]


def test_a_model_that_is_set_to_cost_nothing_is_free_and_one_without_prices_is_not(
    services: Services, model: ScriptedModel, tmp_path: Path
) -> None:
    flags = ("--no-evolution", "--no-refchain")
    found, told = searched(tmp_path / "unknown", services, model, *flags)
    assert found["cost"]["usd"] is None
    assert "cost unknown" in told
    assert "USD" not in told
    (tmp_path / "free" / "spar").mkdir(parents=True)
    (tmp_path / "free" / "spar" / "config.toml").write_text("input_price = 0\noutput_price = 0.0\n")
    found, told = searched(tmp_path / "free", services, model, *flags)
    assert found["cost"]["usd"] == 0
    assert told.rstrip().endswith("out, free")


def test_offline_a_model_on_this_machine_is_asked_and_nothing_else(
    services: Services, model: ScriptedModel, tmp_path: Path
) -> None:
    searched(tmp_path, services, model, "--no-model")
    before = len(services.log)
    found, told = searched(tmp_path, services, model, "--offline")
    assert model.calls == found["cost"]["calls"] > 0
    assert {paper["judged_by"] for paper in found["papers"]} == {"model"}
    assert len(services.log) == before
    assert "not asked offline" not in told


def test_offline_a_model_elsewhere_is_not_asked_and_that_is_said(services: Services, tmp_path: Path) -> None:
    more = {**services.environment, "OPENAI_BASE_URL": "http://model.example.org/v1", "SPAR_MODEL": "large"}
    ran = spar(tmp_path, "search", QUESTION, "--offline", "--json", more=more)
    assert ran.stderr.count("the model large at model.example.org is not asked offline") == 1
    assert json.loads(ran.stdout)["cost"]["calls"] == 0
    quiet = spar(tmp_path, "search", QUESTION, "--offline", "--no-model", "--json", more=more)
    assert "not asked" not in quiet.stderr


def test_without_a_model_none_is_asked(services: Services, model: ScriptedModel, tmp_path: Path) -> None:
    found, _ = searched(tmp_path, services, model, "--no-model", "--no-evolution")
    assert (model.calls, found["cost"]["calls"]) == (0, 0)
    assert found["understanding"]["by"] == "built-in"
    assert {paper["judged_by"] for paper in found["papers"]} == {"built-in"}


def test_calls_are_never_more_than_were_allowed_and_the_answer_comes_all_the_same(
    services: Services, model: ScriptedModel, tmp_path: Path
) -> None:
    found, told = searched(tmp_path, services, model, "--calls", "2")
    assert model.calls <= 2
    assert found["papers"]
    assert "2 model calls for this run are used up" in told


def test_a_limit_in_money_without_prices_is_said_and_nothing_is_spent(
    services: Services, model: ScriptedModel, tmp_path: Path
) -> None:
    found, told = searched(tmp_path, services, model, "--usd", "1", "--no-evolution")
    assert model.calls == 0
    assert found["papers"]
    assert "input_price" in told


def test_money_is_never_more_than_was_allowed(services: Services, model: ScriptedModel, tmp_path: Path) -> None:
    (tmp_path / "spar").mkdir()
    (tmp_path / "spar" / "config.toml").write_text("input_price = 10.0\noutput_price = 10.0\n")
    found, told = searched(tmp_path, services, model, "--usd", "0.03", "--no-evolution")
    assert found["papers"]
    assert 0 <= found["cost"]["usd"] <= 0.03
    assert "The 0.03 USD for this run" in told


@pytest.mark.parametrize(
    "says",
    [refusal(), ModelSays("I would rather talk of the weather."), ModelSays(status=503, body=b"")],
    ids=["refuses", "talks", "is down"],
)
def test_a_model_that_never_answers_costs_a_sentence_and_not_the_answer(
    says: ModelSays, services: Services, tmp_path: Path
) -> None:
    with ScriptedModel(lambda request: says) as endpoint:
        found, told = searched(tmp_path, services, endpoint, "--no-evolution", "--no-refchain")
    assert endpoint.calls > 0
    scores = [paper["score"] for paper in found["papers"]]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.5
    assert {paper["judged_by"] for paper in found["papers"]} == {"built-in"}
    assert "uilt-in rules" in told


def test_an_invented_quote_is_not_shown_and_lowers_the_score(services: Services, tmp_path: Path) -> None:
    asked = count()

    def inventing(request: ModelRequest) -> object:
        verdict = SCRIPTS["judge"](request)
        return verdict if next(asked) % 2 else {**verdict, "quote": "cures everything at once"}

    with ScriptedModel(by_prompt({**SCRIPTS, "judge": inventing})) as endpoint:
        found, _ = searched(tmp_path, services, endpoint, "--no-evolution", "--no-refchain")
    by_model = [paper for paper in found["papers"] if paper["judged_by"] == "model"]
    unproven = [paper for paper in by_model if paper["quote"] is None]
    assert 0 < len(unproven) < len(by_model)
    assert all(paper["relevance"] < 1 for paper in unproven)
    assert "cures everything at once" not in str(by_model)


def test_the_list_reads_reason_then_quote(services: Services, model: ScriptedModel, tmp_path: Path) -> None:
    more = {**services.environment, **model.environment}
    flags = ("--source", "openalex", "--limit", "1", "--no-evolution", "--no-rerank")
    ran = spar(tmp_path, "search", QUESTION, *flags, more=more)
    title, facts, names, reason = ran.stdout.splitlines()
    assert title.startswith("  1. ")
    assert re.search(r" · (19|20)\d\d · ", facts)
    assert re.search(r"found by openalex #\d+.* · score [01]\.\d\d, relevance [01]\.\d\d$", names)
    assert re.fullmatch(r" {5}It speaks of .*\. “.*”", reason)


def test_the_key_is_in_no_file_and_no_output(services: Services, tmp_path: Path) -> None:
    with ScriptedModel(overlap_script, rules=Rules(key=KEY)) as endpoint:
        found, told = searched(tmp_path, services, endpoint, "--no-evolution", key=KEY)
        wrong, said = searched(tmp_path, services, endpoint, "--no-evolution", "--since", "1990", key="sk-WRONG-CANARY")
    assert found["cost"]["calls"] > 0
    assert wrong["papers"]
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert "CANARY" not in json.dumps([found, wrong]) + told + said
    assert b"CANARY" not in kept


def test_a_dated_question_bounds_the_papers_whatever_the_model_says(services: Services, tmp_path: Path) -> None:
    def undated(request: ModelRequest) -> ModelSays:
        return answer({**SCRIPTS["understand"](request), "since": None, "until": None})

    with ScriptedModel(by_prompt({**SCRIPTS, "understand": undated})) as endpoint:
        found, _ = searched(tmp_path, services, endpoint, "--since", "2023", "--no-evolution")
    assert found["papers"]
    assert all(paper["year"] >= 2023 for paper in found["papers"])
