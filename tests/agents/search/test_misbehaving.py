"""The ways in which models misbehave: a search ends with a list, after few wasted calls, and what it says of the
model is so.

What is merely said in another way is understood, without a word.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from agents.llm.model import Model
from agents.search.events import Finished, PaperJudged
from agents.search.options import SearchOptions
from cache.store import Store
from tests.agents.llm.use import access
from tests.agents.search.claims import logged, untrue
from tests.agents.search.world import HONEST, Library, Searched, made_up, scripted, searched, shelf
from tests.library import copied
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, ScriptedModel

PAPERS = made_up(14)
FAST = SearchOptions(choose_sources=False)
WASTED = 8
"""Calls that a model of no use may cost."""
Says = Callable[[ModelRequest], ModelSays]


def always(said: ModelSays) -> Says:
    return lambda request: said


def written(text: str) -> Says:
    return always(ModelSays(text))


def honest(request: ModelRequest) -> Any:
    return HONEST[request.name](request)


def changed(change: Callable[[dict[str, Any], ModelRequest], Any]) -> Says:
    """Honest answers with every row that has an id or a label changed."""

    def say(request: ModelRequest) -> ModelSays:
        return says.answer(rows_changed(honest(request), lambda row: change(row, request)))

    return say


def rows_changed(answer: Any, change: Callable[[dict[str, Any]], Any]) -> Any:
    if isinstance(answer, dict):
        return (
            change(answer)
            if {"id", "label"} & answer.keys()
            else {key: rows_changed(one, change) for key, one in answer.items()}
        )
    return [rows_changed(one, change) for one in answer] if isinstance(answer, list) else answer


def scored(by: float) -> Says:
    """Labels on another scale; the other steps are done correctly."""
    return only_the_judge(lambda request: says.answer({**honest(request), "label": by}))


def only_the_judge(say: Says) -> Says:
    return lambda request: say(request) if request.name == "judge" else says.answer(honest(request))


def not_first(say: Says) -> Says:
    """Understands the question, and fails from then on."""
    return lambda request: says.answer(honest(request)) if request.name == "understand" else say(request)


TABLE = "| id | score |\n|---|---|\n| p1 | 0.9 |\n| p2 | 0.4 |"
SORRY = "I'm sorry, but I can't help with that request."
MISBEHAVING: dict[str, Says] = {
    "prose": always(says.prose()),
    "a refusal": always(says.refusal()),
    "a refusal in words": written(SORRY),
    "a refusal in JSON": written(json.dumps({"error": SORRY})),
    "a filter": always(says.filtered()),
    "nothing": always(says.empty()),
    "no content": always(says.silent()),
    "blanks": written(" \n\n\t "),
    "thinking cut short": always(says.thinking()),
    "thinking without an end": written("<think>Let me see. The first paper {is} on " + "and on " * 200),
    "half an answer": always(ModelSays('{"label": ', finish="length")),
    "half a word": written('{"labe'),
    "an empty object": written("{}"),
    "an empty list": written("[]"),
    "null": written("null"),
    "a number": written("0.9"),
    "another object": always(says.incomplete()),
    "a table": written(TABLE),
    "YAML": written("label: 3\nquote: it\n"),
    "XML": written("<verdict><label>3</label></verdict>"),
    "no JSON to speak of": always(says.wrong()),
    "only braces": written("{{{{{{" * 50),
    "the schema": lambda request: written(json.dumps(request.body.get("response_format", {"type": "object"})))(request),
    "the prompt": lambda request: ModelSays(request.system),
    "the same word": written("paper " * 5_000),
    "words of another shape": written(json.dumps(dict.fromkeys(["label", "papers", "refined", "queries"], "good"))),
    "a call without arguments": always(ModelSays(None, call="", finish="tool_calls")),
    "megabytes": always(says.endless()),
    "a login page": always(says.page()),
    "no choices": always(says.no_choices()),
    "broken JSON": always(says.broken_json()),
    "packed": always(ModelSays(body=b"\x1f\x8b", headers={"Content-Encoding": "gzip"})),
    "an upstream error": always(says.error_in_ok(502)),
    "401": always(says.unauthorized()),
    "no money": always(says.quota()),
    "another model": always(says.error(404, "The model `x` does not exist", "model_not_found")),
    "429 without a time": always(says.slow_down()),
    "429 without end": always(says.slow_down("0")),
    "429 for an hour": always(says.slow_down("3600")),
    "500": always(says.down()),
    "a page of 503": always(says.page(503)),
    "a reset connection": always(says.dropped()),
    "a redirect": always(says.elsewhere("http://127.0.0.1:9/v1")),
    "a bad request": always(says.error(400, "Invalid value for 'messages'")),
    "no context": always(says.overflow()),
    "no answer in time": lambda request: says.slow(honest(request), 30.0),
    "no label": changed(lambda row, request: {key: one for key, one in row.items() if key != "label"}),
    "prose but for the first": not_first(always(says.prose())),
    "refusals but for the first": not_first(always(says.refusal())),
    "nothing but for the first": not_first(always(says.empty())),
    "scores to 10": scored(10),
    "scores to 100": scored(100),
    "all labels 3 and no quotes": changed(
        lambda row, request: {**row, "label": 3, "quote": ""} if request.name == "judge" else row
    ),
    "quotes that stand nowhere": changed(
        lambda row, request: {**row, "label": 3, "quote": "as everybody knows"} if request.name == "judge" else row
    ),
}

ALIKE = frozenset({
    "a refusal in words", "a refusal in JSON", "no content", "blanks", "thinking without an end", "half a word",
    "an empty object", "null", "a number", "a table", "YAML", "XML", "no JSON to speak of", "only braces", "the schema",
    "the same word", "no choices", "an upstream error", "another model", "429 without a time", "429 without end",
    "a page of 503", "refusals but for the first", "nothing but for the first", "scores to 10",
})  # fmt: skip
"""Each takes the way of another one: `make reliability` searches with them too."""
USABLE = ("all labels 3 and no quotes", "quotes that stand nowhere")
"""In these the answers are what was asked for, as far as they go."""


@cache
def plain() -> Searched:
    """A search without a model."""
    return searched(shelf(Library(PAPERS)), FAST)


def kept(store: Store) -> list[str]:
    with store.reading() as db:
        return [str(row[0]) for row in db.execute("SELECT prompt FROM model_replies")]


def model_for(endpoint: ScriptedModel, store: Store, how: str) -> Model:
    return Model(access(endpoint, seconds=0.3 if how == "no answer in time" else 20.0), store)


@pytest.mark.parametrize("how", [how for how in MISBEHAVING if how not in ALIKE])
def test_a_search_ends_with_a_list_after_few_wasted_calls_and_true_sentences(how: str, tmp_path: Path) -> None:
    say, exchanges = logged(MISBEHAVING[how])
    with ScriptedModel(say) as endpoint, Store.open(copied(tmp_path / "spar.db")) as store:
        found = searched(shelf(Library(PAPERS), model=model_for(endpoint, store, how)), FAST)
        remembered = kept(store)
        assert not endpoint.surprises
    assert sorted(found.titles) == sorted(plain().titles)
    assert found.of(Finished)[0].ending == "complete"
    wasted = [request.name for request, said in exchanges if said != says.answer(honest(request))]
    assert how in USABLE or len(wasted) <= WASTED
    assert 1 <= len(found.state.warnings) <= 3
    assert untrue(found, exchanges) == []
    assert len(remembered) <= endpoint.calls - (0 if how in USABLE else len(wasted))


def test_sentences_on_one_model_are_not_true_of_another() -> None:
    """So that the test above sees an untrue sentence where there is one."""
    searches = []
    for how in ("prose", "500", "401"):
        say, exchanges = logged(MISBEHAVING[how])
        with ScriptedModel(say) as endpoint:
            searches.append((searched(shelf(Library(PAPERS), model=Model(access(endpoint))), FAST), exchanges))
    for (found, _), (_, exchanges) in pairwise([*searches, searches[0]]):
        assert untrue(found, exchanges)


UNDERSTOOD: dict[str, Says] = {
    "fences": lambda request: says.fenced(honest(request)),
    "chat around it": lambda request: says.chatty(honest(request)),
    "a comma too many": lambda request: says.sloppy(honest(request)),
    "single quotes": lambda request: ModelSays(str(honest(request))),
    "reasoning_content": lambda request: says.reasoned(honest(request)),
    "arguments of a call": lambda request: says.called(honest(request)),
    "an outer object": lambda request: says.answer({"answer": honest(request)}),
    "no counts": lambda request: replace(says.answer(honest(request)), counted=False),
    "labels as text": changed(lambda row, request: {**row, "label": f"{row['label']}/3"} if "label" in row else row),
}


def by_work(found: Searched) -> list[PaperJudged]:
    return sorted(found.of(PaperJudged), key=lambda judged: judged.work)


@cache
def well() -> Searched:
    """A search with a model that behaves."""
    with scripted() as endpoint:
        return searched(shelf(Library(PAPERS), model=Model(access(endpoint))), FAST)


@each("how", UNDERSTOOD)
def test_what_is_said_in_another_way_is_understood_without_a_word(how: str) -> None:
    with ScriptedModel(UNDERSTOOD[how]) as endpoint:
        found = searched(shelf(Library(PAPERS), model=Model(access(endpoint))), FAST)
    assert found.titles == well().titles
    assert by_work(found) == by_work(well())  # papers are judged at once, so any may come first
    assert {judged.by for judged in found.of(PaperJudged)} == {"model"}
    assert not found.state.warnings
