"""Demonstrations: pairs of a message and its plan."""

import json
from collections import Counter

import pytest

from agents.assistant.demonstrations import (
    Demonstration,
    keep,
    nearest,
    normal,
    own,
    own_file,
    read_demonstration,
    shipped,
    usable,
)
from agents.assistant.events import Step
from agents.reading.follow_ups import consent
from agents.tools.table import by_name
from cache.sql.reading import read_sql
from cache.store import Store
from spar_tui.interface import TextInterface
from tests.agents.assistant.world import steps
from tests.rows import each

TOOLS = by_name(TextInterface().tools)
"""The program's tools."""


@each("one", shipped(), ids=lambda one: one.intent[:50])
def test_every_plan_that_ships_can_be_done_with_the_tools(one: Demonstration) -> None:
    assert normal(one.plan, TOOLS) is not None


@pytest.mark.parametrize(
    "sql", [step.arguments["sql"] for one in shipped() for step in one.plan if step.tool == "query"]
)
def test_every_query_can_be_asked(store: Store, sql: str) -> None:
    assert read_sql(store, sql).columns


def test_they_are_many_and_show_every_tool_and_no_intent_twice() -> None:
    assert len(shipped()) >= 60
    assert len({one.intent.casefold() for one in shipped()}) == len(shipped())
    used = Counter(step.tool for one in shipped() for step in one.plan)
    assert used.keys() >= TOOLS.keys()


def test_a_plan_that_points_at_papers_shown_goes_on_from_them() -> None:
    """Only if the plan begins with `filter` or `rank`: the steps of other plans name their papers."""
    for one in shipped():
        if any(step.tool in ("filter", "rank") and step == one.plan[0] for step in one.plan):
            pointing = any(word in one.intent.split() for word in ("these", "those", "only", "leave"))
            assert not pointing or one.onward, one.intent


def test_no_intent_is_a_mere_yes_or_no() -> None:
    assert all(consent(one.intent) is None for one in shipped())


@each(
    ("message", "tool"),
    [
        ("read me the abstract of the third", "paper"),
        ("who cites the first one?", "citations"),
        ("tag those survey", "tag"),
        ("summarize what these say about cost", "summarize"),
        ("search the sources for graph rewriting", "search"),
        ("papers like ELMo", "resemble"),
        ("how many papers on my shelf are about parsing?", "query"),
        ("write the BibTeX", "export"),
    ],
)
def test_the_nearest_show_the_tool_that_a_message_asks_for(message: str, tool: str) -> None:
    found = nearest(message, shipped())
    assert len(found) <= 3
    assert tool in {step.tool for one in found for step in one.plan}


def test_a_message_with_nothing_in_common_has_none() -> None:
    assert nearest("xyzzy plugh", shipped()) == []
    assert nearest("", shipped()) == []


def test_those_of_tools_that_are_not_there_are_left_out() -> None:
    few = {name: tool for name, tool in TOOLS.items() if name not in ("query", "export")}
    found = usable(shipped(), few)
    assert found
    assert not {"query", "export"} & {step.tool for one in found for step in one.plan}


def test_plans_that_mean_the_same_have_one_form() -> None:
    plain = steps(("filter", {"words": ["x"]}), ("list", {}))
    full = steps(("filter", {"words": ("x",), "since": None}), ("list", {"first": 1, "limit": 10}))
    assert normal(plain, TOOLS) == normal(full, TOOLS)
    assert normal(plain, TOOLS) != normal(plain[:1], TOOLS)
    assert normal(steps(("fly", {})), TOOLS) is None
    assert normal(steps(("filter", {"colour": "red"})), TOOLS) is None


def test_the_persons_own_are_kept_beside_the_library_for_nobody_else_to_read(store: Store) -> None:
    assert own(store) == ()
    mine = Demonstration("papers on moss", (Step("filter", {"words": ["moss"]}),), True)
    keep(store, [mine])
    keep(store, [mine])
    assert own(store) == (mine, mine)
    assert own_file(store).parent == store.path.parent
    assert own_file(store).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("line", ["", "{", "[]", "null", '{"intent": "x"}', '{"intent": "", "plan": []}', "[" * 9_999])
def test_a_damaged_line_of_the_persons_own_is_passed_over(store: Store, line: str) -> None:
    good = Demonstration("papers on moss", (Step("list"),))
    own_file(store).write_text(f"{line}\n{json.dumps(good.as_object())}\n", "utf-8")
    assert own(store) == (good,)


def test_what_is_written_is_read_back() -> None:
    for one in shipped():
        assert read_demonstration(json.loads(json.dumps(one.as_object()))) == one
