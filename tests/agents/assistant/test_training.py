"""Training pairs: the exact prompt of a planner, and the plan that it has to answer."""

import json
from datetime import date

from agents.assistant.demonstrations import shipped
from agents.assistant.planning import INSTRUCTIONS, checked, shape_for
from agents.bench.demonstrations import pairs_of_conversation, pairs_of_demonstrations
from agents.tools.table import TOOLS, by_name
from cache import shelf
from cache.store import Store
from spar_tui.interface import TextInterface
from tests.agents.assistant.world import GOOD, LISTED, TOO_STRICT, Talk, planned, scripted, told

TABLE = by_name(TextInterface().tools)
TODAY = date(2026, 3, 1)


def test_every_demonstration_gives_a_pair_whose_plan_a_planner_could_answer() -> None:
    rows = list(pairs_of_demonstrations(shipped(), TABLE, TODAY))
    assert len(rows) >= 60
    for row in rows:
        assert set(row) == {"instructions", "plan"}
        plan = shape_for(tuple(TABLE)).model_validate_json(row["plan"])
        steps, wrong = checked(plan.steps, TABLE)  # type: ignore[attr-defined]  # a field of the made model
        assert steps
        assert not wrong


def test_no_demonstration_is_shown_its_own_answer() -> None:
    for one, row in zip(shipped(), pairs_of_demonstrations(shipped(), TABLE, TODAY), strict=False):
        examples = json.loads(row["instructions"].partition("\n\nExamples:\n")[2].partition("\n\n")[0])
        assert one.intent not in {example["intent"] for example in examples}


def test_the_instructions_are_word_for_word_what_a_planner_was_told(store: Store) -> None:
    with scripted() as endpoint:
        talk = (
            Talk(store, endpoint).say("the latest papers on dense retrieval").say("the latest of dense retrieval again")
        )
    rows = list(pairs_of_conversation(talk.events, by_name(), shipped()))
    asked = endpoint.asked("assistant-plan")
    assert [row["instructions"] for row in rows] == [f"{request.system}\n\n{request.text}" for request in asked]
    assert asked[0].system == INSTRUCTIONS
    assert json.loads(rows[0]["plan"])["steps"] == LISTED["steps"]


def test_turns_that_did_not_come_out_well_are_left_out(store: Store) -> None:
    bad = {"good": False, "faults": [{"fault": "needless_step", "step": 1}]}
    dropping = planned(TOO_STRICT, ("list", {}))
    failing = planned(("paper", {"paper": "Nobody wrote this paper"}))
    with scripted(lambda request: failing if "Nobody" in told(request)["Message"] else dropping,
                  lambda request: bad if "bad" in told(request)["Message"] else GOOD) as endpoint:  # fmt: skip
        talk = Talk(store, endpoint).say("thanks").say("show Nobody wrote this paper").say("a bad plan").say("dense?")
        talk.say("yes")
    rows = list(pairs_of_conversation(talk.events, by_name(), shipped()))
    assert [json.loads(row["instructions"].rpartition("\n\nMessage:\n")[2]) for row in rows] == ["dense?", "yes"]


def test_of_a_repaired_turn_the_good_plan_is_taken(store: Store) -> None:
    bad = {"good": False, "faults": [{"fault": "missing_step", "tool": "rank"}]}
    short = planned(TOO_STRICT, ("list", {}))
    with scripted(lambda request: LISTED if "Faults" in told(request) else short, bad) as endpoint:
        talk = Talk(store, endpoint).say("the latest papers on dense retrieval")
    [row] = pairs_of_conversation(talk.events, by_name(), shipped())
    assert "Faults:" not in row["instructions"].partition("\n\nTools:")[2]
    assert json.loads(row["plan"])["steps"] == LISTED["steps"]


def test_no_text_of_a_paper_and_nothing_that_is_kept_is_in_it(store: Store) -> None:
    [saved, *_] = [row.number for row in shelf.rows(store)]
    shelf.set_note(store, saved, "my secret note")
    looks = planned(("shelf", {}), ("paper", {"paper": "@1"}))
    with scripted(
        {**looks, "in_words": True}, answer={"sentences": [{"text": "P1 helps.", "rests_on": ["P1"]}]}
    ) as endpoint:
        talk = Talk(store, endpoint).say("what do I have, and why?").say("papers on dense retrieval")
    rows = json.dumps(list(pairs_of_conversation(talk.events, by_name(), shipped())))
    assert rows != "[]"
    assert not any(words in rows for words in ("my secret note", "We study", "Study 1", "Lovelace", "10.1000"))


def test_plans_of_rules_give_pairs_as_well(store: Store) -> None:
    talk = Talk(store).say("papers on dense retrieval since 2017")
    [row] = pairs_of_conversation(talk.events, {tool.name: tool for tool in TOOLS}, shipped())
    assert [step["tool"] for step in json.loads(row["plan"])["steps"]] == ["filter", "list"]
