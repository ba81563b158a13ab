"""Finding the answer in a model's words: it never crashes, and a whole answer always comes through."""

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agents.llm.answers.json_answers import Misfit, objects_in, read_answer
from agents.llm.answers.replies import without_thoughts
from connectors.records.clean import clean_text
from tests.rows import each
from tests.work import grows_evenly


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
        return read_answer(text, Answer).answer
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
    assert read_answer(text, Answer).answer == expected


@given(ANSWERS, ANSWERS)
def test_a_draft_in_the_thoughts_is_not_the_answer(draft: Answer, answer: Answer) -> None:
    text = f"<think>Perhaps {draft.model_dump_json()}?\nNo.</think>{answer.model_dump_json()}"
    assert read_answer(text, Answer).answer.score == answer.score


DRAFT = '{"score": 9, "notes": ["a draft that is longer than the answer"]}'
FINAL = '{"score": 1, "notes": []}'


@each(
    "text",
    [
        f"<think>{DRAFT}</think>{FINAL}",
        f"<think>a</think>\n<think>{DRAFT}</think>\nSo: {FINAL}",
        f"Let me see. <thinking>{DRAFT}</thinking> {FINAL}",
        f"{DRAFT} no, that is wrong.</think>{FINAL}",
        f"[THINK]{DRAFT}[/THINK]{FINAL}",
        f"◁think▷{DRAFT}◁/think▷{FINAL}",
        f"<seed:think>{DRAFT}</seed:think>{FINAL}",
        f"<|START_THINKING|>{DRAFT}<|END_THINKING|>{FINAL}",
        f"<|begin_of_thought|>{DRAFT}<|end_of_thought|>{FINAL}",
        f"<|channel|>analysis<|message|>{DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>{FINAL}<|return|>",
        f"<|start|>assistant<|channel|>analysis<|message|>{DRAFT}<|channel|>final <|constrain|>json<|message|>{FINAL}",
        f"{FINAL}<think>or rather {DRAFT}",
        f"<scratchpad>{DRAFT}</scratchpad>{FINAL}",
        f"First draft: {DRAFT}\nThe answer is:\n```json\n{FINAL}\n```",
        f"{FINAL}</think>",
        f"<|channel>thought\n{DRAFT}<channel|>{FINAL}",
        f"<unused94>thought\n{DRAFT}<unused95>{FINAL}",
        f"analysisPerhaps {DRAFT}assistantfinal{FINAL}",
    ],
)
def test_the_answer_stands_outside_of_all_thoughts(text: str) -> None:
    assert read_answer(text, Answer).answer.score == 1


def test_a_reply_that_is_all_thought_holds_no_answer() -> None:
    for text in (f"<think>{DRAFT}", f"<|channel|>analysis<|message|>{DRAFT}", f"[THINK]{DRAFT}[/THINK]"):
        with pytest.raises(Misfit):
            read_answer(text, Answer)


@given(st.text(max_size=50))
def test_strings_that_look_like_fences_or_thoughts_stay(text: str) -> None:
    note = f"<think>{text}```{{"
    assert read_answer(json.dumps({"score": 1, "notes": [note]}), Answer).answer.notes == [clean_text(note)]


def test_channels_whose_tokens_were_left_out_are_thoughts() -> None:
    assert without_thoughts("analysisThey ask for two words.assistantfinalTwo words.") == "Two words."


def test_a_tag_that_the_answer_quotes_as_code_is_no_thought() -> None:
    answer = "The model writes `<think>` before and `</think>` after its draft, or only `[/think]`."
    assert without_thoughts(f"<think>How to say this?</think>{answer}") == answer


def test_thoughts_without_an_end_hold_no_answer() -> None:
    assert without_thoughts('<think>I would say {"score": 1, "notes": []}') == ""


def test_the_answer_is_the_last_whole_object_else_the_longest() -> None:
    text = '{"a": 1} {"a": 1, "b": 2} {}'
    assert objects_in(text, ["a", "b"]) == [{"a": 1, "b": 2}, {"a": 1}, {}]
    assert objects_in(text, ["a"])[0] == {"a": 1, "b": 2}
    assert objects_in('{"a": 1, "b": 2} {"a": 2}', ["a"])[0] == {"a": 2}
    assert objects_in(text, [])[0] == objects_in(text, ["c"])[0] == {"a": 1, "b": 2}


@each(
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
    assert read_answer(text, Answer).answer == Answer(score=0.5, notes=["a"])


@each("text", ['{"score": NaN, "notes": []}', '{"score": Infinity, "notes": []}'])
def test_what_is_no_json_number_is_no_score_and_spoils_nothing_else(text: str) -> None:
    class Lenient(BaseModel):
        score: float | None
        notes: list[str]

    with pytest.raises(Misfit):
        read_answer(text, Answer)
    assert read_answer(text, Lenient).answer == Lenient(score=None, notes=[])


@each(
    "text",
    ["{" * 400_000, '{"a":' * 80_000, '{"a": {"b": "c", ' * 20_000, '{"' * 25_000, '{"' * 2_900, "A" * 8_000_000],
)
def test_a_hopeless_text_is_given_up_soon(text: str) -> None:
    def give_up(letters: int) -> None:
        with pytest.raises(Misfit):
            read_answer(text[:letters], Answer)

    give_up(len(text))
    assert grows_evenly(give_up, 2_500)


def test_the_complaint_names_what_does_not_fit() -> None:
    with pytest.raises(Misfit, match=r"score: .*notes\.0") as caught:
        read_answer('{"score": "high", "notes": [[3]]}', Answer)
    assert not caught.value.schema_ignored or "valid" in caught.value.complaint
    with pytest.raises(Misfit) as caught:
        read_answer("no braces at all", Answer)
    assert caught.value.schema_ignored


# Damage


class Query(BaseModel):
    query: str = ""


class Lax(BaseModel):
    """A shape that all too much would fit."""

    intent: str = "topic"
    original: Query | None = None
    refined: list[Query] = []


READING = '{"intent": "survey", "original": {"query": "a b"}, "refined": [{"query": "c"}, {"query": "d e f g h"}]'
MEANT = Lax(intent="survey", original=Query(query="a b"), refined=[Query(query="c"), Query(query="d e f g h")])


@each("end", [",}", "", ",", "}}}", "\n```", "} // done", ', "more": '])
def test_a_damaged_object_is_mended_as_a_whole_and_no_part_of_it_is_taken_for_the_answer(end: str) -> None:
    assert read_answer(READING + end, Lax).answer == MEANT


@each("text", ["{}", '{"something": "else"}', '{"error": {"message": "out of memory"}}', "[]", "null"])
def test_an_object_with_none_of_the_keys_asked_for_is_no_answer_even_where_all_have_defaults(text: str) -> None:
    with pytest.raises(Misfit):
        read_answer(text, Lax)


class Row(BaseModel):
    id: str
    label: Literal["yes", "no"]
    quote: str


class Rows(BaseModel):
    rows: list[Row]


ROW = {"id": "p1", "label": "yes", "quote": "so"}
BOTH = [Row(id="p1", label="yes", quote="so"), Row(id="p2", label="no", quote="")]


@each(
    "text",
    [
        '{"rows": [{"id": "p1", "label": "yes", "quote": "so"}, {"id": "p2", "label": "no", "quote": ""}]}',
        '[{"id": "p1", "label": "yes", "quote": "so"}, {"id": "p2", "label": "no", "quote": ""}]',
        '{"id": "p1", "label": "yes", "quote": "so"}\n{"id": "p2", "label": "no", "quote": ""}\n',
        '{"results": [{"id": "p1", "label": "yes", "quote": "so"}, {"id": "p2", "label": "no", "quote": ""}]}',
        '{"answer": {"rows": [{"id": "p1", "label": "yes", "quote": "so"}, {"id": "p2", "label": "no", "quote": ""}]}}',
        '{"rows": {"p1": {"label": "yes", "quote": "so"}, "p2": {"label": "no", "quote": ""}}}',
        '{"p1": {"label": "yes", "quote": "so"}, "p2": {"label": "no", "quote": ""}}',
        '{"rows": [{"id": "p1", "label": "YES", "quote": "so"}, {"id": "p2", "label": " No", "quote": null}]}',
        "{'rows': [{'id': 'p1', 'label': 'yes', 'quote': 'so'}, {'id': 'p2', 'label': 'no', 'quote': ''},]}",
    ],
)
def test_rows_are_understood_however_a_small_model_wraps_and_spells_them(text: str) -> None:
    assert read_answer(text, Rows).answer.rows == BOTH


def test_prose_is_no_empty_list_of_rows() -> None:
    """A model that writes no queries has not said that none are missing."""
    with pytest.raises(Misfit, match="no JSON object"):
        read_answer("The papers look interesting to me.", Rows)


def test_a_number_is_understood_where_a_name_was_asked_for() -> None:
    assert read_answer(json.dumps({"rows": [{**ROW, "id": 1}]}), Rows) == (
        Rows(rows=[Row(id="1", label="yes", quote="so")]),
        True,
    )


def test_entries_that_do_not_fit_are_left_out_and_the_answer_is_not_called_whole() -> None:
    rows = [ROW, {"id": "p2", "label": "perhaps", "quote": ""}, {"id": "p3"}, "p4", {**ROW, "id": "p5"}]
    with pytest.raises(Misfit):
        read_answer(json.dumps({"rows": rows}), Rows)
    read = read_answer(json.dumps({"rows": rows}), Rows, partly=True)
    assert [row.id for row in read.answer.rows] == ["p1", "p5"]
    assert not read.whole


def test_an_answer_of_which_no_entry_fits_is_a_misfit() -> None:
    with pytest.raises(Misfit, match=r"rows\.0\.quote"):
        read_answer(json.dumps({"rows": [{"id": "p1", "label": "no"}]}), Rows, partly=True)


class Group(BaseModel):
    name: str
    rows: list[Row]


class Groups(BaseModel):
    groups: list[Group]
    note: str


def test_an_entry_of_which_nothing_is_left_goes_with_its_parts() -> None:
    groups = [{"name": "bad", "rows": [{"id": "p1"}]}, {"name": "good", "rows": [{"id": "p2"}, ROW]}]
    read = read_answer(json.dumps({"groups": groups, "note": ""}), Groups, partly=True)
    assert [(group.name, [row.id for row in group.rows]) for group in read.answer.groups] == [("good", ["p1"])]
    with pytest.raises(Misfit, match="note"):
        read_answer(json.dumps({"groups": groups}), Groups, partly=True)


@given(st.integers(0, 400))
def test_of_an_answer_that_was_cut_the_whole_entries_stay_and_no_half_one(at: int) -> None:
    """However much of it came, half a quote is never taken for a quote."""
    rows = [{"id": f"p{number}", "label": "yes", "quote": 'in {braces} and "quotes" }'} for number in range(6)]
    text = json.dumps({"rows": rows})[:at]
    whole = sum(json.dumps(row) in text for row in rows)
    try:
        read = read_answer(text, Rows, partly=True, cut=True)
    except Misfit:
        assert not whole
    else:
        assert [row.model_dump() for row in read.answer.rows] == rows[:whole]
        assert not read.whole
