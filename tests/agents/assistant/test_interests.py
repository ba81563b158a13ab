"""The person's taste as stated in a conversation: it counts there, and is added to the profile after a yes."""

from typing import Any

from agents.assistant.events import ProfileNoted, StepDone
from agents.assistant.interests import GROWN, is_goodbye, remembering
from agents.assistant.kind import EVENTS
from agents.assistant.options import ConversationOptions
from cache import profile, reading_history, shelf
from cache.store import Store
from tests.agents.assistant.world import Talk, planned, scripted
from tests.rows import each

LIKED = planned(("resemble", {"words": "protein folding", "unlike_words": "rivers"}), ("list", {}))


def lines(store: Store) -> list[tuple[str, str]]:
    return [(line.facet, line.text) for line in profile.own_lines(store)]


def noted(talk: Talk) -> list[tuple[str, str]]:
    return [(event.facet, event.text) for event in talk.of(ProfileNoted)]


def test_what_papers_should_be_like_and_unlike_is_noted_once(store: Store) -> None:
    with scripted(LIKED) as endpoint:
        talk = Talk(store, endpoint).say("like protein folding, not rivers").say("like protein folding, not rivers")
    assert noted(talk) == [("like", "protein folding"), ("dislike", "rivers")]


def test_without_a_model_choices_are_noted_as_well(store: Store) -> None:
    talk = Talk(store).say("papers like Study 3 of protein folding but not about rivers")
    assert ("dislike", "rivers") in noted(talk)
    [liked] = [event for event in talk.of(ProfileNoted) if event.facet == "like"]
    assert liked.papers


def test_the_model_notes_what_the_message_says_in_the_persons_own_words(store: Store) -> None:
    said = [
        {"facet": "like", "text": "small models"},
        {"facet": "expect", "text": "open code"},
        {"facet": "like", "text": "quantum computing"},
        {"facet": "adore", "text": "small models"},
        {"facet": "dislike", "text": ""},
    ]
    with scripted(planned(("list", {}), noted=said)) as endpoint:
        talk = Talk(store, endpoint).say("I like small models and expect open code; list all")
    assert noted(talk) == [("like", "small models"), ("expect", "open code")]


def test_a_paper_that_was_pointed_at_is_noted_by_its_number_and_not_by_its_title(store: Store) -> None:
    plan = planned(("resemble", {"papers": ["@2"]}), ("list", {}))
    with scripted(plan) as endpoint:
        talk = Talk(store).say("papers on river ecology")
        second = talk.state.shown[1]
        talk = Talk(store, endpoint, so_far=talk.events).say("more like the second")
    assert talk.of(ProfileNoted)[-1] == ProfileNoted("like", "", (second,))
    assert remembering(talk.state) == ()


def test_ranking_by_preference_weighs_what_was_said_here_and_says_so(store: Store) -> None:
    ranked = planned(("rank", {"by": "preference"}), ("list", {"limit": 30}))
    saved = [row.number for row in shelf.rows(store)]
    shelf.unsave(store, saved)
    reading_history.forget_interactions(store)
    with scripted(ranked) as endpoint:
        talk = Talk(store, endpoint).say("sort all papers by what fits me")
    assert "spar does not know yet what you like" in talk.answered
    said = {"noted": [{"facet": "like", "text": "river ecology"}, {"facet": "dislike", "text": "dense retrieval"}]}
    with scripted(planned(("list", {}), **said)) as endpoint:
        talk = Talk(store, endpoint).say("I like river ecology and dislike dense retrieval; list all")
    with scripted(ranked) as endpoint:
        talk = Talk(store, endpoint, so_far=talk.events).say("sort all papers by what fits me")
    assert all("river ecology" in title for title in talk.titles[:10])
    assert "including what you said here: you like “river ecology”; you dislike “dense retrieval”." in talk.answered


def test_what_was_said_here_leaves_the_profile_as_it_is(store: Store) -> None:
    with scripted(LIKED) as endpoint:
        Talk(store, endpoint).say("like protein folding, not rivers")
    assert lines(store) == []


def five(number: int) -> dict[str, Any]:
    return planned(("list", {}), noted=[{"facet": "like", "text": f"topic number{number}"}])


def talked(store: Store, options: ConversationOptions | None = None, messages: int = GROWN) -> Talk:
    talk = Talk(store, None, options or ConversationOptions())
    for number in range(messages):
        with scripted(five(number)) as endpoint:
            talk = Talk(store, endpoint, talk.options, so_far=talk.events).say(f"list all; I like topic number{number}")
    return talk


def test_when_it_has_grown_the_person_is_asked_whether_it_may_go_into_their_profile(store: Store) -> None:
    talk = talked(store, messages=GROWN - 1)
    assert not talk.turn.proposed
    talk = talked(store)
    assert talk.turn.proposed
    assert "write into your profile, as what you like: “topic number0”" in talk.answered
    assert lines(store) == []
    talk.say("yes")
    assert lines(store) == [("like", f"topic number{number}") for number in range(GROWN)]


def test_after_a_no_it_is_not_asked_about_again(store: Store) -> None:
    talk = talked(store).say("no")
    assert lines(store) == []
    assert remembering(talk.state) == ()
    assert not Talk(store, so_far=talk.events).say("papers on river ecology").turn.proposed


def test_who_takes_their_leave_is_asked_about_what_they_said(store: Store) -> None:
    with scripted(LIKED) as endpoint:
        talk = Talk(store, endpoint).say("like protein folding, not rivers").say("bye")
        assert talk.answered.startswith("Goodbye.\n")
        assert "as what you dislike: “rivers”" in talk.answered
        talk.say("yes")
    assert lines(store) == [("like", "protein folding"), ("dislike", "rivers")]


@each("message", ["bye", "Goodbye!", "ok, that's all", "thanks, bye", "quit", "That’s it for now."])
def test_a_goodbye_is_known(message: str) -> None:
    assert is_goodbye(message)


@each("message", ["by Ada", "goodbye papers on rivers", "thanks", "that's all papers?"])
def test_what_is_more_than_a_goodbye_is_none(message: str) -> None:
    assert not is_goodbye(message)


def test_whoever_lets_changes_pass_is_not_taken_to_have_said_yes_to_this(store: Store) -> None:
    talk = talked(store, ConversationOptions(allow_changes=True))
    assert lines(store) == []
    assert not [done for done in talk.of(StepDone) if done.tool == "remember"]


def test_it_is_asked_about_apart_from_other_changes(store: Store) -> None:
    talk = talked(store, messages=GROWN - 1)
    both = planned(("save", {"papers": ["@1"]}), noted=[{"facet": "like", "text": "more"}], onward=True)
    with scripted(both) as endpoint:
        talk = Talk(store, endpoint, so_far=talk.events).say("save the first, I like more")
    assert talk.turn.proposed
    assert "profile" not in talk.answered


def test_what_is_noted_is_stored_and_read_back() -> None:
    event = ProfileNoted("expect", "open code", (3,))
    row = EVENTS.encode(event)
    assert row.kind == "ProfileNoted"
    assert EVENTS.decode(row.kind, row.content) == event
