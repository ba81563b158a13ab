"""In a conversation with a model, only what `DISCLOSED` lists leaves the machine, and nothing else of the library."""

import json
from typing import Any

import pytest

from agents.assistant.disclosure import DISCLOSED, MESSAGE, TURNS, arguments_of, table_of
from agents.tools.table import TOOLS
from cache import citation_keys, profile, shelf
from cache.store import Store
from tests.agents.assistant.world import NOW, TOO_STRICT, Talk, planned, scripted, told
from tests.rows import each
from tests.services.model.server import ModelRequest

SECRETS = ("my secret note", "my-secret-tag", "my-secret-folder/file.pdf", "secretkey26", "my secret taste")
HEADINGS = {
    "assistant-plan": {"Tools", "Views", "Examples", "Today", "Sources", "Dialog", "At hand", "Message"},
    "assistant-critic": {"Tools", "Dialog", "Message", "Plan", "Tracker", "Answer"},
    "assistant-answer": {"Question", "Papers"},
}


@pytest.fixture
def requests(store: Store) -> list[ModelRequest]:
    [saved, *_] = [row.number for row in shelf.rows(store)]
    shelf.set_note(store, saved, SECRETS[0])
    shelf.tag(store, saved, [SECRETS[1]])
    shelf.set_files(store, saved, [SECRETS[2]])
    citation_keys.keep(store, saved, SECRETS[3])
    profile.add_line(store, "like", SECRETS[4], now=NOW)
    looks = planned(("paper", {"paper": "@1"}), onward=True)
    with scripted(
        lambda request: planned(TOO_STRICT, ("list", {}), in_words=True) if "why" in told(request)["Message"] else looks
    ) as endpoint:
        Talk(store, endpoint).say("why are papers on dense retrieval fast?").say("the tags and note of the first")
    return endpoint.requests


def test_each_question_has_these_parts_and_no_others(requests: list[ModelRequest]) -> None:
    assert {request.name for request in requests} == set(HEADINGS)
    for request in requests:
        assert set(told(request)) == HEADINGS[request.name]


def test_notes_tags_files_keys_and_the_profile_stay_here(requests: list[ModelRequest]) -> None:
    heard = json.dumps([request.messages for request in requests])
    assert not any(secret in heard for secret in SECRETS)


@pytest.mark.parametrize(
    ("sql", "heard"),
    [
        ("SELECT title, citations FROM papers WHERE title LIKE '%river%' ORDER BY year DESC LIMIT 3", True),
        ("SELECT note AS title FROM shelf WHERE note != ''", False),
        ('SELECT tag AS title FROM "tags"', False),
        ("SELECT question AS title FROM runs", False),
        ("SELECT act AS title FROM reading", False),
    ],
)
def test_of_queries_what_stands_in_papers_may_be_told_and_what_the_person_did_never(
    store: Store, sql: str, heard: bool
) -> None:
    [saved, *_] = [row.number for row in shelf.rows(store)]
    shelf.set_note(store, saved, SECRETS[0])
    with scripted(planned(("query", {"sql": sql}), in_words=True)) as endpoint:
        talk = Talk(store, endpoint).say("why?")
    assert not talk.turn.outcomes[0].error
    assert bool(endpoint.asked("assistant-answer")) == heard


def test_papers_are_told_to_whoever_words_the_answer_alone(requests: list[ModelRequest]) -> None:
    for request in requests:
        assert ("We study" in request.text) == (request.name == "assistant-answer")


def test_of_a_long_conversation_the_last_turns_are_told_and_of_long_messages_the_beginning(store: Store) -> None:
    talk = Talk(store)
    for number in range(TURNS + 1):
        talk.say(f"papers on dense retrieval {number} " + "x" * MESSAGE)
    with scripted() as endpoint:
        Talk(store, endpoint, so_far=talk.events).say("papers on rivers " + "y" * MESSAGE)
    parts = told(endpoint.asked("assistant-plan")[0])
    assert len(parts["Dialog"]) == TURNS
    assert all(len(turn["person"]) <= MESSAGE for turn in parts["Dialog"])
    assert len(parts["Message"]) > MESSAGE


def test_what_is_disclosed_says_the_bounds_that_hold() -> None:
    said = " ".join(DISCLOSED)
    assert f"{TURNS} turns" in said
    assert f"{MESSAGE:,} letters" in said


@each("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_table_tells_every_argument_that_a_tool_takes(tool: Any) -> None:
    schema = tool.arguments.model_json_schema()
    assert set(arguments_of(tool)) == set(schema.get("properties", {}))
    assert {name for name, form in arguments_of(tool).items() if form.endswith("!")} == set(schema.get("required", ()))


def test_the_table_is_short() -> None:
    assert len(json.dumps(table_of(TOOLS))) < 6_000
