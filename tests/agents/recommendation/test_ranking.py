"""The last word on the order is a permutation of the candidates, whatever the model makes of it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agents.builtin.taste.tokens import FIRST
from agents.recommendation.events import CandidatesRanked, RankedCandidate
from cache import papers
from cache.store import Store
from tests.agents.recommendation.people import done
from tests.agents.recommendation.world import (
    SUBJECTS,
    Recommended,
    candidates,
    history,
    listed,
    rank,
    recommended,
    scripted,
    understand,
    words_of,
)
from tests.agents.scripted import paper
from tests.agents.search.world import model_at
from tests.services.model import says

Rows = list[dict[str, Any]]


def ranked(store: Store, script: Callable[[Any], object] = rank) -> Recommended:
    with scripted(item_ranker=script) as endpoint:
        found = recommended(store, model_at(endpoint))
        assert not endpoint.surprises
    return found


def twisted(change: Callable[[Rows], object]) -> Callable[[Any], object]:
    return lambda request: {"ranking": change(rank(request)["ranking"])}


def ranking(found: Recommended) -> CandidatesRanked:
    [event] = found.of(CandidatesRanked)
    return event


def left_in_place(found: Recommended) -> list[RankedCandidate]:
    """The ranking without those that were raised for their subject, whatever the model said."""
    return [placed for placed in ranking(found).ranking if not placed.why.startswith("for variety")]


def by_score(found: Recommended) -> list[RankedCandidate]:
    """The whole ranking as it was before some were raised for their subject, which moves no score."""
    return sorted(ranking(found).ranking, key=lambda placed: -placed.score)


def order(found: Recommended, placed: Sequence[RankedCandidate] | None = None) -> list[str]:
    """The whole ranking, by title."""
    placed = ranking(found).ranking if placed is None else placed
    return [found.state.findings.papers[one.work].title for one in placed]


def test_the_model_ranks_the_thirty_best_and_the_others_follow_in_the_built_in_order(shared: Store) -> None:
    plain = ranked(shared, lambda request: says.refusal())
    found = ranked(shared)
    assert ranking(found).by == "model"
    said = [placed.work for placed in left_in_place(found) if placed.why]
    titles = [found.state.findings.papers[work].title for work in said]
    assert titles == sorted(titles, key=words_of, reverse=True)
    ours, built_in = order(found, by_score(found)), order(plain, by_score(plain))
    assert {*ours[:30]} == {*built_in[:30]}
    assert ours[30:] == built_in[30:]


def test_scores_fall_from_place_to_place(shared: Store) -> None:
    scores = [placed.score for placed in left_in_place(ranked(shared))]
    assert scores == sorted(scores, reverse=True)


def test_each_explanation_is_kept_as_the_models_word(shared: Store) -> None:
    found = ranked(shared)
    best = {placed.work for placed in by_score(found)[:30]}
    for placed in left_in_place(found):
        said = "It comes next for this person." if placed.work in best else ""
        assert (placed.why, placed.unproven) == (said, bool(said))


def test_the_model_reads_the_history_what_was_understood_and_what_was_summed_up(shared: Store) -> None:
    with scripted() as endpoint:
        state = recommended(shared, model_at(endpoint)).state
        [request] = endpoint.asked("item-ranker")
    assert state.understood is not None
    assert state.summarized is not None
    assert history(request)
    assert listed(request, "Interests")
    assert listed(request, "After now") == state.understood.now
    assert listed(request, "Summary") == state.summarized.text
    assert [theme["name"] for theme in listed(request, "Themes")] == [theme.name for theme in state.summarized.themes]
    assert len(candidates(request)) == 30
    for duty in ("earlier sessions", "matters now", "Examine the candidates", "descending order"):
        assert duty in request.system


ODD: dict[str, Callable[[Rows], object]] = {
    "as asked": lambda rows: rows,
    "ids of nobody": lambda rows: [{**rows[0], "id": "c99"}, {**rows[0], "id": "h1"}, *rows],
    "ids twice": lambda rows: [*rows, *reversed(rows)],
    "half": lambda rows: rows[::2],
    "one": lambda rows: rows[7:8],
    "no ids": lambda rows: [{**row, "id": f"x{row['id']}"} for row in rows],
    "nothing": lambda rows: [],
}


@pytest.mark.parametrize("how", ODD)
def test_every_candidate_has_one_place(how: str, shared: Store) -> None:
    found = ranked(shared, twisted(ODD[how]))
    works = [placed.work for placed in ranking(found).ranking]
    assert sorted(works) == sorted(found.state.candidates)
    warned = " ".join(found.state.findings.warnings)
    assert ("left out candidates it was asked to rank" in warned) == (how in ("half", "one"))
    assert ("took over" in warned) == (how in ("no ids", "nothing"))
    assert ranking(found).by == ("built-in" if how in ("no ids", "nothing") else "model")


def test_what_the_model_leaves_out_follows_in_the_built_in_order(shared: Store) -> None:
    plain, found = ranked(shared, lambda request: says.refusal()), ranked(shared, twisted(ODD["one"]))
    first, *others = order(found, by_score(found))
    assert others == [title for title in order(plain, by_score(plain)) if title != first]


@pytest.mark.parametrize(
    "why",
    [
        "It goes on from “Attention Is All You Ever Need”.",
        "It is like h99.",
        "As Miller et al. have shown it is good.",
        "Der Artikel ist für die Person wichtig und nicht zu alt.",
        "",
    ],
)
def test_an_explanation_that_cannot_be_shown_is_left_out(why: str, shared: Store) -> None:
    found = ranked(shared, twisted(lambda rows: [{**row, "explanation": why} for row in rows]))
    assert ranking(found).by == "model"
    assert {(placed.why, placed.unproven) for placed in left_in_place(found)} == {("", False)}


def test_markup_and_length_of_an_explanation_do_no_harm(shared: Store) -> None:
    text = "[bold]It <b>fits</b>\x1b[2J the person " + "very well " * 30
    found = ranked(shared, twisted(lambda rows: [{**row, "explanation": text} for row in rows]))
    told = [placed.why for placed in left_in_place(found) if placed.why]
    assert told
    assert all(why.startswith("[bold]It fits the person very well") and len(why) <= 200 for why in told)


def test_what_contradicts_the_history_comes_last(shared: Store) -> None:
    state = recommended(shared).state
    assert state.ranked is not None
    against = [state.aligned[placed.work].alignment == "contradicts" for placed in state.ranked.ranking]
    assert any(against)
    assert against == sorted(against)


@pytest.mark.parametrize("how", ["refusal", "empty", "endless", "prose", "wrong", "down"])
def test_a_model_that_fails_to_rank_costs_nothing_else(how: str, shared: Store) -> None:
    found = ranked(shared, lambda request: getattr(says, how)())
    assert ranking(found).by == "built-in"
    assert sum("Built-in rules took over" in sentence for sentence in found.state.findings.warnings) == 1


def test_the_best_of_each_subject_is_among_the_first_whatever_the_model_says(store: Store) -> None:
    made = [
        paper(f"{one[:3]}{letter} of {one}", f"10.1000/{one[:3]}.{letter}", abstract=f"We look at {one}.")
        for one in SUBJECTS[:2]
        for letter in "abcdefghijklmnopqrstuvwxyz"
    ]
    numbers = papers.remember(store, made)
    done(store, "liked", *numbers[:8], *numbers[26:34])

    def only(request: Any) -> object:
        rows = sorted(candidates(request), key=lambda one: {*words_of(SUBJECTS[1])} <= {*words_of(one["title"])})
        return {"ranking": [{"id": one["id"], "explanation": "It comes next."} for one in rows]}

    found = ranked(store, only)
    assert found.state.context is not None
    assert len(found.state.context.groups) == 2
    assert {SUBJECTS[1] in title for title in order(found)[:FIRST]} == {True, False}


def test_an_interest_that_the_model_has_named_is_among_the_first_though_few_papers_are_of_it(store: Store) -> None:
    """Of a fifth of the history the model that orders the candidates would be left alone."""
    made = [
        paper(f"{one[:3]}{letter} of {one}", f"10.1000/{one[:3]}.{letter}", abstract=f"We look at {one}.")
        for one in SUBJECTS[:2]
        for letter in "abcdefghijklmnopqrstuvwxyz"
    ]
    numbers = papers.remember(store, made)
    done(store, "liked", *numbers[:8], *numbers[26:28])

    def first_of(understanding: Callable[[Any], object]) -> list[RankedCandidate]:
        def only(request: Any) -> object:
            rows = sorted(candidates(request), key=lambda one: {*words_of(SUBJECTS[1])} <= {*words_of(one["title"])})
            return {"ranking": [{"id": one["id"], "explanation": "It comes next."} for one in rows]}

        with scripted(item_ranker=only, user_understanding=understanding) as endpoint:
            found = recommended(store, model_at(endpoint))
        assert ranking(found).by == "model"
        return list(ranking(found).ranking[:FIRST])

    raised = [placed for placed in first_of(understand) if placed.why.startswith("for variety")]
    assert len(raised) == 1
    assert not raised[0].unproven
    unnamed = first_of(lambda request: says.refusal())
    assert not [placed for placed in unnamed if placed.why.startswith("for variety")]
