"""The draft of an answer: shown as the model writes it, checked against the papers, and never stored unchecked."""

import json
import threading
from collections.abc import Callable
from typing import Any

from agents.assistant.answering import BY_MODEL, draft_of
from agents.assistant.events import AnswerDrafted, ConversationEvent, TurnAnswered
from agents.assistant.grounding import GroundingSource
from agents.assistant.kind import CONVERSATION
from cache.store import Store
from tests.agents.assistant.test_answering_by_model import PLAN, QUESTION, sentences
from tests.agents.assistant.world import Talk, scripted
from tests.rows import each
from tests.services.model import says

SOURCES = {
    "P1": GroundingSource("“First”", {"id": "P1", "title": "First", "abstract": "It takes 13 ms and “works well”."}),
    "P2": GroundingSource("“Second”", {"id": "P2", "title": "Second", "abstract": "It takes 17 ms."}),
}
WHOLE = json.dumps(sentences(("P1 takes 13 ms.", ["P1"]), ("It is faster than P2 with 17 ms.", ["P1", "P2"])))


def drafts_of(talk: Talk, seen: list[tuple[str, ...]]) -> Callable[[ConversationEvent], bool]:
    """Return a callback that collects the drafts of the answer in `seen`."""

    def until(event: ConversationEvent) -> bool:
        if isinstance(event, AnswerDrafted):
            seen.append(event.sentences)
        return False

    return until


def watched(store: Store, said: object, **more: Any) -> tuple[Talk, list[tuple[str, ...]]]:
    seen: list[tuple[str, ...]] = []
    with scripted(PLAN, answer=said) as endpoint:
        talk = Talk(store, endpoint, **more)
        talk.say(QUESTION, drafts_of(talk, seen))
    return talk, seen


def test_the_first_words_are_told_before_the_last_are_sent_and_the_checked_answer_alone_is_kept(store: Store) -> None:
    read, seen = threading.Event(), list[tuple[str, ...]]()

    def until(event: ConversationEvent) -> bool:
        if isinstance(event, AnswerDrafted) and event.sentences:
            seen.append(event.sentences)
            read.set()
        return False

    whole = sentences(("P3 is the fastest with 17 ms.", ["P3"]), ("All help in practice.", ["P1", "P2"]))
    with scripted(PLAN, answer=says.held_back(whole, read)) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION, until)
    assert not talk.warnings
    first = "[3] is the fastest with 17 ms."
    assert first.startswith(seen[0][0])
    assert talk.answered.partition(BY_MODEL)[2].splitlines()[1] == f"- {first}"
    assert all(CONVERSATION.codec.keeps(event) for event in talk.events)
    assert not talk.of(AnswerDrafted)
    assert CONVERSATION.folded(talk.events) == talk.state, "nothing of the draft is left"


def test_however_far_it_has_come_a_draft_says_what_the_answer_says() -> None:
    final = draft_of(WHOLE + " ", SOURCES)
    assert final is not None
    for end in range(len(WHOLE)):
        draft = draft_of(WHOLE[:end], SOURCES) or ()
        assert all(any(whole.startswith(part) for whole in ("“First” takes 13 ms.", *final)) for part in draft), draft


DOES_NOT_HOLD = {
    "a paper that was not listed": "Speed matters, and P9 has the best of it all",
    "a number that stands nowhere": "This takes 3 ms in all cases",
    "a quote that stands nowhere": "It says “we are the best” of itself",
    "a link": "It is at http://evil.invalid/x and elsewhere",
    "a Markdown link": "Read [P1](javascript:alert) now please",
}


@each("text", DOES_NOT_HOLD.values(), ids=DOES_NOT_HOLD.keys())
def test_a_sentence_is_gone_from_the_draft_as_soon_as_it_cannot_hold(text: str) -> None:
    assert draft_of(json.dumps(sentences((text, []))).partition('", "rests_on')[0] + " ", SOURCES) == ()


def test_a_sentence_that_rests_on_nothing_is_gone_when_that_is_known() -> None:
    text = json.dumps(sentences(("It takes 13 ms.", []), ("P2 takes 17 ms of it", ["P2"])))
    assert draft_of(text.partition(', {"text')[0] + ', {"text": "P2 takes 17 ', SOURCES) == ("“Second” takes 17",)


def test_nothing_that_a_terminal_obeys_and_no_thought_comes_into_a_draft() -> None:
    red = json.dumps(sentences(("P1 \x1b[31mis\x9b2J [bold]fast[/bold]\u202e now ", [])))
    assert draft_of(red.partition('", "rests_on')[0], SOURCES) == ("“First” is [bold]fast[/bold] now",)
    assert draft_of('<think>{"sentences": [{"text": "P1 is bad ', SOURCES) is None
    assert draft_of('Sure:\n```json\n{"sentences": [{"text": "P1 is fast ', SOURCES) == ("“First” is fast",)


@each("text", ["", "[", '{"sentences": 3}', '{"sentences": ["P1"]}', '{"sentences": [{"text": 3}]}',
                                  '{"sentences": [{"text": "\\ud83d', "{" * 30_000, '{"a": NaN'])  # fmt: skip
def test_what_is_no_answer_is_no_draft(text: str) -> None:
    assert not draft_of(text, SOURCES)


def test_what_fails_the_check_in_the_end_is_not_in_the_answer(store: Store) -> None:
    of_another = sentences(("P1 takes 17 ms of time, it says.", ["P1"]))
    talk, seen = watched(store, of_another)
    assert any("takes 17 ms" in sentence for draft in seen for sentence in draft), "no source could be told by then"
    assert BY_MODEL not in talk.answered
    assert "17 ms" not in talk.answered
    assert talk.warnings == ["No paper supports the model's answer, so it is not shown."]
    assert not talk.turn.draft


def test_a_stream_that_breaks_off_leaves_the_template_and_nothing_of_what_it_wrote(store: Store) -> None:
    broken = says.breaking(json.dumps(sentences(("P3 is the fastest with 17 ms by far.", ["P3"]))), "between")
    talk, seen = watched(store, broken)
    assert any(seen)
    assert BY_MODEL not in talk.answered
    assert "10 papers" in talk.answered
    assert "broke off" in talk.warnings[0] or "not working" in talk.warnings[0]
    assert not talk.turn.draft


def test_the_whole_sentences_before_a_break_are_checked_and_kept(store: Store) -> None:
    said = sentences(("P3 is the fastest with 17 ms.", ["P3"]), ("It needs " + "very " * 60 + "little memory.", ["P3"]))
    talk, _ = watched(store, says.breaking(json.dumps(said), "between"))
    assert BY_MODEL in talk.answered
    assert "is the fastest with 17 ms." in talk.answered
    assert "very" not in talk.answered
    assert [sentence for sentence in talk.warnings if sentence.startswith("Only a part of the model's answer")]


def test_an_endpoint_that_cannot_stream_answers_all_the_same(store: Store) -> None:
    from tests.services.model.server import Rules

    with scripted(PLAN, answer=sentences(("P3 takes 17 ms.", ["P3"])), rules=Rules(stream=False)) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert "- [3] takes 17 ms." in talk.answered
    assert not talk.warnings
    assert [request.streamed for request in endpoint.asked("assistant-answer")] == [True, False]


def test_who_stops_while_it_is_written_loses_nothing_and_gets_the_answer_later(store: Store) -> None:
    whole = sentences(("P3 is the fastest with 17 ms.", ["P3"]))
    with scripted(PLAN, answer=whole) as endpoint:
        cut = Talk(store, endpoint)
        cut.say(QUESTION, lambda event: isinstance(event, AnswerDrafted) and bool(event.sentences))
        assert cut.turn.answer is None
        assert len(cut.turn.done) == 3
        resumed = Talk(store, endpoint, so_far=list(cut.events)).go_on()
    assert not cut.of(AnswerDrafted)
    assert "17 ms" in resumed.answered
    assert len(resumed.of(TurnAnswered)) == 1


def test_plans_and_judgements_are_asked_for_as_ever(store: Store) -> None:
    with scripted(PLAN, answer=sentences(("P3 takes 17 ms.", ["P3"]))) as endpoint:
        Talk(store, endpoint).say(QUESTION)
    assert {request.name for request in endpoint.requests if request.streamed} == {"assistant-answer"}
