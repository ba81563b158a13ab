"""Why a paper is recommended: each sentence in the state in which it is said."""

from typing import Any

from agents.recommendation.events import (
    CandidateAligned,
    CandidatesRanked,
    CandidatesRecalled,
    ContextRead,
    RankedCandidate,
    Recalled,
    RecommendationStarted,
    RecommendationState,
)
from agents.run.events import FoundBy, PaperFound
from agents.taste.context import AGAINST, CHOSEN, WORTH
from agents.taste.records import Ground, HistoryPaper
from cache.timestamps import utc_now
from connectors.paper import WorkId
from spar_tui.recommendation_phrases import DONE, act_text, ground_text, nothing_text, reasons, whence_text
from tests.agents.scripted import paper
from tests.rows import each

SAVED = HistoryPaper(7, "doi:10.1/t", "T", acts=("viewed", "saved"), key="k1")
BARE = HistoryPaper(8, "doi:10.1/u", "U")
DISLIKED = HistoryPaper(9, "doi:10.1/v", "V", acts=("liked", "dismissed"))
HISTORY = {one.number: one for one in (SAVED, BARE, DISLIKED)}
WORK = WorkId(1)
NO_WORDS = "but they share no phrase"


@each(
    ("ground", "said"),
    [
        (Ground(7, 1, link="references"), "it cites “T” (k1), which you saved"),
        (Ground(7, 1, ("a b",), "references"), "it cites “T” (k1), which you saved; both say “a b”"),
        (Ground(8, 1, link="citations", keywords=("K", "L")), "it is cited by “U”; both are filed under “K” and “L”"),
        (Ground(7, 1, shared_references=1), "it and “T” (k1), which you saved, cite 1 work in common"),
        (Ground(8, 1, ("w",), shared_references=2), "it and “U” cite 2 works in common; both say “w”"),
        (Ground(7, 1, ("a", "b", "c")), "like “T” (k1), which you saved, it says “a”, “b” and “c”"),
        (Ground(8, 1, keywords=("K",)), "like “U”, it is filed under “K”"),
        (Ground(8, 1), f"similar to “U”, {NO_WORDS}"),
        (Ground(0, 1, ("w",), line="my w"), "like your own line “my w”, it says “w”"),
        (Ground(8, 1, looked_up=False), "similar to “U”"),
        (Ground(0, 1, line="w"), f"similar to your own line “w”, {NO_WORDS}"),
    ],
)  # fmt: skip
def test_what_a_candidate_shares_with_a_paper_of_the_history(ground: Ground, said: str) -> None:
    assert ground_text(HISTORY, ground) == said


def test_formulas_in_titles_are_told_as_text() -> None:
    history = {7: HistoryPaper(7, "doi:10.1/t", r"$\alpha$-decay")}
    assert ground_text(history, Ground(7, 1, link="references")) == "it cites “α-decay”"


@each("act", [*WORTH, *AGAINST, CHOSEN])
def test_every_kind_of_act_has_words(act: str) -> None:
    assert act_text([act]) == DONE[act]


def test_the_act_that_says_most_names_a_paper_and_for_an_unwanted_one_what_was_done_against_it() -> None:
    assert act_text(["viewed", "saved", "liked"]) == "liked"
    assert act_text(["liked", "dismissed"]) == "liked"
    assert act_text(["liked", "dismissed"], against=True) == "did not want"
    assert act_text([CHOSEN, "liked"]) == "chose to start from"
    assert act_text([]) == act_text(["unheard of"]) == ""


def told(placed: RankedCandidate | None = None, field: str | None = None, **aligned: Any) -> list[str]:
    """The reasons for one candidate."""
    state = RecommendationState()
    for event in (
        RecommendationStarted((), 10, field=field),
        ContextRead((SAVED, BARE), 2, unwanted=(DISLIKED,)),
        PaperFound(WORK, paper("P"), FoundBy("library", "", 1)),
        CandidateAligned(WORK, 0.5, **aligned),
    ):
        state = state.apply(event)
    return reasons(state, placed or RankedCandidate(WORK, 0.5))


def test_a_models_reason_has_its_quote_and_one_that_is_unproven_is_marked_and_has_none() -> None:
    assert told(reason="It fits.", quote="words of it") == ["It fits. “words of it”"]
    assert told(reason="It fits", quote="invented", unproven=True) == ["Not proven by the paper: It fits."]


def test_what_speaks_against_a_candidate_is_told_by_what_was_done_against_it() -> None:
    assert told(against=Ground(9, 0)) == ["It is as similar to “V”, which you did not want, as to what you like most."]
    assert told(against=Ground(0, 0, line="blockchains")) == [
        "It is as similar to your own line “blockchains” as to what you like most."
    ]
    assert told(unmet="it is from 1999, and you expect other years") == ["It is from 1999, and you expect other years."]


def test_what_moved_a_candidate_is_told_first_and_a_models_word_for_it_last_and_marked() -> None:
    """A place before papers with better scores is explained in the row, which has room for one reason."""
    ground = Ground(8, 1, ("w",))
    assert told(RankedCandidate(WORK, 0.5, "for variety"), grounds=(ground,)) == [
        "For variety.",
        "Like “U”, it says “w”.",
    ]
    assert told(RankedCandidate(WORK, 0.5, "it is a must", unproven=True), grounds=(ground,)) == [
        "Like “U”, it says “w”.",
        "Not proven by the paper: it is a must.",
    ]


def test_a_landmark_is_called_one() -> None:
    assert told(field="agents") == ["It is one of the landmarks of “agents” on the starter shelf."]


def test_two_grounds_are_told_unless_more_are_asked_for() -> None:
    grounds = tuple(Ground(8, 1, (word,)) for word in "abc")
    assert len(told(grounds=grounds)) == 2


def test_why_nothing_is_recommended_is_what_happened() -> None:
    state = RecommendationState().apply(RecommendationStarted((), 10))
    assert "the time was up before any paper was judged" in nothing_text(state)
    assert "no paper in the library can be recommended" in nothing_text(state.apply(CandidatesRecalled((), 3)))
    new = RecommendationState().apply(RecommendationStarted((), 10, new_since=utc_now()))
    assert "is new since the last recommendation" in nothing_text(new.apply(CandidatesRecalled((), 3)))
    against = state.apply(CandidatesRecalled((Recalled(WORK, 0.5),), 3))
    against = against.apply(CandidateAligned(WORK, 0.1, "contradicts")).apply(
        CandidatesRanked((RankedCandidate(WORK, 0.1),))
    )
    assert nothing_text(against) == "the 1 paper judged is like papers that you do not want."


@each(
    ("options", "said"),
    [
        ({}, "from your reading history"),
        ({"start": [1, 2]}, "from 2 papers"),
        ({"start": [1], "only_new": True}, "from 1 paper, only what was new"),
        ({"tag": "nlp"}, "from the tag nlp"),
        ({"field": "agents"}, "landmarks of agents"),
    ],
)
def test_a_list_of_runs_says_where_each_started(options: dict[str, Any], said: str) -> None:
    assert whence_text(options) == said
