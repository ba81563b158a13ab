"""Whatever the model says or fails to say, a search ends with a ranked list and tells what went wrong."""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

from agents.search.events import Finished, PaperJudged
from agents.search.options import LIMITS, SearchOptions
from agents.search.verdicts import SCORES
from tests.agents.search.world import (
    HONEST,
    Library,
    Searched,
    judge,
    labeled,
    made_up,
    model_at,
    scripted,
    searched,
    shelf,
    shown,
)
from tests.rows import each
from tests.services.model import says as says
from tests.services.model.says import ModelSays
from tests.services.model.server import ModelRequest, ScriptedModel

PAPERS = made_up(40)
ALL = SearchOptions(choose_sources=False)
HOPELESS: dict[str, Callable[[], ModelSays]] = {
    "wrong JSON": says.wrong,
    "something else": says.incomplete,
    "prose": says.prose,
    "nothing": says.empty,
    "no content": says.silent,
    "a refusal": says.refusal,
    "a filter": says.filtered,
    "half an answer": lambda: says.cut_off({"label": 3, "quote": ""}),
    "a reset connection": says.dropped,
    "a login page": says.page,
    "no choices": says.no_choices,
    "an upstream error": lambda: says.error_in_ok(502),
    "broken JSON": says.broken_json,
    "401": says.unauthorized,
    "429 without end": lambda: says.slow_down("0"),
    "no money": says.quota,
    "500": says.down,
    "too long a context": says.overflow,
    "megabytes": says.endless,
}


@cache
def plain() -> Searched:
    """A search without a model."""
    return searched(shelf(Library(PAPERS)), ALL)


@each("how", HOPELESS)
def test_a_model_that_fails_every_time_costs_no_answer(how: str) -> None:
    """The list is the one of a search without a model, and the reason is told."""
    with ScriptedModel(lambda request: HOPELESS[how]()) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        assert 0 < endpoint.calls <= 8
    assert sorted(found.titles[:10]) == sorted(plain().titles[:10])
    assert sum("took over" in sentence for sentence in found.state.warnings) == 1
    assert all(sentence.endswith(".") and "CANARY" not in sentence for sentence in found.state.warnings)
    assert found.of(Finished)[0].ending == "complete"


@each("step", ["understand", "judge", "evolve"])
def test_a_step_that_fails_is_taken_over_and_the_others_go_on(step: str) -> None:
    """Unless it fails so often that the model rests."""
    with scripted(**{step: lambda request: says.refusal()}) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        others = ("understand", "judge", "evolve") if step != "judge" else ("understand", "judge")
        assert all(endpoint.asked(other) for other in others)
        assert len(endpoint.asked(step)) <= 8
    assert found.titles
    instead = "Its judgements by words alone count." if step == "judge" else "Built-in rules took over."
    assert sum(sentence.endswith(instead) for sentence in found.state.warnings) == 1


@each("step", ["understand", "judge", "evolve"])
def test_a_slow_model_is_not_waited_for_longer_than_its_time(step: str) -> None:
    with scripted(**{step: lambda request: says.slow(HONEST[step](request), 60.0)}) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint, seconds=0.4)), ALL)
    assert found.titles
    assert any("did not answer" in sentence for sentence in found.state.warnings)


def test_a_model_too_slow_for_the_whole_question_writes_the_needs_and_queries_alone() -> None:
    slow = {
        "understand": lambda request: says.slow(HONEST["understand"](request), 60.0),
        "understand_queries": lambda request: {"needs": ["sparse retrieval"], "queries": ["learned term weights"]},
    }
    with scripted(**slow) as endpoint:
        model = model_at(endpoint, seconds=0.6)
        found = searched(shelf(Library(PAPERS), model=model), ALL, "sparse retrieval since 2005")
    read = found.state.understood
    assert read is not None
    assert (read.by, read.needs) == ("model", ("sparse retrieval",))
    assert "learned term weights" in read.queries
    assert read.since == date(2005, 1, 1), "a rule reads what the model was not asked for"
    [warning] = [one for one in found.state.warnings if "did not answer in time" in one]
    assert warning.endswith("It then wrote the queries alone; built-in rules read the rest of the question.")


def test_a_model_of_a_small_context_writes_the_queries_and_judges_paper_by_paper() -> None:
    """What it refuses unread costs no call."""

    def short(request: ModelRequest) -> ModelSays:
        room = sum(len(text) for _, text in request.messages) / 3 + request.body["max_tokens"]
        return says.overflow() if room > 1_500 else says.answer(HONEST[request.name](request))

    with ScriptedModel(short) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        answered = {request.name for request in endpoint.requests if short(request).status == 200}
    read = found.state.understood
    assert read is not None
    assert read.by == "model"
    assert answered == {"understand-queries", "judge-words", "judge", "evolve"}
    assert {judgement.by for judgement in found.state.judged.values()} == {"model"}
    [warning] = [one for one in found.state.warnings if "cannot read a prompt of this length" in one]
    assert warning.endswith("It then wrote the queries alone; built-in rules read the rest of the question.")
    assert found.state.cost.calls == sum(short(request).status == 200 for request in endpoint.requests)


ODD: dict[str, object] = {
    "out of range": 7,
    "below zero": -1,
    "in words": "high",
    "none": None,
    "true": True,
    "a share": 0.9,
    "out of ten": "3/10",
}
"""Labels that no judge may give."""


@each("how", ODD)
def test_every_judgement_is_of_a_paper_that_was_asked_about_and_from_0_to_1(how: str) -> None:
    with scripted(
        judge=lambda request: {**judge(request), "label": ODD[how]},
        judge_words=lambda request: labeled(request, lambda words: ODD[how]),
    ) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
        asked = {entry["title"] for request in endpoint.asked("judge") for entry in shown(request)}
    judged = found.of(PaperJudged)
    by_model = [judgement for judgement in judged if judgement.by == "model"]
    assert {found.state.found[found.state.work(judgement.work)].paper.title for judgement in by_model} <= asked
    assert len({judgement.work for judgement in judged}) == len(judged)
    assert all(0 <= judgement.score <= 1 for judgement in judged)
    assert found.titles
    assert any("Built-in rules took over" in sentence for sentence in found.state.warnings)
    assert any(judgement.by == "built-in" for judgement in judged)


def test_what_is_not_a_number_is_no_label() -> None:
    """NaN is no JSON; some models write it all the same."""
    spoiled = says.ModelSays('{"label": NaN, "reason": "", "quote": ""}')
    with scripted(judge=lambda request: spoiled, judge_words=lambda request: spoiled) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert all(0 <= event.score <= 1 for event in found.of(PaperJudged))
    assert all(event.by == "built-in" for event in found.of(PaperJudged))


@each("written", [3, "3", 3.0, "3/3", "3: it answers it"])
def test_labels_are_understood_as_models_write_them(written: object) -> None:
    with scripted(judge=lambda request: {**judge(request), "label": written}) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert {event.score for event in found.of(PaperJudged) if not event.by_words} == {SCORES[3]}


def test_a_storm_of_429_that_passes_costs_nothing_but_time() -> None:
    """Four refusals for speed, then the model answers: its judgements stand."""
    refused: list[int] = []

    def stormy(request: ModelRequest) -> object:
        if len(refused) < 4:
            refused.append(1)
            return says.slow_down("0.1")
        return judge(request)

    with scripted(judge=stormy) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert any(event.by == "model" for event in found.of(PaperJudged))
    assert found.titles


@each(("mode", "most"), [("fast", 10), ("deep", 510)])
def test_a_search_over_hundreds_of_papers_keeps_within_its_calls(mode: Any, most: int) -> None:
    """Four sources, 400 papers: an honest model is asked about each paper twice at most, in a fast search about most of
    them once, twenty together."""
    papers = made_up(400)
    names = ("openalex", "pubmed", "semanticscholar", "arxiv")
    sources = [Library(papers[place * 100 :: 2] + papers[place::4], name) for place, name in enumerate(names)]
    with scripted() as endpoint:
        found = searched(shelf(*sources, model=model_at(endpoint)), SearchOptions(choose_sources=False, mode=mode))
        asked = endpoint.calls
        judged = len(endpoint.asked("judge"))
    assert asked <= most
    assert found.state.counts.screened > 100
    assert judged <= LIMITS[mode].judged
    works = [(event.work, event.by_words) for event in found.of(PaperJudged) if event.by == "model"]
    assert len(works) == len(set(works))
    assert LIMITS[mode].judged * 0.3 < len({work for work, _ in works}) <= LIMITS[mode].judged
    told = ("was not asked about", "by words alone")
    assert not [sentence for sentence in found.state.warnings if not any(part in sentence for part in told)]
