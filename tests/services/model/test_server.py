"""The scripted model speaks the API it stands in for, and is loud about what its script does not know."""

from __future__ import annotations

import httpx

from tests.services.model.says import ModelSays, answer
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt, in_turn


def _ask(endpoint: ScriptedModel, name: str = "judge", **more: object) -> httpx.Response:
    schema = {"name": name, "strict": True, "schema": {"title": name, "type": "object"}}
    body = {
        "model": "scripted-1",
        "messages": [{"role": "user", "content": "Hello"}],
        "response_format": {"type": "json_schema", "json_schema": schema},
        **more,
    }
    with httpx.Client(trust_env=False, timeout=60) as client:
        return client.post(f"{endpoint.url}/chat/completions", json=body)


def test_an_unknown_prompt_is_a_loud_500() -> None:
    with ScriptedModel(by_prompt({"judge": lambda request: {}})) as endpoint:
        reply = _ask(endpoint, "plan")
    assert reply.status_code == 500
    assert "plan" in reply.json()["error"]["message"]
    assert endpoint.surprises


def test_a_script_sees_the_prompts_name_its_words_and_its_number() -> None:
    seen: list[ModelRequest] = []

    def script(request: ModelRequest) -> ModelSays:
        seen.append(request)
        return answer({"n": request.number})

    with ScriptedModel(by_prompt({"judge": script})) as endpoint:
        replies = [_ask(endpoint).json()["choices"][0]["message"]["content"] for _ in range(2)]
    assert replies == ['{"n": 1}', '{"n": 2}']
    assert [(one.name, one.text, one.by_schema) for one in seen] == [("judge", "Hello", True)] * 2


def test_in_words_the_name_is_the_title_of_the_schema() -> None:
    words = [{"role": "system", "content": 'Answer by\n{"title":"plan","type":"object"}'}]
    with ScriptedModel(by_prompt({"plan": lambda request: {"ok": True}})) as endpoint:
        _ask(endpoint, messages=words, response_format={})
    assert [request.name for request in endpoint.requests] == ["plan"]


def test_a_stream_ends_with_usage_and_done() -> None:
    with ScriptedModel(in_turn(ModelSays("Hello world"))) as endpoint:
        lines = _ask(endpoint, stream=True, stream_options={"include_usage": True}).text.strip().split("\n\n")
    assert lines[-1] == "data: [DONE]"
    assert '"usage"' in lines[-2]
    assert '"finish_reason": "stop"' in lines[-3]


def test_another_model_and_another_path_are_unknown() -> None:
    with ScriptedModel(in_turn(answer({}))) as endpoint, httpx.Client(trust_env=False) as client:
        assert _ask(endpoint, model="other").status_code == 404
        assert client.get(f"{endpoint.url}/embeddings").status_code == 404
        assert [row["id"] for row in client.get(f"{endpoint.url}/models").json()["data"]] == ["scripted-1"]
