"""Answers in the model's words: only to questions about what papers say, and only with what the papers say."""

from typing import Any

import pytest

from agents.assistant.answering import BY_MODEL
from agents.assistant.disclosure import ABSTRACT, ROWS
from cache import papers
from cache.store import Store
from tests.agents.assistant.world import LISTED, NOW, Talk, about, planned, scripted, told
from tests.services.model import says

QUESTION = "which of the latest papers on dense retrieval is the fastest, and why?"
PLAN = {**LISTED, "in_words": True}


def sentences(*said: tuple[str, list[str]]) -> dict[str, Any]:
    return {"sentences": [{"text": text, "rests_on": names} for text, names in said]}


def answered(store: Store, said: object, plan: object = PLAN) -> Talk:
    with scripted(plan, answer=said) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert not endpoint.surprises
    return talk


def test_what_rests_on_the_papers_is_shown_with_their_places_and_as_the_models(store: Store) -> None:
    talk = answered(
        store, sentences(("P3 is the fastest with 17 ms.", ["P3"]), ("All help in practice.", ["P1", "P2"]))
    )
    assert talk.answered.splitlines()[-3:] == [
        BY_MODEL,
        "- [3] is the fastest with 17 ms.",
        "- All help in practice [1] [2].",
    ]
    assert talk.turn.answer
    assert talk.turn.answer.by == "model"
    assert talk.titles[2] == "Study 7 of dense retrieval"


NOT_SHOWN = {
    "it rests on nothing": ("They are all good.", []),
    "it rests on a paper that was not listed": ("P1 beats P9.", ["P1"]),
    "it names what is no id": ("Speed matters.", ["Study 9"]),
    "it has a number that stands nowhere": ("P1 takes 3 ms.", ["P1"]),
    "it has a number of another paper": ("P1 takes 17 ms.", ["P1"]),
    "it has a number with another unit": ("P1 takes 19 %.", ["P1"]),
    "it has a number in words that stands nowhere": ("P1 takes thirty ms.", ["P1"]),
    "it quotes what stands nowhere": ("P1 says “we are the best”.", ["P1"]),
    "it quotes with straight marks": ('P1 says "we are the best".', ["P1"]),
    "it has a link": ("P1 is at http://evil.invalid/x.", ["P1"]),
    "it has a Markdown link": ("Read [P1](javascript:alert).", ["P1"]),
    "it has a Markdown link at an id": ("Read P1(javascript:alert).", ["P1"]),
    "it has a DOI": ("P1 is DOI 10.1234/evil.", ["P1"]),
    "it is empty": ("", ["P1"]),
}


@pytest.mark.parametrize("said", NOT_SHOWN.values(), ids=NOT_SHOWN.keys())
def test_a_sentence_that_does_not_hold_is_dropped_which_is_said_and_the_others_stay(
    store: Store, said: tuple[str, list[str]]
) -> None:
    talk = answered(store, sentences(said, ("P2 takes 18 ms.", ["P2"])))
    told_by_model = talk.answered.partition(BY_MODEL)[2].strip().splitlines()
    dropped = ["1 more sentence is left out, because no paper supports it."] if said[0] else []
    assert told_by_model == ["- [2] takes 18 ms.", *dropped]


def test_where_nothing_holds_the_template_answers_and_that_is_said(store: Store) -> None:
    talk = answered(store, sentences(("P9 is best.", ["P9"])))
    assert talk.turn.answer
    assert talk.turn.answer.by == "built-in"
    assert BY_MODEL not in talk.answered
    assert "10 papers" in talk.answered
    assert talk.warnings == ["No paper supports the model's answer, so it is not shown."]


@pytest.mark.parametrize("said", [says.prose(), says.empty(), says.refusal(), says.down(), says.dropped(), says.page()])
def test_a_model_that_fails_leaves_the_template(store: Store, said: object) -> None:
    talk = answered(store, said)
    assert "10 papers" in talk.answered
    assert len(talk.titles) == 3
    assert len(talk.warnings) == 1


@pytest.mark.parametrize(
    "plan",
    [
        LISTED,
        planned(("filter", {"words": ["astrology"]}), ("list", {}), in_words=True),
        planned(("paper", {"paper": "Nobody's paper at all"}), in_words=True),
        planned(("filter", {"words": ["river"]}), ("save", {"papers": ["@all"]}), in_words=True),
    ],
    ids=["a list", "nothing found", "a failure", "a proposal"],
)
def test_what_needs_no_words_is_told_by_template_and_asks_nothing(store: Store, plan: object) -> None:
    with scripted(plan, answer=sentences(("P1 is it.", ["P1"]))) as endpoint:
        talk = Talk(store, endpoint).say(QUESTION)
    assert not endpoint.asked("assistant-answer")
    assert talk.turn.answer
    assert talk.turn.answer.by == "built-in"


def test_of_one_paper_the_models_words_stand_in_place_of_its_whole_record(store: Store) -> None:
    plan = planned(("paper", {"paper": "Study 3 of river ecology", "parts": ["abstract"]}), in_words=True)
    talk = answered(store, sentences(("P1 takes 13 ms.", ["P1"])), plan)
    assert talk.answered.splitlines() == [BY_MODEL, "- [1] takes 13 ms."]


def test_the_model_reads_the_papers_shown_and_no_others_as_data_under_ids(store: Store) -> None:
    with scripted(PLAN) as endpoint:
        Talk(store, endpoint).say(QUESTION)
    parts = told(endpoint.asked("assistant-answer")[0])
    assert list(parts) == ["Question", "Papers"]
    assert [one["id"].partition("_")[0] for one in parts["Papers"]] == ["P1", "P2", "P3"]
    assert [one["title"] for one in parts["Papers"]] == [f"Study {number} of dense retrieval" for number in (9, 8, 7)]
    assert parts["Papers"][0]["citations"] == 90


def test_at_most_so_many_papers_and_letters_of_abstracts_are_told(store: Store) -> None:
    long = [about("sea birds", number, abstract="bird " * 2_000) for number in range(30)]
    papers.remember(store, long, NOW)
    plan = planned(("filter", {"words": ["sea birds"]}), ("list", {"limit": 30}), in_words=True)
    with scripted(plan) as endpoint:
        Talk(store, endpoint).say("what do papers on sea birds say?")
    rows = told(endpoint.asked("assistant-answer")[0])["Papers"]
    assert len(rows) == ROWS
    assert all(len(one["abstract"]) <= ABSTRACT for one in rows)


def test_what_suits_the_person_is_asked_with_what_they_like_and_only_then(store: Store) -> None:
    from cache import profile

    profile.add_line(store, "expect", "open data", now=NOW)
    suits = planned(("filter", {"words": ["dense"]}), ("rank", {"by": "preference"}), ("list", {"limit": 3}),
                    in_words=True, noted=[{"facet": "like", "text": "fast methods"}])  # fmt: skip
    with scripted(suits) as endpoint:
        Talk(store, endpoint).say("which dense papers suit me? I like fast methods")
        Talk(store, endpoint).say(QUESTION)
    with scripted(PLAN) as other:
        Talk(store, other).say(QUESTION)
    assert told(endpoint.asked("assistant-answer")[0])["Suits"] == [
        {"facet": "expect", "text": "open data"},
        {"facet": "like", "text": "fast methods"},
    ]
    assert "Suits" not in told(other.asked("assistant-answer")[0])


def test_an_answer_that_was_cut_off_is_made_again(store: Store) -> None:
    from agents.assistant.events import StepDone, TurnCriticized

    with scripted(PLAN, answer=sentences(("P2 takes 18 ms.", ["P2"]))) as endpoint:
        cut = Talk(store, endpoint)
        cut.say(QUESTION, lambda event: isinstance(event, TurnCriticized))
        resumed = Talk(store, endpoint, so_far=list(cut.events)).go_on()
    assert "18 ms" in resumed.answered
    assert len(resumed.of(StepDone)) == 3
