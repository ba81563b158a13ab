"""What a caller can rely on when asking the model: a checked answer, at most two requests, remembered once good."""

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from agents.llm.budget import Budget, BudgetSpent
from agents.llm.config import ModelConfig
from agents.llm.endpoint import FAILURES
from agents.llm.errors import ModelError, NoSuchModel, NotAllowed, TruncatedAnswer, Unusable
from agents.llm.model import Model
from agents.llm.prompt import AssessedItems, Capabilities, ModelAnswer, schema_of
from agents.llm.usage import Usage
from cache.store import Store
from tests.agents.llm.use import GOOD, KEY, PROMPT, Verdict, access, ask, failure, use
from tests.library import copied
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.server import Rules, ScriptedModel, by_prompt, in_turn

GOOD_FORMS = [
    says.answer(GOOD),
    says.fenced(GOOD),
    says.chatty(GOOD),
    says.sloppy(GOOD),
    says.ModelSays('</think>{"score": "0.5", "reason": "It is about sleep.", "more": [1]}'),
    says.reasoned(GOOD),
    says.called(GOOD),
]


@each("form", GOOD_FORMS)
def test_an_answer_in_any_wrapping_is_understood_at_once(form: says.ModelSays) -> None:
    with ScriptedModel(in_turn(form)) as endpoint:
        told = ask(endpoint)
    assert told.answer == Verdict.model_validate(GOOD)
    assert endpoint.calls == told.usage.calls == 1


BAD = [says.wrong(), says.incomplete(), says.prose(), says.empty(), says.silent(), says.no_choices()]


@each("bad", BAD)
def test_a_bad_answer_is_asked_for_once_more_with_what_is_wrong(bad: says.ModelSays) -> None:
    with ScriptedModel(in_turn(bad, says.answer(GOOD))) as endpoint:
        told = ask(endpoint)
    assert told.answer.score == 0.5
    assert (endpoint.calls, told.usage.calls) == (2, 2)
    assert endpoint.requests[1].corrected
    assert "cannot be used" in endpoint.requests[1].messages[-1][1]


@each("bad", [*BAD, says.answer({"score": 7, "reason": "out of range"})])
def test_a_model_that_stays_bad_costs_two_calls_and_says_so(bad: says.ModelSays) -> None:
    with ScriptedModel(in_turn(bad)) as endpoint:
        error = failure(endpoint, Unusable)
    assert endpoint.calls == error.usage.calls == 2


def test_an_answer_out_of_range_does_not_make_the_endpoint_forget_schemas() -> None:
    with ScriptedModel(in_turn(says.answer({"score": 7, "reason": ""}), says.answer(GOOD))) as endpoint:
        ask(endpoint)
    assert [request.by_schema for request in endpoint.requests] == [True, True]
    assert "score" in endpoint.requests[1].messages[-1][1]


def test_a_cut_answer_is_asked_for_once_more_with_twice_the_room() -> None:
    with ScriptedModel(in_turn(says.cut_off(GOOD), says.answer(GOOD))) as endpoint:
        assert ask(endpoint).answer.score == 0.5
    assert [request.body["max_tokens"] for request in endpoint.requests] == [2_000, 4_000]


def test_a_model_that_thinks_is_given_more_room_at_once_and_from_then_on() -> None:
    said = in_turn(says.thinking(), says.answer(GOOD))

    async def twice(model: Model) -> None:
        await model.ask(PROMPT, Verdict, Budget())
        await model.ask(replace(PROMPT, version=2), Verdict, Budget())

    with ScriptedModel(said) as endpoint:
        use(Model(access(endpoint)), twice)
    assert [request.body["max_tokens"] for request in endpoint.requests] == [2_000, 8_000, 8_000]


def test_the_room_for_thinking_has_bounds() -> None:
    async def often(model: Model) -> None:
        for version in range(FAILURES):
            with pytest.raises(TruncatedAnswer, match="thinking"):
                await model.ask(replace(PROMPT, version=version), Verdict, Budget())

    with ScriptedModel(in_turn(says.thinking())) as endpoint:
        use(Model(access(endpoint)), often)
    assert [request.body["max_tokens"] for request in endpoint.requests] == [2_000, 8_000, 8_000, 18_000]


class Row(BaseModel):
    id: str
    score: float


class Rows(BaseModel):
    rows: list[Row]


def rows_of(*names: str) -> dict[str, object]:
    return {"rows": [{"id": name, "score": 0.5} for name in names]}


def ask_for_rows(endpoint: ScriptedModel, store: Store | None = None) -> Rows:
    about: AssessedItems[Rows] = AssessedItems(
        ["p1", "p2"], lambda answer: any(row.id in ("p1", "p2") for row in answer.rows)
    )
    told = use(Model(access(endpoint), store), lambda model: model.ask(PROMPT, Rows, Budget(), about))
    return told.answer


def kept(store: Store) -> int:
    with store.reading() as db:
        return int(db.execute("SELECT count(*) FROM model_replies").fetchone()[0])


def test_whole_entries_before_a_cut_are_kept_and_not_remembered(tmp_path: Path) -> None:
    cut = says.ModelSays(json.dumps(rows_of("p1", "p2"))[:-10], finish="length")
    with ScriptedModel(in_turn(cut)) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        assert [row.id for row in ask_for_rows(endpoint, store).rows] == ["p1"]
        assert kept(store) == 0
    assert endpoint.calls == 2


def test_whole_entries_before_a_cut_are_kept_though_the_second_answer_is_late() -> None:
    cut = says.ModelSays(json.dumps(rows_of("p1", "p2"))[:-10], finish="length")
    about: AssessedItems[Rows] = AssessedItems(["p1", "p2"], lambda answer: bool(answer.rows))
    with ScriptedModel(in_turn(cut, says.slow(rows_of("p1", "p2"), 60.0))) as endpoint:
        model = Model(access(endpoint, seconds=2.0))
        told = use(model, lambda model: model.ask(PROMPT, Rows, Budget(), about))
    assert [row.id for row in told.answer.rows] == ["p1"]


def test_a_draft_in_thoughts_that_were_cut_short_is_no_answer() -> None:
    with ScriptedModel(in_turn(replace(says.reasoned(GOOD), finish="length"))) as endpoint:
        failure(endpoint, TruncatedAnswer)


def test_an_answer_about_nothing_that_was_asked_is_asked_for_once_more_and_not_remembered(tmp_path: Path) -> None:
    said = in_turn(says.answer(rows_of("x1", "x2")), says.answer(rows_of("p2")))
    with ScriptedModel(said) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        assert [row.id for row in ask_for_rows(endpoint, store).rows] == ["p2"]
        assert kept(store) == 1
    assert "p1, p2" in endpoint.requests[1].messages[-1][1]
    with ScriptedModel(in_turn(says.answer(rows_of()))) as endpoint, Store.open(copied(tmp_path / "other.db")) as store:
        with pytest.raises(Unusable, match="about something else"):
            ask_for_rows(endpoint, store)
        assert kept(store) == 0


def test_an_answer_that_is_cut_twice_is_never_mended() -> None:
    """Half a list must not pass for a whole one."""
    with ScriptedModel(in_turn(says.ModelSays('{"score": 0.5, "reason": "It is', finish="length"))) as endpoint:
        assert failure(endpoint, TruncatedAnswer).usage.calls == 2


def test_every_string_of_an_answer_is_clean() -> None:
    hostile = {"score": 0, "reason": "\x1b]0;title\x07a\u202eb<script>x</script> &lt;b&gt;bold\ud800"}
    with ScriptedModel(in_turn(says.ModelSays(json.dumps(hostile)))) as endpoint:
        assert ask(endpoint).answer.reason == "ab bold\ufffd"


def test_the_schema_goes_along_in_the_strict_form() -> None:
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint:
        ask(endpoint)
    (request,) = endpoint.requests
    asked = request.body["response_format"]["json_schema"]
    assert (request.name, asked["name"], asked["strict"]) == ("judge", "judge", True)
    assert asked["schema"]["additionalProperties"] is False
    assert request.body["temperature"] == 0
    assert "x-prompt" not in request.headers


def test_nested_shapes_are_strict_all_the_way_down() -> None:
    class Part(BaseModel):
        kind: Literal["a", "b"] = "a"
        title: str = "none"

    class Whole(BaseModel):
        first: Part
        more: list[Part] = []
        note: str | None = None

    schema = schema_of("odd name!", Whole)
    assert schema["title"] == "odd_name_"
    assert schema["required"] == ["first", "more", "note"]
    assert schema["$defs"]["Part"]["required"] == ["kind", "title"]
    assert schema["$defs"]["Part"]["additionalProperties"] is False
    assert schema["properties"]["first"] == {"$ref": "#/$defs/Part"}
    assert "default" not in str(schema)


def test_a_schema_is_made_once_for_each_shape_whatever_the_prompt_is_called() -> None:
    class Other(BaseModel):
        note: str

    first, again = schema_of("one", Verdict), schema_of("another", Verdict)
    assert (first["title"], again["title"]) == ("one", "another")
    assert again["properties"] is first["properties"]
    assert schema_of("one", Other)["required"] == ["note"]


RULES = [
    (Rules(schema=False), Capabilities(schema=False)),
    (Rules(temperature=False), Capabilities(temperature=False, max_tokens=False)),
    (Rules(max_tokens=False), Capabilities(temperature=False, max_tokens=False)),
    (Rules(max_tokens=False, temperature=False), Capabilities(temperature=False, max_tokens=False)),
    (Rules(system=False), Capabilities(system=False)),
]


@each(("rules", "learned"), RULES)
def test_what_an_endpoint_refuses_is_left_out_at_once_and_from_then_on(rules: Rules, learned: Capabilities) -> None:
    async def twice(model: Model) -> Capabilities:
        await model.ask(PROMPT, Verdict, Budget())
        await model.ask(replace(PROMPT, version=2), Verdict, Budget())
        return model.dialect

    with ScriptedModel(by_prompt({"judge": lambda request: GOOD}), rules=rules) as endpoint:
        assert use(Model(access(endpoint)), twice) == learned
    assert endpoint.calls == 3
    assert endpoint.surprises == []


def test_an_endpoint_that_ignores_schemas_is_told_in_words_from_then_on() -> None:
    async def twice(model: Model) -> None:
        await model.ask(PROMPT, Verdict, Budget())
        await model.ask(replace(PROMPT, version=2), Verdict, Budget())

    with ScriptedModel(lambda request: says.prose() if request.by_schema else says.fenced(GOOD)) as endpoint:
        use(Model(access(endpoint)), twice)
    assert [request.by_schema for request in endpoint.requests] == [True, False, False]
    assert '"additionalProperties"' in endpoint.requests[-1].system


def test_many_first_questions_at_once_all_get_their_answer_from_an_old_server() -> None:
    async def many(model: Model) -> list[ModelAnswer[Verdict]]:
        prompts = [replace(PROMPT, user=f"Paper {n}?") for n in range(9)]
        return await asyncio.gather(*(model.ask(prompt, Verdict, Budget()) for prompt in prompts))

    with ScriptedModel(in_turn(says.answer(GOOD)), latency=0.2, rules=Rules(schema=False)) as endpoint:
        told = use(Model(access(endpoint, concurrency=4)), many)
    assert len(told) == 9
    assert all(one.usage.calls <= 2 for one in told)
    assert endpoint.peak == 4


def test_a_good_answer_is_paid_for_once(tmp_path: Path) -> None:
    budget = Budget(calls=1)
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        for _ in range(3):
            model = Model(access(endpoint, input_price=1.0, output_price=2.0), store)
            told = use(model, lambda model: model.ask(PROMPT, Verdict, budget))
            assert told.answer == Verdict.model_validate(GOOD)
        assert told.usage == Usage(remembered=1)
        assert (budget.spent.calls, budget.spent.remembered) == (1, 2)
    assert endpoint.calls == 1


def test_another_wording_version_shape_model_or_room_is_another_question(tmp_path: Path) -> None:
    class Other(BaseModel):
        score: float

    async def ask_all(model: Model) -> None:
        await model.ask(PROMPT, Verdict, Budget())
        await model.ask(replace(PROMPT, version=2), Verdict, Budget())
        await model.ask(replace(PROMPT, user="Is it about dreams?"), Verdict, Budget())
        await model.ask(replace(PROMPT, system="Judge."), Verdict, Budget())
        await model.ask(PROMPT, Other, Budget())

    with (
        ScriptedModel(in_turn(says.answer(GOOD)), models=("scripted-1", "other")) as endpoint,
        Store.open(copied(tmp_path / "spar.db")) as store,
    ):
        use(Model(access(endpoint), store), ask_all)
        use(Model(access(endpoint, name="other"), store), lambda model: model.ask(PROMPT, Verdict, Budget()))
    assert endpoint.calls == 6


@pytest.mark.parametrize("bad", [says.wrong(), says.refusal(), says.cut_off(GOOD), says.overflow()])
def test_a_failure_is_never_remembered(bad: says.ModelSays, tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "spar.db")) as store:
        with ScriptedModel(in_turn(bad)) as endpoint, pytest.raises(ModelError):
            use(Model(access(endpoint), store), lambda model: model.ask(PROMPT, Verdict, Budget()))
        with store.reading() as db:
            assert db.execute("SELECT count(*) FROM model_replies").fetchone() == (0,)


def test_an_old_answer_is_asked_for_anew(tmp_path: Path) -> None:
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        for days in (0, 1, 200, -1):
            model = Model(access(endpoint), store, now=lambda days=days: noon + timedelta(days=days))  # type: ignore[misc]
            use(model, lambda model: model.ask(PROMPT, Verdict, Budget()))
    assert endpoint.calls == 3


def test_a_library_that_is_gone_costs_the_memory_and_not_the_answer(tmp_path: Path) -> None:
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        (tmp_path / "spar.db").unlink()
        told = use(Model(access(endpoint), store), lambda model: model.ask(PROMPT, Verdict, Budget()))
    assert told.answer.score == 0.5


def test_a_local_server_needs_neither_key_nor_name() -> None:
    with ScriptedModel(in_turn(says.answer(GOOD)), models=("nomic-embed-text", "llama")) as endpoint:
        model = Model(access(endpoint, key=None, name=None))
        use(model, lambda model: model.ask(PROMPT, Verdict, Budget()))
    assert model.name == "llama"
    assert endpoint.requests[0].body["model"] == "llama"
    assert endpoint.requests[0].headers["authorization"] == "Bearer no-key-needed"


def test_another_programs_key_in_the_environment_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint:
        ask(endpoint, key=None)
    assert KEY not in str(endpoint.requests[0].headers)


def test_no_proxy_sees_what_goes_to_a_model_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint:
        assert ask(endpoint).answer.score == 0.5


@each(
    ("address", "here"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://LLM.localhost./v1", True),
        ("http://192.168.1.4:11434/v1", False),
        ("http://0.0.0.0:11434/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://127.0.0.1@example.org/v1", False),
        ("https://api.openai.com/v1", False),
        (None, False),
    ],
)
def test_what_listens_on_loopback_is_on_this_machine_and_nothing_else_is(address: str | None, here: bool) -> None:
    assert ModelConfig("m", address).on_this_machine == here


@each(("models", "said"), [(("a", "b", "c"), "3 models (a, b, c)"), (("embed",), "no models")])
def test_a_choice_of_models_is_left_to_the_person(models: tuple[str, ...], said: str) -> None:
    with ScriptedModel(in_turn(says.answer(GOOD)), models=models) as endpoint:
        error = failure(endpoint, NoSuchModel, name=None)
    assert said in error.sentence
    assert "SPAR_MODEL" in error.sentence
    assert endpoint.calls == 0


def test_a_second_try_needs_room_in_the_budget_too() -> None:
    with ScriptedModel(in_turn(says.wrong())) as endpoint:
        error = failure(endpoint, Unusable, Budget(calls=1))
    assert endpoint.calls == error.usage.calls == 1


def test_without_budget_nothing_is_asked() -> None:
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint:
        with pytest.raises(BudgetSpent, match="0 model calls"):
            ask(endpoint, Budget(calls=0))
        with pytest.raises(BudgetSpent, match="input_price"):
            ask(endpoint, Budget(usd=1.0))
    assert endpoint.calls == 0


def test_what_was_spent_is_counted_in_tokens_and_money() -> None:
    budget = Budget(usd=1.0)
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint:
        told = ask(endpoint, budget, input_price=10.0, output_price=100.0)
    assert told.usage == budget.spent
    expected = (told.usage.input_tokens * 10 + told.usage.output_tokens * 100) / 1e6
    assert told.usage.usd == pytest.approx(expected)
    assert told.usage.output_tokens == len(says.answer(GOOD).text or "") // 4 + 1


def test_an_endpoint_that_counts_nothing_is_counted_for() -> None:
    with ScriptedModel(in_turn(replace(says.answer(GOOD), counted=False))) as endpoint:
        usage = ask(endpoint).usage
    assert usage.input_tokens > 0
    assert usage.output_tokens > 0
    assert usage.usd is None
    assert usage.tokens_estimated


PRICES: dict[str, Any] = {"input_price": 10.0, "output_price": 100.0}


@each(
    ("said", "usd"),
    [
        (replace(says.answer(GOOD), cost=0.0123), 0.0123),
        (replace(says.answer(GOOD), cost=0), 0.0),
        (replace(says.answer(GOOD), headers={"x-litellm-response-cost": "0.0042"}), 0.0042),
    ],
)
def test_the_cost_is_what_the_endpoint_reports(said: says.ModelSays, usd: float) -> None:
    for prices in ({}, PRICES):
        with ScriptedModel(in_turn(said)) as endpoint:
            usage = ask(endpoint, **prices).usage
        assert (usage.usd, usage.usd_estimated, usage.tokens_estimated) == (usd, False, False)


@each("cost", ["a lot", "-1", "nan", "1e300"])
def test_a_cost_that_cannot_be_is_none_and_what_prices_make_of_the_tokens_is_an_estimate(cost: str) -> None:
    said = replace(says.answer(GOOD), headers={"x-litellm-response-cost": cost})
    with ScriptedModel(in_turn(said)) as endpoint:
        assert ask(endpoint).usage.usd is None
        usage = ask(endpoint, **PRICES).usage
    assert usage.usd
    assert usage.usd_estimated
    assert not usage.tokens_estimated


def test_a_wrong_key_is_final_and_asked_with_once() -> None:
    async def thrice(model: Model) -> None:
        for version in range(3):
            with pytest.raises(NotAllowed, match="OPENAI_API_KEY"):
                await model.ask(replace(PROMPT, version=version), Verdict, Budget())

    with ScriptedModel(in_turn(says.unauthorized())) as endpoint:
        use(Model(access(endpoint)), thrice)
    assert endpoint.calls == 1


def test_opening_a_model_loads_no_client_and_asks_nothing() -> None:
    script = (
        "import sys\n"
        "from agents.llm.config import ModelConfig\n"
        "from agents.llm.model import Model\n"
        "Model(ModelConfig('m', 'http://127.0.0.1:9/v1'))\n"
        "assert not {'openai', 'httpx2', 'json_repair', 'spar_tui'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[3])


def test_a_cancelled_question_ends_at_once_and_gives_its_turn_back() -> None:
    async def cancel(model: Model) -> None:
        budget = Budget()
        task = asyncio.create_task(model.ask(PROMPT, Verdict, budget))
        while endpoint.calls == 0:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert budget.spent.calls == 1
        await model.ask(PROMPT, Verdict, budget)

    with ScriptedModel(in_turn(says.slow(GOOD, 3600.0), says.answer(GOOD))) as endpoint:
        use(Model(access(endpoint, concurrency=1)), cancel)
