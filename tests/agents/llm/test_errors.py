"""Every way in which an endpoint fails has a name, one sentence, and at most two requests."""

import asyncio
import time
from dataclasses import replace

import pytest

from agents.llm.answers.replies import event_fault, read_reply
from agents.llm.budget import Budget, BudgetSpent
from agents.llm.endpoint import FAILURES
from agents.llm.errors import (
    ModelDown,
    ModelError,
    ModelUnreachable,
    NoSuchModel,
    NotAllowed,
    QuotaGone,
    Refused,
    Rejected,
    SlowedDown,
    TooLong,
    TooSlow,
    Unavailable,
    Unusable,
)
from agents.llm.model import Model
from tests.agents.llm.use import GOOD, PROMPT, Verdict, access, ask, failure, use
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.server import ModelRequest, ScriptedModel, in_turn
from tests.work import at_least

FAULTS: list[tuple[says.ModelSays, type[ModelError], int, str]] = [
    (says.unauthorized(), NotAllowed, 1, "OPENAI_API_KEY"),
    (says.error(403, "Country not supported", "unsupported_country"), NotAllowed, 1, "403"),
    (says.page(403), NotAllowed, 1, "403"),
    (says.quota(), QuotaGone, 1, "billing"),
    (says.error(402, "Insufficient Balance"), QuotaGone, 1, "billing"),
    (says.error(404, "The model `x` does not exist", "model_not_found"), NoSuchModel, 1, "SPAR_MODEL"),
    (says.page(404), NoSuchModel, 1, "/v1"),
    (says.slow_down("3600"), SlowedDown, 1, "pause"),
    (says.slow_down("1e9"), SlowedDown, 1, "pause"),
    (says.slow_down("soon"), SlowedDown, 2, "pause"),
    (says.slow_down(), SlowedDown, 2, "pause"),
    (says.slow_down("0"), SlowedDown, 2, "pause"),
    (says.down(500), Unavailable, 2, "500"),
    (says.page(503), Unavailable, 2, "503"),
    (says.error_in_ok(502), Unavailable, 2, "502"),
    (says.error_in_ok(7), Unavailable, 2, "500"),
    (says.dropped(), ModelDown, 2, "lost the connection"),
    (says.overflow(), TooLong, 1, "8192"),
    (says.error(413, "Payload too large"), TooLong, 1, "length"),
    (says.error(400, "Invalid value for 'messages'"), Rejected, 1, "Invalid value"),
    (says.elsewhere("http://127.0.0.1:9/v1/chat/completions"), Rejected, 1, "OPENAI_BASE_URL"),
    (says.refusal(), Refused, 1, "can't help"),
    (says.filtered(), Refused, 1, "filter"),
    (says.page(), Unusable, 1, "login page"),
    (says.broken_json(), Unusable, 1, "with JSON"),
    (says.raw([1]), Unusable, 2, "OPENAI_BASE_URL"),
    (says.raw({"choices": [{"message": {"content": [1, {"text": 3}]}}]}), Unusable, 2, "nothing"),
    (says.raw({"choices": "x", "usage": "y"}), Unusable, 2, "OPENAI_BASE_URL"),
    (says.endless(), Unusable, 2, "MB"),
    (says.ModelSays(status=200, body=b"\x1f\x8b", headers={"Content-Encoding": "gzip"}), Unusable, 2, "compression"),
]


@each(("said", "kind", "calls", "word"), FAULTS)
def test_a_fault_has_its_name_and_sentence(said: says.ModelSays, kind: type[ModelError], calls: int, word: str) -> None:
    with ScriptedModel(in_turn(said)) as endpoint:
        error = failure(endpoint, kind)
    assert type(error) is kind
    assert word in error.sentence
    assert endpoint.calls == calls
    assert error.usage.calls == (calls if error.billed else 0)
    if isinstance(error, ModelDown | SlowedDown | TooLong):
        assert error.usage.output_tokens == 0, "tokens are counted that never came"


def test_requests_that_are_refused_unread_use_up_no_calls() -> None:
    """A context that is too small, pauses and a server that is down leave the calls for those that are answered."""
    said = in_turn(says.overflow(), says.slow_down("0"), says.answer(GOOD), says.down(503), says.answer(GOOD))

    async def often(model: Model) -> None:
        budget = Budget(calls=2)
        with pytest.raises(TooLong):
            await model.ask(replace(PROMPT, user="a" * 9_000), Verdict, budget)
        for version in (2, 3):
            assert (await model.ask(replace(PROMPT, version=version), Verdict, budget)).usage.calls == 1
        with pytest.raises(BudgetSpent):
            await model.ask(replace(PROMPT, version=4), Verdict, budget)

    with ScriptedModel(said) as endpoint:
        use(Model(access(endpoint)), often)
    assert endpoint.calls == 5


@each("said", [says.slow_down("0"), says.slow_down("1"), says.slow_down(), says.down(502), says.dropped()])
def test_what_may_pass_is_asked_once_more(said: says.ModelSays) -> None:
    with ScriptedModel(in_turn(said, says.answer(GOOD))) as endpoint:
        assert ask(endpoint).answer.score == 0.5
    assert endpoint.calls == 2


def test_a_retry_after_is_kept_by_everybody() -> None:
    async def one_after_the_other(model: Model) -> None:
        with pytest.raises(SlowedDown):
            await model.ask(PROMPT, Verdict, Budget())
        await model.ask(replace(PROMPT, version=2), Verdict, Budget())

    said = in_turn(says.slow_down("0.5"), says.slow_down("0.5"), says.answer(GOOD))
    with ScriptedModel(said) as endpoint, at_least(1.0):
        use(Model(access(endpoint)), one_after_the_other)
    assert endpoint.calls == 3


def test_a_long_retry_after_closes_the_door_for_the_next_ones() -> None:
    async def twice(model: Model) -> None:
        for version in range(2):
            with pytest.raises(SlowedDown):
                await model.ask(replace(PROMPT, version=version), Verdict, Budget())

    with ScriptedModel(in_turn(says.slow_down("600"))) as endpoint:
        use(Model(access(endpoint)), twice)
    assert endpoint.calls == 1


def test_a_server_that_is_not_there_is_named() -> None:
    with ScriptedModel(in_turn(says.answer(GOOD))) as endpoint:
        pass
    error = failure(endpoint, ModelUnreachable)
    assert "is the server running" in error.sentence
    assert endpoint.url.split("/")[2] in error.sentence
    assert error.usage.calls == 0


def test_a_dead_endpoint_is_left_alone_after_a_few_failures() -> None:
    async def often(model: Model) -> None:
        for version in range(FAILURES * 3):
            with pytest.raises(ModelDown):
                await model.ask(replace(PROMPT, version=version), Verdict, Budget())

    with ScriptedModel(in_turn(says.dropped())) as endpoint:
        use(Model(access(endpoint)), often)
    assert endpoint.calls == FAILURES


USELESS = {
    "prose": says.prose(),
    "refusals": says.refusal(),
    "a filter": says.filtered(),
    "nothing": says.empty(),
    "thoughts": says.thinking(),
    "half": says.cut_off(GOOD),
    "another shape": says.incomplete(),
    "a login page": says.page(),
    "429 without a time": says.slow_down(),
    "bad requests": says.error(400, "Invalid value for 'messages'"),
}


@each("how", USELESS)
def test_a_model_that_says_nothing_of_use_rests_after_four_answers_and_says_why_without_asking(how: str) -> None:
    async def often(model: Model) -> set[str]:
        sentences = set()
        for version in range(FAILURES * 3):
            with pytest.raises(ModelError) as caught:
                await model.ask(replace(PROMPT, version=version), Verdict, Budget())
            sentences.add(type(caught.value).__name__)
        assert caught.value.usage.calls == 0
        return sentences

    with ScriptedModel(in_turn(USELESS[how])) as endpoint:
        kinds = use(Model(access(endpoint)), often)
    assert endpoint.calls == FAILURES
    assert len(kinds) == 1


def test_one_good_answer_is_enough_to_go_on() -> None:
    said = in_turn(*[says.prose(), says.answer(GOOD)] * 10)

    async def often(model: Model) -> None:
        for version in range(10):
            await model.ask(replace(PROMPT, version=version), Verdict, Budget())

    with ScriptedModel(said) as endpoint:
        use(Model(access(endpoint)), often)
    assert endpoint.calls == 20


def test_while_answers_are_in_doubt_one_question_is_asked_at_a_time() -> None:
    async def many(model: Model) -> None:
        with pytest.raises(ModelError):
            await model.ask(PROMPT, Verdict, Budget())
        asked = (model.ask(replace(PROMPT, version=n), Verdict, Budget()) for n in range(2, 20))
        await asyncio.gather(*asked, return_exceptions=True)

    with ScriptedModel(in_turn(says.prose()), latency=0.05) as endpoint:
        use(Model(access(endpoint)), many)
    assert (endpoint.calls, endpoint.peak) == (FAILURES, 1)


def test_a_prompt_that_was_too_long_once_is_not_sent_again() -> None:
    def script(request: ModelRequest) -> says.ModelSays:
        return says.overflow() if len(request.text) > 6_000 else says.answer(GOOD)

    async def ask_long_and_short(model: Model) -> None:
        for letters in (9_000, 12_000, 9_001):
            with pytest.raises(TooLong, match="8192"):
                await model.ask(replace(PROMPT, user="a" * letters), Verdict, Budget())
        await model.ask(PROMPT, Verdict, Budget())

    with ScriptedModel(script) as endpoint:
        use(Model(access(endpoint)), ask_long_and_short)
    assert endpoint.calls == 2


def test_the_clock_of_a_question_starts_when_a_server_that_does_one_at_a_time_has_come_to_it() -> None:
    """Four questions of 1 s each are sent side by side to a server that answers one after the other."""
    free = [0.0]

    def script(request: ModelRequest) -> says.ModelSays:
        free[0] = max(free[0], time.monotonic()) + 1
        return replace(says.answer(GOOD), seconds=free[0] - time.monotonic())

    async def many(model: Model) -> int:
        asked = (model.ask(replace(PROMPT, version=n), Verdict, Budget()) for n in range(4))
        return len(await asyncio.gather(*asked))

    with ScriptedModel(script) as endpoint:
        assert use(Model(access(endpoint, seconds=3)), many) == 4
    assert endpoint.peak == 4


def test_a_slow_model_costs_its_seconds_and_is_named() -> None:
    with ScriptedModel(in_turn(says.slow(GOOD, 3600.0))) as endpoint:
        error = failure(endpoint, TooSlow, seconds=0.5)
    assert "model_seconds" in error.sentence
    assert error.usage.calls == 1
    assert error.usage.input_tokens > error.usage.output_tokens == 0, "what was sent is counted, and what came"


def test_an_endpoint_that_answered_slowly_has_more_time_for_a_long_answer() -> None:
    async def twice(model: Model) -> object:
        await model.ask(PROMPT, Verdict, Budget())
        return await model.ask(replace(PROMPT, version=2), Verdict, Budget())

    with ScriptedModel(in_turn(says.slow(GOOD, 0.2), says.slow(GOOD, 1.4))) as endpoint:
        assert use(Model(access(endpoint, seconds=1.0)), twice)
    with ScriptedModel(in_turn(says.slow(GOOD, 1.4))) as endpoint:
        failure(endpoint, TooSlow, seconds=1.0)


def test_the_deadline_holds_for_both_tries_together() -> None:
    with ScriptedModel(in_turn(replace(says.wrong(), seconds=0.6), says.slow(GOOD, 0.6))) as endpoint:
        failure(endpoint, TooSlow, seconds=1.0)  # either try alone would do


def test_waiting_for_a_turn_is_no_fault_of_the_model() -> None:
    async def many(model: Model) -> int:
        asked = (model.ask(replace(PROMPT, version=n), Verdict, Budget()) for n in range(4))
        return len(await asyncio.gather(*asked))

    with ScriptedModel(in_turn(says.slow(GOOD, 0.5))) as endpoint:
        assert use(Model(access(endpoint, concurrency=1, seconds=1.9)), many) == 4


@each(
    ("body", "word"),
    [
        (b'{"object":"error","message":"max length exceeded","code":400}', "max length exceeded"),
        (b'{"detail":"Not Found"}', "Not Found"),
        (b'{"error":"model requires more system memory"}', "memory"),
        (b'{"detail":[{"loc":["body","n"],"msg":"bad"}]}', "HTTP 422"),
        (b"plain words", "plain words"),
        (b"\xff\xfe", "HTTP 422"),
        (b"", "HTTP 422"),
    ],
)
def test_a_servers_own_words_are_quoted_whatever_their_form(body: bytes, word: str) -> None:
    with pytest.raises(ModelError, match=word):
        read_reply("The model", 422, {}, body)


@each(
    ("error", "kind"),
    [
        ({"code": "context_length_exceeded", "message": "too long"}, TooLong),
        ({"code": "insufficient_quota", "message": "no"}, QuotaGone),
        ({"code": "rate_limit_exceeded", "message": "no"}, SlowedDown),
        ({"message": "Overloaded"}, ModelDown),
        ("words", ModelDown),
        (None, ModelDown),
    ],
)
def test_an_error_in_the_middle_of_a_stream_has_the_same_name(error: object, kind: type[ModelError]) -> None:
    assert type(event_fault("The model", error)) is kind
