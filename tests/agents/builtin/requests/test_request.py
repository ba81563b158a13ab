"""Requests read by rules: 350 ways of saying what can be wanted, each with the plan that is meant."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.requests.phrases import Phrases
from agents.builtin.requests.request import read_request
from agents.builtin.requests.scene import Scene
from connectors.registry import SOURCES, searchable
from connectors.spec import SourceSpec
from tests.agents.builtin.requests.scenes import SCENES, written
from tests.work import lines_run

WAYS = [
    tuple(part.strip() for part in line.split(" | "))
    for line in (Path(__file__).parent / "ways.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
"""Scene, message, plan."""


@pytest.mark.parametrize(("scene", "message", "plan"), WAYS)
def test_a_request_is_read_as_it_is_meant(scene: str, message: str, plan: str) -> None:
    assert written(read_request(message, SCENES[scene])) == plan


@pytest.mark.parametrize("spec", searchable(), ids=lambda spec: spec.name)
def test_a_source_is_asked_by_whatever_name_it_is_called(spec: SourceSpec) -> None:
    """Under the name that it has in the program, for no other is known there."""
    online = Scene(**{**vars(SCENES["start"]), "sources": tuple(SOURCES)})
    names = (spec.title, spec.name, *(alias for alias in spec.aliases if alias.isalnum()))
    for message in [f"search {name} for dense retrieval" for name in names]:
        [search] = read_request(message, online).calls
        assert (search.arguments["question"], search.arguments["sources"]) == ("dense retrieval", [spec.name]), message


def test_every_group_of_requests_is_among_the_ways() -> None:
    tools = {step.split("(")[0].strip("… ") for _, _, plan in WAYS for step in plan.split(" > ")}
    assert tools >= set(
        "query filter resemble rank take list undo paper references citations similar shelf runs profile search"
        " summarize recommend save unsave tag note mark remember export check ?".split()
    )
    assert len(WAYS) >= 350


HARD = (
    "papers " * 14_000, "a" * 100_000, "and " * 25_000, "(" * 50_000, '"' * 50_000, "'" * 50_001, "not " * 25_000,
    "like " * 20_000, "by A, " * 17_000, "save x and " * 9_000, "1, " * 33_000, "since 2020 " * 9_000, "\n" * 100_000,
    "which of these " * 7_000, "note on it: " * 8_000, "the first and " * 7_000, "tagged " * 14_000, "the " * 25_000,
    "more than " * 10_000, "papers by Bengio and Bengio " * 4_000, "in Nature or " * 8_000, "@1 " * 33_000,
)  # fmt: skip
"""Messages of 100 KB in which something stands again and again."""


@pytest.mark.parametrize("message", HARD, ids=lambda message: message[:12])
def test_a_message_of_100_kb_is_little_work(message: str) -> None:
    read_request(message[:3_000], SCENES["listed"])  # the first of its kind loads what reads it
    assert lines_run(lambda: read_request(message, SCENES["listed"])) < 2_000_000


@pytest.mark.parametrize(
    "message", ["", " ", "?!", "...", "\n\n", "🙂", "статьи", "文献", "::", "@", "'", '"', "[", "()"]
)
def test_a_message_without_a_word_that_is_known_is_not_understood(message: str) -> None:
    assert not read_request(message, SCENES["listed"]).calls


@given(st.text(max_size=300), st.sampled_from(sorted(SCENES)))
def test_no_message_whatever_breaks_the_rules(message: str, scene: str) -> None:
    read_request(message, SCENES[scene])


_SAID = st.sampled_from(sorted({word for _, message, _ in WAYS for word in message.split()}))


@given(st.lists(_SAID, max_size=25), st.sampled_from(sorted(SCENES)))
def test_no_jumble_of_words_that_are_known_breaks_the_rules(words: list[str], scene: str) -> None:
    read_request(" ".join(words), SCENES[scene])


def test_line_breaks_and_blanks_in_a_message_say_nothing() -> None:
    assert read_request("papers\n\tby \r\n Bengio", SCENES["start"]) == read_request(
        "papers by Bengio", SCENES["start"]
    )


def test_words_that_no_step_rests_on_are_told_and_those_that_one_rests_on_are_not() -> None:
    start = SCENES["start"]
    assert read_request("search Scopus for dense retrieval", start).unread == ("Scopus",)
    assert read_request("what is the average citation count, Fjordish?", start).unread == ("Fjordish",)
    for message in ("papers by Lewis since 2020 in Nature", "what did I save in March?", "save BERT and tag it rag"):
        assert read_request(message, start).unread == (), message


def test_words_of_asking_are_no_subject_where_no_paper_has_them() -> None:
    reading = read_request("papers that are last given", SCENES["start"])
    assert (reading.understood, reading.calls) == (False, ())
    assert reading.unread
    told = read_request("papers about reading recommendations", SCENES["start"])
    assert told.understood  # for that is told as a subject


@pytest.mark.parametrize(
    ("message", "verb"),
    [
        ("do I have any watches set up at the moment?", "spar watch --list"),
        ("download the pdf of BERT", "spar fetch"),
        ("import my bibliography", "spar import"),
        ("show my settings", "spar config"),
    ],
)
def test_what_a_conversation_cannot_do_is_said_with_the_verb_that_can(message: str, verb: str) -> None:
    reading = read_request(message, SCENES["start"])
    assert not reading.calls
    assert verb in reading.reply


def test_a_phrase_of_which_all_may_be_left_out_is_refused() -> None:
    assert Phrases("[please] show").match("show") is not None
    with pytest.raises(ValueError, match="says nothing"):
        Phrases("[say|tell] [me]").match("me")
