"""Finding the answer in a model's words: it never crashes, and a whole answer always comes through."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.llm.json_answers import Misfit, objects_in, read_answer, without_reasoning
from connectors.records.clean import clean_text


class Answer(BaseModel):
    score: float
    notes: list[str]


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="{}<>"), max_size=200)
ANSWERS = st.builds(Answer, score=st.floats(0, 1), notes=st.lists(st.text(max_size=30), max_size=5))
WRAPPINGS = st.sampled_from(["{}", "```json\n{}\n```", "```\n{}```", "<answer>{}</answer>", "> {}", "**{}**", '"{}"'])
FRIENDLY = st.sampled_from(
    ["", "Here {it} is: ", 'Like {"this": 1} but better: ', "{{{ ", "} { ", "{'a': ", "Form: {…}\n", "</think>"]
)


def outcome(text: str) -> Answer | str:
    """The answer, or the complaint about a text that holds none; any other error is a failure."""
    try:
        return read_answer(text, Answer)
    except Misfit as misfit:
        return misfit.complaint


@given(st.text())
def test_any_text_is_an_answer_or_a_misfit(text: str) -> None:
    assert outcome(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner)))
def test_any_json_is_an_answer_or_a_misfit(value: Any) -> None:
    assert outcome(json.dumps(value))
    assert outcome(json.dumps({"score": value, "notes": value}))


@given(ANSWERS, WRAPPINGS, FRIENDLY, WORDS, WORDS, st.booleans())
def test_a_whole_answer_comes_through_any_prose_and_fences(
    answer: Answer, wrapping: str, friendly: str, before: str, after: str, ascii_only: bool
) -> None:
    said = json.dumps(answer.model_dump(), ensure_ascii=ascii_only, indent=1)
    text = friendly + before + wrapping.replace("{}", said) + after
    expected = Answer(score=answer.score, notes=[clean_text(note) for note in answer.notes])
    assert read_answer(text, Answer) == expected


@given(ANSWERS, ANSWERS)
def test_a_draft_in_the_thoughts_is_not_the_answer(draft: Answer, answer: Answer) -> None:
    text = f"<think>Perhaps {draft.model_dump_json()}?\nNo.</think>{answer.model_dump_json()}"
    assert read_answer(text, Answer).score == answer.score


@given(st.text(max_size=50))
def test_strings_that_look_like_fences_or_thoughts_stay(text: str) -> None:
    note = f"<think>{text}```{{"
    assert read_answer(json.dumps({"score": 1, "notes": [note]}), Answer).notes == [clean_text(note)]


def test_thoughts_without_an_end_hold_no_answer() -> None:
    assert without_reasoning('<think>I would say {"score": 1, "notes": []}') == ""


def test_the_answer_is_the_longest_object_not_the_example() -> None:
    assert objects_in('{"a": 1} {"a": 1, "b": 2} {}')[0] == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 0.5, "notes": ["a",]}',
        '{"score": 0.5, "notes": ["a"]',
        "{'score': 0.5, 'notes': ['a']}",
        '{score: 0.5, notes: ["a"]}',
        '{"score": 0.5 "notes": ["a"]}',
        '{"score": 0.5, "notes": ["a"], // sure\n}',
        '```json\n{"score": 0.5,\n "notes": ["a"],\n}\n```',
    ],
)
def test_what_models_get_wrong_most_is_mended(text: str) -> None:
    assert read_answer(text, Answer) == Answer(score=0.5, notes=["a"])


@pytest.mark.parametrize("text", ['{"score": NaN, "notes": []}', '{"score": Infinity, "notes": []}'])
def test_what_is_no_json_number_is_no_score_and_spoils_nothing_else(text: str) -> None:
    class Lenient(BaseModel):
        score: float | None
        notes: list[str]

    with pytest.raises(Misfit):
        read_answer(text, Answer)
    assert read_answer(text, Lenient) == Lenient(score=None, notes=[])


@pytest.mark.parametrize(
    "text",
    ["{" * 400_000, '{"a":' * 80_000, '{"a": {"b": "c", ' * 20_000, '{"' * 25_000, '{"' * 2_900, "A" * 8_000_000],
)
def test_a_hopeless_text_is_given_up_soon(text: str) -> None:
    start = time.process_time()
    with pytest.raises(Misfit):
        read_answer(text, Answer)
    assert time.process_time() - start < 20.0  # a tenth of a second; read without a bound, minutes


def test_the_complaint_names_what_does_not_fit() -> None:
    with pytest.raises(Misfit, match=r"score: .*notes\.0") as caught:
        read_answer('{"score": "high", "notes": [3]}', Answer)
    assert not caught.value.schema_ignored or "valid" in caught.value.complaint
    with pytest.raises(Misfit) as caught:
        read_answer("no braces at all", Answer)
    assert caught.value.schema_ignored
