"""Acts are likely by the words of a message, also in words that no pattern has."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.reading.acts.likely import features, likely_acts, likely_states, typed_words
from agents.reading.acts.table import ACTS
from agents.reading.cues import state_of
from agents.reading.message import read_message, turn_of
from agents.reading.reading import MessagePlan
from agents.run.resources import Resources
from agents.tools.filter_arguments import FILTER_ARGUMENTS
from agents.tools.tool import ToolContext
from cache.conditions import orders
from cache.store import Store
from tests.agents.reading import shelves


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolContext]:
    with Store.open(tmp_path_factory.mktemp("likely") / "library.db") as store:
        shelves.fill(store)
        yield ToolContext(store, Resources({}), shelves.NOW)


def likeliest(message: str, context: ToolContext) -> str:
    likely = likely_acts(turn_of(message, context, shelves.NOW.date()).reader)
    return max(likely, key=lambda act: likely[act].share)


def read(message: str, context: ToolContext) -> MessagePlan:
    return read_message(turn_of(message, context, shelves.NOW.date()))


def test_values_of_the_library_are_replaced_by_their_types(context: ToolContext) -> None:
    turn = turn_of("what did Lee write on hydrogen in 2019 and where is “a b” from", context, shelves.NOW.date())
    assert typed_words(turn.reader) == "what did AUTHOR write on SUBJ in YEAR and where is QUOTE from".split()


def test_words_and_pairs_of_neighbors_are_features_without_marks_and_repeats() -> None:
    assert features(["tag", "SUBJ", "SUBJ", ",", "paper"]) == [
        "tag", "SUBJ", "paper", "^ tag", "tag SUBJ", "SUBJ paper", "paper $",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("I would like to find out who is behind the perovskite study", "fact:authors"),
        ("kindly take the rating off the perovskite paper", "unrated"),
        ("everything by Lee from before 2015 that I have not read", "list"),
        ("I would love a reference list of the papers by Lee in APA", "export"),
    ],
)
def test_an_act_is_likely_by_all_words_together(message: str, act: str, context: ToolContext) -> None:
    assert likeliest(message, context) == act


@given(st.lists(st.sampled_from("tag the perovskite paper Lee zzz who note , ? 2019 as".split()), max_size=12))
def test_the_shares_of_all_classes_sum_to_one(context: ToolContext, words: list[str]) -> None:
    likely = likely_acts(turn_of(" ".join(words), context, shelves.NOW.date()).reader)
    assert sum({likely.kind: likely.share for likely in likely.values()}.values()) == pytest.approx(1)


def test_every_class_is_of_acts_of_the_table(context: ToolContext) -> None:
    likely = likely_acts(turn_of("papers", context, shelves.NOW.date()).reader)
    assert {*likely} <= {act.name for act in ACTS} | {"list", "follow-up", "question", ""}


def test_an_order_in_unknown_words_is_offered(context: ToolContext) -> None:
    reading = read("withhold the rating that I conferred on the perovskite paper", context)
    assert not reading.understood
    assert any(option.calls[-1].arguments.get("as") == "unrated" for option in reading.options)


def test_a_message_whose_words_speak_for_another_act_is_asked_back_with_both(context: ToolContext) -> None:
    reading = read("my papers tagged energy, latest publication date first", context)
    assert not reading.understood
    tools = [option.calls[-1].tool for option in reading.options]
    assert tools == ["list", "paper"]


@pytest.mark.parametrize(
    ("message", "condition"),
    [
        ("which energy papers are still waiting for me", {"read": False}),
        ("whatever I marked down as duds", {"rating": -1}),
    ],
)
def test_states_in_unknown_words_are_offered_as_conditions(
    message: str, condition: dict[str, object], context: ToolContext
) -> None:
    reading = read(message, context)
    assert not reading.understood
    assert any(condition.items() <= option.calls[0].arguments.items() for option in reading.options)


def test_every_state_is_a_condition_or_an_order(context: ToolContext) -> None:
    states = likely_states(turn_of("papers", context, shelves.NOW.date()).reader)
    for name, value in map(state_of, states):
        if name == "order":
            assert orders.named(value)
        else:
            assert FILTER_ARGUMENTS.model_validate({name: value}).wanted.terms
