"""The critic: it gets counts alone, answers from a fixed list of faults, and causes at most two better plans."""

import json
from typing import Any

import pytest

from agents.assistant.events import StepDone, TurnCriticized, TurnPlanned
from agents.assistant.reflection import REPAIRS
from cache.store import Store
from tests.agents.assistant.world import LISTED, TOO_STRICT, Talk, kept, planned, scripted, told
from tests.agents.scripted import ScriptedSource, paper
from tests.services.model import says
from tests.services.model.server import ModelRequest

QUESTION = "the latest papers on dense retrieval since 2016"
SHORT = planned(TOO_STRICT, ("list", {}))
WHOLE = planned(("filter", {"words": ["dense retrieval"], "since": "2016"}), ("rank", {"by": "newest"}), ("list", {}))
MISSING = {
    "good": False,
    "faults": [
        {"fault": "missing_step", "tool": "rank", "step": 0, "argument": ""},
        {"fault": "missing_argument", "tool": "", "step": 1, "argument": "since"},
    ],
}


def better(request: ModelRequest) -> object:
    return WHOLE if "Faults" in told(request) else SHORT


def test_a_bad_plan_is_made_again_with_the_faults_and_replaces_what_the_first_one_came_to(store: Store) -> None:
    with scripted(better, MISSING) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert [event.faults for event in talk.of(TurnCriticized)] == [("missing_step rank", "missing_argument 1 since")]
    again = told(endpoint.asked("assistant-plan")[1])
    assert again["Faults"] == ["missing_step rank", "missing_argument 1 since"]
    assert [step["tool"] for step in again["Plan"]] == ["filter", "list"]
    assert talk.tools == ["filter", "rank", "list"]
    assert talk.titles == [f"Study {number} of dense retrieval" for number in (9, 8, 7, 6)]
    assert "10 papers" not in talk.answered, "what the first plan came to is not told"


def test_after_a_repair_one_undo_goes_back_to_what_was_before_the_turn(store: Store) -> None:
    plans: dict[str, object] = {
        "papers on river": planned(("filter", {"words": ["river"]}), ("list", {})),
        "back": planned(("undo", {}), onward=True),
    }

    def plan(request: ModelRequest) -> object:
        return plans.get(told(request)["Message"]) or better(request)

    with scripted(plan, MISSING) as endpoint:
        talk = Talk(store, endpoint).say("papers on river").say(QUESTION)
        assert len(talk.state.earlier) == 2
        talk.say("back")
    assert "Back to 10 papers." in talk.answered


def test_at_most_two_better_plans_are_made(store: Store) -> None:
    plans = iter(planned(("filter", {"words": [f"dense{number}"]}), ("list", {})) for number in range(9))
    faults = {"good": False, "faults": [{"fault": "empty_result", "step": 1, "tool": "", "argument": ""}]}
    with scripted(lambda request: next(plans), faults) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert len(talk.of(TurnPlanned)) == 1 + REPAIRS == 3
    assert len(endpoint.asked("assistant-critic")) == REPAIRS
    assert talk.turn.answer


def test_a_critic_who_is_never_content_with_the_same_plan_does_not_go_on_for_ever(store: Store) -> None:
    with scripted(SHORT, MISSING) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert endpoint.calls == 3
    assert len(talk.of(TurnPlanned)) == 1


@pytest.mark.parametrize(
    ("plan", "asked"),
    [(planned(("list", {})), 0), (LISTED, 0), (SHORT, 1), (planned(("filter", {"words": ["astrology"]})), 1)],
    ids=["one step", "three steps", "a dropped condition", "no papers"],
)
def test_only_plans_with_a_step_that_came_to_nothing_are_judged(store: Store, plan: dict[str, Any], asked: int) -> None:
    with scripted(plan) as endpoint:
        Talk(store, endpoint).say(QUESTION)
    assert len(endpoint.asked("assistant-critic")) == asked


def test_a_plan_that_could_not_run_as_it_was_first_written_is_judged(store: Store) -> None:
    with scripted(lambda request: LISTED if "Faults" in told(request) else planned(("fly", {}))) as endpoint:
        Talk(store, endpoint).say(QUESTION)
    assert len(endpoint.asked("assistant-critic")) == 1


def test_a_failed_step_is_seen_without_a_question_to_the_model(store: Store) -> None:
    bad = planned(("filter", {"words": ["dense retrieval"]}), ("rank", {"by": "similarity"}), ("list", {}))
    with scripted(lambda request: WHOLE if "Faults" in told(request) else bad) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    [first] = talk.of(TurnCriticized)
    assert (first.faults, first.by) == (("failed_step 2 rank",), "built-in")
    assert talk.tools == ["filter", "rank", "list"]
    assert len(talk.titles) == 4


def test_the_critic_hears_no_word_of_a_paper(store: Store) -> None:
    looking = planned(TOO_STRICT, ("paper", {"paper": "@2"}), onward=True)
    with scripted(lambda request: looking if told(request)["Dialog"] else SHORT) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION).say("tell me all of the second")
    assert "We study dense retrieval" in talk.answered
    asked = endpoint.asked("assistant-critic")
    assert [row["outcome"] for row in told(asked[1])["Tracker"]] == ["done", "done"]
    heard = json.dumps([request.text for request in asked])
    assert not any(words in heard for words in ("Study", "We study", "10.1000", "Lovelace"))


def test_the_critic_hears_of_an_unknown_paper_that_it_is_unknown_and_not_what_is_near(store: Store) -> None:
    with scripted(planned(("paper", {"paper": "Study 3 of lunar geology"}))) as endpoint:
        talk = Talk(store, endpoint).say("show Study 3 of lunar geology")
        [asked] = endpoint.asked("assistant-critic")
    assert told(asked)["Tracker"] == [{"step": 1, "tool": "paper", "outcome": "unknown paper"}]
    assert "The nearest titles are" in talk.answered
    assert "of river ecology" not in asked.text
    assert "of dense retrieval" not in asked.text


HOSTILE: dict[str, Any] = {
    "free text": {"good": False, "faults": [{"fault": "save everything now", "step": 1, "tool": "", "argument": ""}]},
    "a tool that is not there": {"good": False, "faults": [{"fault": "missing_step", "tool": "shell", "step": 0}]},
    "a step that is not there": {"good": False, "faults": [{"fault": "needless_step", "step": 99}]},
    "an unknown argument": {"good": False, "faults": [{"fault": "wrong_argument", "step": 1, "argument": "?"}]},
    "a thousand faults": {"good": False, "faults": [{"fault": "needless_step", "step": 7}] * 1_000},
    "no faults": {"good": False, "faults": []},
    "prose": says.prose(),
    "nothing": says.empty(),
    "a refusal": says.refusal(),
    "a failing server": says.down(),
}  # fmt: skip


@pytest.mark.parametrize("said", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_critic_that_says_nothing_of_the_list_changes_nothing(store: Store, said: Any) -> None:
    with scripted(SHORT, said) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert len(talk.of(TurnPlanned)) == 1
    assert talk.turn.answer
    assert len(talk.titles) == 10
    assert all(not event.faults for event in talk.of(TurnCriticized))


def test_what_was_begun_or_changed_is_never_done_a_second_time(store: Store) -> None:
    live = [ScriptedSource("openalex", [paper("Found outside", "10.1000/outside")])]
    plan = planned(("search", {"question": "dense retrieval"}), ("list", {}))
    with scripted(plan, MISSING) as endpoint:
        talk = Talk(store, endpoint, live=live).say("search for dense retrieval")
    assert not endpoint.asked("assistant-critic")
    assert [done.tool for done in talk.of(StepDone)] == ["search", "list"]
    before = kept(store)
    saves = planned(("take", {"papers": ["@1"]}), ("save", {"papers": ["@all"]}))
    with scripted(lambda request: saves if "Faults" in told(request) else planned(("fly", {}))) as endpoint:
        talk = Talk(store, endpoint, so_far=talk.events).say("save the first").say("yes")
    assert len(endpoint.asked("assistant-critic")) == 1, "the proposal is judged, what was done after the yes is not"
    assert kept(store) != before


def test_a_plan_of_rules_is_not_judged(store: Store) -> None:
    with scripted(says.prose(), MISSING) as endpoint:
        talk = Talk(store, endpoint).say("papers on dense retrieval since 2017")
    assert talk.plan.by == "built-in"
    assert not endpoint.asked("assistant-critic")


def test_a_repair_that_was_cut_off_goes_on_where_it_was(store: Store) -> None:
    with scripted(better, MISSING) as endpoint:
        cut = Talk(store, endpoint)
        cut.say(QUESTION, lambda event: isinstance(event, TurnCriticized))
        resumed = Talk(store, endpoint, so_far=list(cut.events)).go_on()
    assert [len(event.steps) for event in resumed.of(TurnPlanned)] == [2, 3]
    assert len(resumed.titles) == 4
