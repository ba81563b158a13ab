"""The model plans a whole turn in one call, before any step is done."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agents.assistant.events import StepDone, TurnPlanned
from agents.assistant.options import ConversationOptions
from agents.assistant.planning import MOST_STEPS
from cache.store import Store
from tests.agents.assistant.world import GOOD, LISTED, NOW, TOO_STRICT, Talk, kept, planned, scripted, told
from tests.services.model import says
from tests.services.model.server import ModelRequest, ScriptedModel, by_prompt

QUESTION = "the latest three papers on dense retrieval"


def test_the_model_plans_all_steps_in_one_question_and_they_are_done_as_planned(store: Store) -> None:
    with scripted() as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert len(endpoint.asked("assistant-plan")) == 1
    assert talk.plan.by == "model"
    assert talk.tools == [done.tool for done in talk.of(StepDone)] == ["filter", "rank", "list"]
    assert talk.titles == ["Study 9 of dense retrieval", "Study 8 of dense retrieval", "Study 7 of dense retrieval"]


@pytest.mark.parametrize(
    ("plan", "most"),
    [
        (planned(("list", {})), 1),
        (LISTED, 1),
        (planned(TOO_STRICT, ("list", {})), 2),
        (planned(TOO_STRICT, ("rank", {"by": "newest"}), ("list", {}), in_words=True), 3),
    ],
)
def test_a_usual_turn_asks_the_model_three_times_at_most(store: Store, plan: dict[str, Any], most: int) -> None:
    """Calls: the plan, the critic if a step found nothing, and the answer if it needs words."""
    answer = {"sentences": [{"text": "P1 takes 19 ms.", "rests_on": ["P1"]}]}
    with scripted(plan, answer=answer) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert endpoint.calls == talk.calls == most
    assert not endpoint.surprises
    assert not talk.warnings


def test_a_plan_that_cannot_be_done_is_made_again_once_and_the_model_is_told_why(store: Store) -> None:
    bad = planned(("filter", {"colour": "red"}), ("fly", {}), ("rank", {"by": "beauty"}))
    with scripted(lambda request: bad if "Faults" not in told(request) else LISTED) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    first, second = endpoint.asked("assistant-plan")
    assert "Faults" not in told(first)
    faults = told(second)["Faults"]
    assert [fault.partition(":")[0] for fault in faults] == ["Step 1", "Step 2", "Step 3"]
    assert "colour" in faults[0]
    assert "no tool 'fly'" in faults[1]
    assert talk.plan.by == "model"
    assert talk.tools == ["filter", "rank", "list"]
    assert not talk.warnings


UNUSABLE: dict[str, Any] = {
    "a tool that does not exist": planned(("fly", {})),
    "an argument that does not exist": planned(("filter", {"colour": "red"})),
    "arguments that are no object": {**LISTED, "steps": [{"tool": "list", "arguments": "[1, 2]"}]},
    "arguments that are no JSON": {**LISTED, "steps": [{"tool": "list", "arguments": "first: 3"}]},
    "more steps than may be": planned(*[("list", {"first": number + 1}) for number in range(MOST_STEPS + 1)]),
    "thousands of steps": planned(*[("filter", {"words": ["x"]})] * 3_000),
    "one search after the other": planned(*[("search", {"question": f"q{number}"}) for number in range(8)]),
    "the same change twice": planned(("save", {"papers": ["@1"]}), ("save", {"papers": ["@1"]})),
    "prose": says.prose(),
    "nothing": says.empty(),
    "null": says.silent(),
    "a refusal": says.refusal(),
    "a filter": says.filtered(),
    "half a plan": says.cut_off(LISTED),
    "another object": says.incomplete(),
    "a broken reply": says.broken_json(),
    "a login page": says.page(),
    "a failing server": says.down(),
    "a dropped connection": says.dropped(),
}


@pytest.mark.parametrize("said", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_whatever_the_model_does_rules_plan_in_its_place_and_that_is_said_once(store: Store, said: Any) -> None:
    before = kept(store)
    with scripted(said) as endpoint:
        talk = Talk(store, endpoint)
        talk.say("papers on dense retrieval since 2017")
        assert talk.plan.by == "built-in"
        assert talk.tools == ["filter", "list"]
        assert "3 papers" in talk.answered
        talk.say("papers on river ecology since 2018")
    assert "2 papers" in talk.answered
    assert len(talk.warnings) == len(set(talk.warnings)) >= 1
    assert all(sentence.endswith("Built-in rules took over.") for sentence in talk.warnings)
    assert len(talk.warnings) == 1 or said is UNUSABLE["a failing server"] or "left alone" in " ".join(talk.warnings)
    assert kept(store) == before


def test_a_model_that_never_answers_is_given_up(store: Store) -> None:
    with scripted(says.slow(LISTED, 5)) as endpoint:
        talk = Talk(store, endpoint, ConversationOptions(seconds=None))
        talk.patience = 0.3
        talk.say("papers on dense retrieval")
    assert talk.plan.by == "built-in"
    assert "did not answer in time" in talk.warnings[0]


def test_the_planner_hears_the_persons_words_and_counts_and_not_one_word_of_a_paper(store: Store) -> None:
    with scripted() as endpoint:
        talk = Talk(store, endpoint).say(QUESTION).say("and the abstract of the first?")
    parts = told(endpoint.asked("assistant-plan")[-1])
    assert parts["Dialog"] == [
        {
            "person": QUESTION,
            "plan": [{"tool": "filter", "arguments": {"words": ["dense retrieval"]}},
                     {"tool": "rank", "arguments": {"by": "newest"}}, {"tool": "list", "arguments": {"limit": 3}}],
            "candidates": 10,
            "shown": 3,
        }
    ]  # fmt: skip
    assert parts["At hand"] == {"candidates": 10, "shown_last": 3, "one_looked_at": False}
    assert parts["Message"] == "and the abstract of the first?"
    assert parts["Today"] == NOW.date().isoformat()
    heard = json.dumps([request.text for request in endpoint.asked("assistant-plan")])
    assert not any(words in heard for words in ("Study", "We study", "10.1000", "Lovelace", '\\"old\\"'))
    assert talk.answered


def test_the_table_names_every_tool_with_its_arguments_and_what_changes(store: Store) -> None:
    with scripted() as endpoint:
        Talk(store, endpoint).say(QUESTION)
    table = {row["tool"]: row for row in told(endpoint.asked("assistant-plan")[0])["Tools"]}
    assert {name for name, row in table.items() if row.get("changes")} == {
        "save", "unsave", "tag", "note", "mark", "remember", "watch", "take_back",
    }  # fmt: skip
    assert table["rank"]["arguments"]["by"].startswith("relevance|saved|year")
    assert table["take"]["arguments"] == {"papers": "[text]!"}
    assert set(table["mark"]["arguments"]) == {"papers", "as"}


def test_the_nearest_demonstrations_stand_beside_the_message(store: Store) -> None:
    with scripted() as endpoint:
        Talk(store, endpoint).say("read me the abstract of the third one, please")
    examples = told(endpoint.asked("assistant-plan")[0])["Examples"]
    assert len(examples) == 3
    assert examples[-1]["plan"] == [{"tool": "paper", "arguments": {"paper": "@2", "parts": ["abstract"]}}]


def test_what_changes_something_is_only_ever_proposed(store: Store) -> None:
    before = kept(store)
    said = planned(("take", {"papers": ["Study 3 of river ecology"]}), ("save", {"papers": ["@all"]}))
    with scripted(said) as endpoint:
        talk = Talk(store, endpoint).say("save Study 3 of river ecology")
        assert talk.turn.proposed
        assert "Shall I?" in talk.answered
        assert kept(store) == before
        talk.say("yes")
        assert len(endpoint.asked("assistant-plan")) == 1, "a yes needs no plan"
    assert len(kept(store)[0]) == len(before[0]) + 1  # type: ignore[arg-type]


@pytest.mark.parametrize("reply", ["I have saved them.", "You have 12 papers.", "Done! Which next?", "See www.x.org?"])
def test_a_reply_that_claims_something_is_not_shown(store: Store, reply: str) -> None:
    with scripted(planned(reply=reply)) as endpoint:
        talk = Talk(store, endpoint).say("frobnicate the gizmo")
    assert reply not in talk.answered
    assert talk.plan.by == "built-in"


def test_a_question_back_is_passed_on(store: Store) -> None:
    with scripted(planned(reply="Which of the two papers do you mean?")) as endpoint:
        talk = Talk(store, endpoint).say("show me that one")
    assert talk.answered == "Which of the two papers do you mean?"


def test_thanks_and_greetings_cost_nothing(store: Store) -> None:
    with scripted() as endpoint:
        talk = Talk(store, endpoint).say("thanks!").say("hello").say("bye")
    assert endpoint.calls == 0
    assert talk.answered == "Goodbye."


@pytest.mark.parametrize("message", ["papers since 2020 and before 2010", "show more", "undo", "thanks, and BERT?"])
def test_whatever_is_more_than_small_talk_is_the_models_to_plan(store: Store, message: str) -> None:
    with scripted(planned(("list", {}))) as endpoint:
        talk = Talk(store, endpoint).say(message)
    assert len(endpoint.asked("assistant-plan")) == 1
    assert talk.plan.by == "model"


@pytest.mark.parametrize("options", [ConversationOptions(calls=1), ConversationOptions(usd=0.0)])
def test_the_persons_budget_holds_and_rules_go_on(store: Store, options: ConversationOptions) -> None:
    with scripted() as endpoint:
        talk = Talk(store, endpoint, options).say(QUESTION).say(QUESTION)
    assert endpoint.calls <= 1
    assert talk.plan.by == "built-in"
    assert any("does the rest without it" in sentence for sentence in talk.warnings)
    assert talk.turn.answer


def test_without_a_model_nothing_is_asked_and_nothing_is_said_of_it(store: Store) -> None:
    talk = Talk(store).say("papers on dense retrieval since 2017")
    assert talk.plan.by == "built-in"
    assert not talk.warnings
    assert talk.calls == 0


def test_a_turn_that_was_cut_off_goes_on_with_the_plan_that_was_made(store: Store) -> None:
    with scripted() as endpoint:
        cut = Talk(store, endpoint)
        cut.say(QUESTION, lambda event: isinstance(event, StepDone))
        assert cut.turn.answer is None
        resumed = Talk(store, endpoint, so_far=list(cut.events)).go_on()
        assert len(endpoint.asked("assistant-plan")) == 1
    assert [event.by for event in resumed.of(TurnPlanned)] == ["model"]
    assert [done.tool for done in resumed.of(StepDone)] == ["filter", "rank", "list"]
    assert resumed.turn.answer


def test_a_conversation_that_is_stopped_while_the_model_plans_is_planned_by_it_later(store: Store) -> None:
    with scripted(says.slow(LISTED, 1)) as endpoint:
        talk = Talk(store, endpoint, ConversationOptions(seconds=0.3)).say(QUESTION)
        assert talk.turn.plan is None
        again = Talk(store, endpoint, so_far=list(talk.events)).go_on()
    assert again.plan.by == "model"
    assert again.turn.answer


def test_a_model_that_dies_in_the_middle_of_a_turn_leaves_its_plan_done(store: Store) -> None:
    with scripted({**LISTED, "in_words": True}, says.down(), says.dropped()) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert talk.plan.by == "model"
    assert talk.turn.answer
    assert len(talk.titles) == 3
    assert talk.turn.answer.by == "built-in"
    assert talk.warnings


def test_null_arguments_were_not_given(store: Store) -> None:
    said = planned(("filter", {"words": ["dense retrieval"], "since": None, "saved": None}), ("list", {"first": None}))
    with scripted(said) as endpoint:
        talk = Talk(store, endpoint).say("papers on dense retrieval")
    assert dict(talk.plan.steps[0].arguments) == {"words": ["dense retrieval"]}


def test_arguments_may_be_an_object_where_the_endpoint_knows_no_schema(store: Store) -> None:
    said = {**LISTED, "steps": [{"tool": "filter", "arguments": {"words": ["river ecology"]}},
                                {"tool": "list", "arguments": {}}]}  # fmt: skip
    with scripted(said) as endpoint:
        talk = Talk(store, endpoint).say("papers on river ecology")
    assert talk.plan.by == "model"
    assert len(talk.titles) == 10


def test_a_later_message_is_planned_on_the_papers_at_hand(store: Store) -> None:
    def script(request: ModelRequest) -> object:
        since = planned(("filter", {"since": "2018"}), ("list", {}), onward=True)
        return since if told(request)["Message"].startswith("only") else LISTED

    with scripted(script) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION).say("only those since 2018")
    assert len(talk.state.candidates or ()) == 2


# Planning without one of its parts, to measure what that part is worth


def step_by_step(*plan: tuple[str, dict[str, Any]], **more: Any) -> Callable[[ModelRequest], object]:
    """Return a script of a model that writes the next step of a plan, and none at the end."""

    def script(request: ModelRequest) -> object:
        done = len(told(request).get("Plan", ()))
        return planned(*plan[done : done + 1], **more)

    return script


def one_step(script: Callable[[ModelRequest], object]) -> ScriptedModel:
    return ScriptedModel(by_prompt({"assistant-step": script, "assistant-critic": lambda request: GOOD}))


ONE_BY_ONE = ConversationOptions(plan_first=False)
WANTED = (("filter", {"words": ["dense retrieval"]}), ("rank", {"by": "newest"}), ("list", {"limit": 3}))


def test_without_planning_first_each_step_is_asked_for_when_the_one_before_is_done(store: Store) -> None:
    with one_step(step_by_step(*WANTED)) as endpoint:
        talk = Talk(store, endpoint, ONE_BY_ONE).say("the latest papers on dense retrieval")
    asked = endpoint.asked("assistant-step")
    assert [len(told(request).get("Plan", ())) for request in asked] == [0, 1, 2, 3]
    assert [row["candidates"] for row in told(asked[2])["Tracker"]] == [10, 10]
    assert not endpoint.asked("assistant-plan")
    assert talk.tools == ["filter", "rank", "list"]
    assert len(talk.of(StepDone)) == 3, "no step is done twice"
    assert talk.titles == [f"Study {number} of dense retrieval" for number in (9, 8, 7)]
    with scripted(planned(*WANTED)) as endpoint:
        at_once = Talk(store, endpoint).say("the latest papers on dense retrieval")
    assert at_once.titles == talk.titles
    assert len(endpoint.asked("assistant-plan")) == 1


def test_of_several_steps_that_are_written_all_the_same_the_first_alone_is_done(store: Store) -> None:
    hasty = [planned(*WANTED), planned(*WANTED[1:]), planned(WANTED[2]), planned()]
    with one_step(lambda request: hasty[len(told(request).get("Plan", ()))]) as endpoint:
        talk = Talk(store, endpoint, ONE_BY_ONE).say("the latest papers on dense retrieval")
    assert talk.tools == ["filter", "rank", "list"]
    assert len(endpoint.asked("assistant-step")) == 4


def test_one_step_at_a_time_keeps_to_the_calls_and_answers_with_what_there_is(store: Store) -> None:
    with one_step(step_by_step(*WANTED)) as endpoint:
        talk = Talk(store, endpoint, replace(ONE_BY_ONE, calls=2)).say("the latest papers on dense retrieval")
    assert endpoint.calls == 2
    assert talk.tools == ["filter", "rank"]
    assert talk.turn.answer


def test_a_model_that_never_ends_is_stopped_at_the_most_steps(store: Store) -> None:
    endless = planned(("rank", {"by": "newest"}))
    with one_step(lambda request: endless) as endpoint:
        talk = Talk(store, endpoint, ONE_BY_ONE).say("the latest papers on dense retrieval")
    assert len(talk.tools) == MOST_STEPS
    assert len(endpoint.asked("assistant-step")) == MOST_STEPS


def test_steps_that_begin_runs_or_change_something_are_bound_as_in_a_whole_plan(store: Store) -> None:
    changing = step_by_step(("filter", {"words": ["river"]}), ("save", {"papers": ["@all"]}), ("list", {}))
    with one_step(changing) as endpoint:
        talk = Talk(store, endpoint, ONE_BY_ONE).say("save the papers on rivers")
    assert talk.turn.proposed
    assert len(endpoint.asked("assistant-step")) == 2


def test_a_turn_that_was_cut_off_between_two_steps_goes_on_with_the_next(store: Store) -> None:
    with one_step(step_by_step(*WANTED)) as endpoint:
        cut = Talk(store, endpoint, ONE_BY_ONE)
        cut.say("the latest papers on dense retrieval", lambda event: isinstance(event, StepDone) and event.step == 1)
        resumed = Talk(store, endpoint, ONE_BY_ONE, so_far=list(cut.events)).go_on()
    assert resumed.tools == ["filter", "rank", "list"]
    assert len(resumed.of(StepDone)) == 3


def test_without_demonstrations_none_are_shown_and_without_reflection_nobody_criticizes(store: Store) -> None:
    for options, examples, critics in (
        (ConversationOptions(), True, 1),
        (ConversationOptions(demonstrations=False), False, 1),
        (ConversationOptions(reflection=False), True, 0),
    ):
        with scripted(planned(TOO_STRICT, ("list", {}))) as endpoint:
            Talk(store, endpoint, options).say("the latest papers on dense retrieval")
        assert bool(told(endpoint.asked("assistant-plan")[0])["Examples"]) is examples
        assert len(endpoint.asked("assistant-critic")) == critics
