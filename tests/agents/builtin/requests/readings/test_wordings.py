"""Messages are compared by how they are worded: names, numbers and topics stand in slots."""

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.requests.readings.wordings import SLOT, Wording, Wordings, abstracted
from tests.agents.builtin.requests.scenes import LIBRARY
from tests.requests.requests import FOLDER, Request
from tests.requests.wordings import KNOWN, lines, slots


def _known(pattern: str, onward: bool = False) -> Wording:
    return Wording(onward, pattern, pattern)


def test_the_wordings_that_come_along_are_those_of_open_requests_their_paraphrases_and_the_tested_ways() -> None:
    # In a process of its own: which words are listened for rests on what was loaded, and tests load phrases of theirs.
    made = "from tests.requests.wordings import *; print('\\n'.join(lines(read_open(), read_paraphrases())))"
    told = subprocess.run(
        [sys.executable, "-c", made], capture_output=True, text=True, check=True, cwd=FOLDER.parents[1]
    )
    assert KNOWN.read_text("utf-8").splitlines() == told.stdout.splitlines()


def test_what_differs_from_one_request_to_another_is_taken_out_by_what_the_library_knows() -> None:
    message = 'papers by Bengio since 2015 like "Attention Is All You Need" on hallucination, the first'
    found = abstracted(message, LIBRARY)
    assert found.pattern == "papers by {person} since {year} like {title} on {topic}, the {ordinal}"
    assert dict(found.fillers)["person"] == "Bengio"
    assert dict(found.fillers)["title"] == '"Attention Is All You Need"'


@given(st.text(max_size=80))
def test_a_message_is_its_pattern_with_what_stood_in_the_slots(message: str) -> None:
    found = abstracted(message, LIBRARY)
    rest = iter(found.fillers)
    if not SLOT.search(message):
        told = SLOT.sub(lambda slot: next(rest)[1], found.pattern)
        assert told == message or "'s" in message or "’s" in message


def test_the_nearest_wording_with_the_same_slots_comes_first_filled_with_the_words_of_the_message() -> None:
    known = Wordings([_known("when did I save {title}?"), _known("papers like {title}"), _known("my notes")])
    asked = abstracted('and when exactly did I save "BERT"', LIBRARY)
    [(closeness, said), *_] = known.near(asked, onward=False)
    assert said == 'when did I save "BERT"?'
    assert 0 < closeness < 1


def test_what_says_the_same_in_other_words_is_filled_into_the_wording_that_the_rules_read() -> None:
    known = Wordings([Wording(False, "{title}, by whom is it?", "who wrote {title}?"), _known("papers like {title}")])
    [(_, said), *_] = known.near(abstracted("BERT, by whom was it?", LIBRARY), onward=False)
    assert said == "who wrote BERT?"


def test_a_paraphrase_stands_beside_its_request_only_where_both_come_to_the_same_slots_in_the_same_order() -> None:
    plans = (("filter", "list"),)
    request = Request("a", "hard", (), "papers by Hinton, not by Bengio", plans, {})
    swapped, same = "not by Bengio, but by Hinton", "what Hinton wrote, but not that of Bengio"
    told = lines(
        [request], [{"of": "a", "message": swapped}, {"of": "a", "message": same}, {"of": "b", "message": same}]
    )
    beside = [line for line in told if "\t" in line]
    assert beside == [" what {person} wrote, but not that of {person}\tpapers by {person}, not by {person}"]


def test_every_wording_that_stands_beside_another_has_the_slots_of_it() -> None:
    for line in KNOWN.read_text("utf-8").splitlines():
        pattern, _, said = line[1:].partition("\t")
        assert not said or sorted(SLOT.findall(pattern)) == sorted(SLOT.findall(said))


def test_quotation_marks_and_capitals_make_no_other_slot() -> None:
    assert slots(abstracted('papers like "BERT"', LIBRARY)) == slots(abstracted("anything like BERT?", LIBRARY))


def test_a_wording_with_other_slots_is_left_aside() -> None:
    known = Wordings([_known("papers by {person} since {year}")])
    assert list(known.near(abstracted("papers by Bengio", LIBRARY), onward=False)) == []


@given(st.text(max_size=80), st.booleans())
def test_however_strange_a_message_is_closeness_is_a_share(message: str, onward: bool) -> None:
    known = Wordings([_known("sort them by date", True), _known("papers about {topic}"), _known("who wrote {title}?")])
    assert all(0 < closeness <= 1.000001 for closeness, _ in known.near(abstracted(message, LIBRARY), onward=onward))
