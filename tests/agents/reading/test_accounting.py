"""Every word of a message counts: what no step uses is named in a question back, never dropped."""

from collections.abc import Iterator

import pytest

from cache.store import Store
from tests.agents.reading import shelves
from tests.agents.reading.conversations import outcome_of
from tests.rows import each


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("accounting") / "library.db") as store:
        shelves.fill(store)
        yield store


@each("verb", ["lowers", "was tested against", "can prevent", "helps with"])
@each("object_", ["malaria", "hydrogen", "sleep"])
def test_a_question_with_a_verb_of_its_own_is_never_answered_by_a_list(store: Store, verb: str, object_: str) -> None:
    reading = outcome_of(store, [f"what {verb} {object_}?"]).reading
    assert not reading.understood or [call.tool for call in reading.calls] == ["ask_papers"]


@each("first", ["how many papers by Lee", "how many unread papers do I have"])
@each("second", ["and which are they?", "and list them"])
def test_a_count_and_its_list_are_both_given(store: Store, first: str, second: str) -> None:
    reading = outcome_of(store, [f"{first} {second}"]).reading
    assert [call.tool for call in reading.calls] == ["filter", "list"]


@each(("message", "counts"), [
    ("how many reviews and how many preprints are there?", [["of the type review", 3], ["of the type preprint", 1]]),
    ("how many papers by Lee and how many by Kim?", [["by Lee", 3], ["by Kim", 2]]),
])  # fmt: skip
def test_two_counts_are_counted_apart(store: Store, message: str, counts: list[list[object]]) -> None:
    assert f"{counts}" in outcome_of(store, [message]).text


@each("act", ["compare", "summarize", "export", "tag", "check"])
@each("noun", ["hydrogen papers", "papers by Lee", "reviews"])
def test_another_number_of_papers_than_the_message_says_is_asked_about(store: Store, act: str, noun: str) -> None:
    reading = outcome_of(store, [f"{act} the two {noun}{' as group' * (act == 'tag')}"]).reading
    assert not reading.understood
    assert "not 2" in reading.reply


@each("message", ["show ten more", "papers by Lee in two", "show twelve"])
def test_a_number_is_no_subject(store: Store, message: str) -> None:
    assert "words" not in f"{outcome_of(store, [message]).reading.calls}"


@each("measure", ["the average citation count there", "the total of their citations", "the median of those citations"])
def test_a_measure_of_what_was_listed_is_of_these_papers(store: Store, measure: str) -> None:
    outcome = outcome_of(store, ["papers by Hansen", f"what is {measure}?"])
    assert outcome.reading.onward
    assert f"{[[107.5]]}"[2:-2] in outcome.text or "215" in outcome.text


@each("change", ["save the energy papers", "mark the energy papers as read"])
@each("second", ["then look them up", "then list my tags", "tag the fish"])
def test_a_change_never_hides_a_second_order(store: Store, change: str, second: str) -> None:
    reading = outcome_of(store, [f"{change}, {second}"]).reading
    assert not reading.understood or reading.taken or len(reading.calls) > len(["filter", "save"])


@each("list_", ["papers by Hansen", "unread papers tagged energy"])
@each(("message", "tool"), [("undo that", "take_back"), ("tag all but the first as group", "tag"),
                            ("what did they find?", "ask_papers")])  # fmt: skip
def test_a_verb_asks_for_its_act(store: Store, list_: str, message: str, tool: str) -> None:
    reading = outcome_of(store, [list_, message]).reading
    steps = [call.tool for call in reading.calls]
    assert steps[-1:] == [tool] or (not reading.understood and tool in f"{reading.options}")


def test_more_like_a_place_of_the_list_is_like_the_paper_there(store: Store) -> None:
    calls = outcome_of(store, ["papers by Hansen", "more like the first but newer"]).reading.calls
    assert [call.arguments for call in calls if call.tool == "resemble"] == [{"papers": ["@1"]}]


def test_or_behind_a_list_adds_to_it(store: Store) -> None:
    [step, _] = outcome_of(store, ["papers by Lee", "or by Kim"]).reading.calls
    assert step.arguments == {"any_authors": ["Lee", "Kim"]}


@each("file", ["energy.bib", "Refs.ris", "list.csv", "~/x/refs.bib"])
@each("message", ["export the energy papers to {}", "write the energy papers into a file called {}"])
def test_of_a_named_file_it_is_said_that_chat_writes_none(store: Store, message: str, file: str) -> None:
    reading = outcome_of(store, [message.format(file)]).reading
    assert [call.tool for call in reading.calls] == ["filter", "export"]
    assert "writes no file" in reading.reply
    assert not outcome_of(store, ["export the energy papers as bibtex"]).reading.reply
