"""How well candidates fit a person is weighed by rule and by the model, and what that rests on can be named."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.recommendation.events import CandidateAligned
from agents.recommendation.recall import TOLD
from cache import papers, profile
from cache.store import Store
from tests.agents.recommendation.people import SUBJECTS, about, done, known, recommended
from tests.agents.recommendation.world import Recommended, candidates, scripted, weigh
from tests.agents.recommendation.world import recommended as weighed_for
from tests.agents.scripted import paper
from tests.agents.search.world import model_at
from tests.services.model import says


def test_every_paper_that_a_candidate_rests_on_is_named_however_long_the_history(store: Store) -> None:
    history = papers.remember(store, [about(SUBJECTS[0], number) for number in range(TOLD + 40)])
    done(store, "liked", *history)
    last = about("lattice gauge theory", 1)
    (rare,) = papers.remember(store, [last])
    done(store, "viewed", rare)
    papers.remember(store, [about("lattice gauge theory", 2)])
    state = recommended(store, limit=100)
    grounds = [ground for aligned in state.aligned.values() for ground in aligned.grounds]
    assert rare not in [one.number for one in state.context.history] if state.context else False
    assert rare in {ground.number for ground in grounds}
    assert {ground.number for ground in grounds} <= state.history.keys()


def test_a_link_that_only_a_list_of_references_told_is_known(store: Store) -> None:
    liked, other, *_ = known(store)
    cited, citing = papers.by_ids(store, [liked, other])
    papers.link(store, [citing], [cited])
    done(store, "liked", liked)
    state = recommended(store)
    assert state.recalled
    (work,) = (candidate.work for candidate in state.recalled.candidates if candidate.number == other)
    found = state.aligned[work]
    assert [ground.link for ground in found.grounds] == ["references"]


def test_a_candidate_that_rests_on_a_line_of_the_persons_own_says_so(store: Store) -> None:
    known(store)
    profile.add_line(store, "like", "protein folding")
    state = recommended(store, limit=3)
    assert len(state.shown) == 3
    for placed in state.shown:
        aligned = state.aligned[placed.work]
        assert aligned.alignment == "supports"
        assert [(one.number, one.line, one.words) for one in aligned.grounds] == [
            (0, "protein folding", ("protein folding",))
        ]


def test_an_expectation_that_is_not_met_is_told(store: Store) -> None:
    done(store, "liked", *known(store)[:3])
    papers.remember(store, [paper(f"Old study of {SUBJECTS[0]}", "10.1000/old", date="1999", citation_count=1)])
    profile.add_line(store, "expect", "since 2015")
    state = recommended(store, limit=100)
    told = {state.findings.papers[work].year: aligned.unmet for work, aligned in state.aligned.items()}
    assert told == {2020: "", 1999: "it is from 1999, and you expect other years"}


# By the model

Rows = list[dict[str, Any]]


def twisted(change: Callable[[Rows], object]) -> Callable[[Any], object]:
    """A model whose rows are changed before they are sent."""
    return lambda request: {"candidates": change(weigh(request)["candidates"])}


def fields(**more: object) -> Callable[[Any], object]:
    return twisted(lambda rows: [{**row, **more} for row in rows])


def weighed(store: Store, script: Callable[[Any], object] = weigh) -> Recommended:
    with scripted(nli=script) as endpoint:
        found = weighed_for(store, model_at(endpoint))
        assert not endpoint.surprises
    return found


def by_model(found: Recommended) -> list[CandidateAligned]:
    events = [event for event in found.of(CandidateAligned) if event.by == "model"]
    assert events
    return events


def test_the_thirty_best_candidates_are_weighed_by_the_model_and_all_others_by_rule(shared: Store) -> None:
    plain = weighed_for(shared)
    found = weighed(shared)
    order = sorted(plain.of(CandidateAligned), key=lambda event: (-event.score, event.work))
    best = [event.work for event in order if event.alignment != "contradicts"][:30]
    assert {event.work for event in by_model(found)} == set(best)
    for event in found.of(CandidateAligned):
        if event.work not in best:
            assert event in plain.events
    assert len(found.of(CandidateAligned)) == len(found.state.candidates)


def test_what_the_model_says_stands_with_the_words_that_it_quotes(shared: Store) -> None:
    for event in by_model(weighed(shared)):
        assert event.reason == "It takes up the method of what you have read."
        assert event.quote.startswith("We look at ")
        assert not event.unproven
        assert event.score in (0.6, 0.9)
        assert event.alignment == "supports"
        assert event.rests_on


def test_a_quote_that_stands_nowhere_is_not_told_and_the_reason_is_called_unproven(shared: Store) -> None:
    for event in by_model(weighed(shared, fields(quote="as was shown by everybody before"))):
        assert (event.quote, event.unproven) == ("", True)
        assert event.reason


def test_what_a_candidate_shares_with_papers_that_the_model_names_is_looked_up(shared: Store) -> None:
    """The model's word alone grounds nothing: each ground has words or links that stand in both papers."""
    found = weighed(shared, fields(rests_on=["h10", "h9", "h8"]))
    for event in by_model(found):
        assert len(event.rests_on) == 3
        for ground in event.grounds:
            assert ground.words or ground.link or ground.keywords or not ground.looked_up
            [known] = papers.by_ids(shared, [ground.number])
            texts = [f"{one.title} {one.abstract}".lower() for one in (known, found.state.findings.papers[event.work])]
            assert all(word.lower() in text for word in ground.words for text in texts)


ODD: dict[str, Callable[[Any], object]] = {
    "ids that were not asked for": twisted(lambda rows: [{**row, "id": f"x{row['id']}"} for row in rows]),
    "half of the candidates": twisted(lambda rows: rows[::2]),
    "scores out of range": fields(score=7),
    "scores below zero": fields(score=-0.5),
    "scores that are no numbers": fields(score="high"),
    "no scores": fields(score=None),
    "truth for a score": fields(score=True),
    "nothing": twisted(lambda rows: []),
}


@pytest.mark.parametrize("how", ODD)
def test_what_the_model_does_not_weigh_is_weighed_by_rule_and_that_is_said_once(how: str, shared: Store) -> None:
    plain, found = weighed_for(shared), weighed(shared, ODD[how])
    assert all(0 <= event.score <= 1 for event in found.of(CandidateAligned))
    for event in found.of(CandidateAligned):
        assert event.by == "model" or event in plain.events
    told = "left out candidates" if how == "half of the candidates" else "took over"
    assert sum(told in sentence for sentence in found.state.findings.warnings) == 1
    assert found.titles


def test_a_candidate_that_is_named_twice_is_weighed_once_by_the_first(shared: Store) -> None:
    found = weighed(shared, twisted(lambda rows: [*rows, *({**row, "score": 0.01} for row in rows)]))
    assert {event.score for event in by_model(found)} == {0.6, 0.9}
    assert len(found.of(CandidateAligned)) == len(found.state.candidates)


@pytest.mark.parametrize("named", [["h99"], ["c1"], ["h1", "h99"], ["Attention Is All You Ever Need"]])
def test_nothing_is_told_that_the_model_rests_on_papers_that_do_not_exist(named: list[str], shared: Store) -> None:
    history = set()
    for event in by_model(found := weighed(shared, fields(rests_on=named))):
        history |= {*event.rests_on, *(ground.number for ground in event.grounds)}
        assert event.reason == ""
    assert history <= found.state.history.keys()


@pytest.mark.parametrize(
    "reason",
    [
        "It goes on from “Attention Is All You Ever Need”.",
        "It goes on from h99.",
        "It goes on from Miller et al. and their terms.",
        "Der Artikel ist für die Person wichtig und nicht zu alt.",
        "推荐这篇论文",
        "…",
    ],
)
def test_a_reason_that_cannot_be_shown_is_left_out(reason: str, shared: Store) -> None:
    assert {event.reason for event in by_model(weighed(shared, fields(reason=reason)))} == {""}


def test_markup_and_length_of_a_reason_do_no_harm(shared: Store) -> None:
    found = weighed(shared, fields(reason="[bold]It <b>fits</b>\x1b[2J the person " + "very well " * 60))
    for event in by_model(found):
        assert event.reason.startswith("[bold]It fits the person very well")
        assert len(event.reason) <= 300


def contradicting(*names: str, quote: str | None = None) -> Callable[[Any], object]:
    def change(rows: Rows) -> Rows:
        more = {"alignment": "contradicts", "rests_on": list(names)}
        return [{**row, **more, **({} if quote is None else {"quote": quote})} for row in rows[:1]] + rows[1:]

    return twisted(change)


@pytest.mark.parametrize("name", ["n1", "l1"])
def test_what_the_model_finds_to_contradict_an_unwanted_paper_or_an_own_line_is_not_shown(
    name: str, shared: Store
) -> None:
    found = weighed(shared, contradicting(name))
    against = [event for event in by_model(found) if event.alignment == "contradicts"]
    assert len(against) == 3
    assert not {event.work for event in against} & {placed.work for placed in found.state.shown}
    assert all(event.against is None for event in against), "what is nearer to what is for the rule to say"


@pytest.mark.parametrize("names", [(), ("h1",), ("n99",)])
def test_a_contradiction_that_names_nothing_unwanted_is_none(names: tuple[str, ...], shared: Store) -> None:
    assert not [event for event in by_model(weighed(shared, contradicting(*names))) if event.alignment == "contradicts"]


def test_a_contradiction_without_words_of_the_candidate_is_none(shared: Store) -> None:
    found = weighed(shared, contradicting("n1", quote="this is what you hate"))
    assert not [event for event in by_model(found) if event.alignment == "contradicts"]


def test_an_obedient_model_moves_only_what_it_was_shown(shared: Store) -> None:
    """A model that recommends one paper and calls all others worthless: the others are there all the same."""

    def obedient(request: Any) -> object:
        shown = candidates(request)
        return {"candidates": [{"id": one["id"], "score": float(one is shown[0])} for one in shown]}

    found = weighed(shared, obedient)
    assert len(found.state.shown) == 10
    assert {event.reason for event in by_model(found)} == {""}


@pytest.mark.parametrize("how", ["refusal", "empty", "endless", "prose", "wrong", "down"])
def test_a_model_that_fails_to_weigh_leaves_the_built_in_scores_and_is_told_once(how: str, shared: Store) -> None:
    found = weighed(shared, lambda request: getattr(says, how)())
    assert set(found.of(CandidateAligned)) == set(weighed_for(shared).of(CandidateAligned))
    assert sum("Built-in rules took over" in sentence for sentence in found.state.findings.warnings) == 1


def test_a_candidate_that_falls_far_beside_the_others_is_weighed_again_alone(shared: Store) -> None:
    """Another one's text may have told the model to call it worthless; alone nothing does."""

    def swayed(request: Any) -> object:
        said = weigh(request)["candidates"]
        return {
            "candidates": [{**row, "score": 0.0} if at == 1 else {**row, "score": 1.0} for at, row in enumerate(said)]
        }

    with scripted(nli=swayed) as endpoint:
        found = weighed_for(shared, model_at(endpoint))
        alone = [request for request in endpoint.asked("nli") if len(candidates(request)) == 1]
    assert 0 < len(alone) <= 2 * 3
    assert sum(event.score == 0.0 for event in by_model(found)) <= 3 - len(alone)
