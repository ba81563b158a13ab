"""What the accepted candidates are about is summed up by the person's interests and by how well each fits."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.recommendation.context_summary import LEAST_ACCEPTED, MOST_THEMES, accepted
from agents.recommendation.events import ContextSummarized
from agents.recommendation.options import THRESHOLD
from cache.store import Store
from tests.agents.recommendation.world import candidates, listed, recommended, scripted, sum_up
from tests.agents.search.world import model_at
from tests.services.model import says


def summed(store: Store, script: Callable[[Any], object] = sum_up) -> tuple[ContextSummarized, tuple[str, ...]]:
    """What was summed up, and what the person was warned of."""
    with scripted(context_summary=script) as endpoint:
        found = recommended(store, model_at(endpoint))
        assert not endpoint.surprises
    assert found.state.summarized is not None
    return found.state.summarized, found.state.findings.warnings


def test_candidates_are_accepted_from_the_threshold_on_and_a_few_of_the_best_in_any_case(shared: Store) -> None:
    state = recommended(shared).state
    assert state.summarized is not None
    scores = [state.aligned[work].score for work in state.summarized.accepted]
    assert state.summarized.threshold == THRESHOLD
    assert scores == sorted(scores, reverse=True)
    assert len(scores) >= LEAST_ACCEPTED
    assert min(scores) >= THRESHOLD or len(scores) == LEAST_ACCEPTED
    many = {number: 1 - number / 40 for number in range(40)}
    assert accepted(many) == [number for number in many if many[number] >= THRESHOLD]
    few = {number: score / 3 for number, score in many.items()}
    assert accepted(few) == list(few)[:LEAST_ACCEPTED]


def test_the_model_reads_what_was_understood_and_how_well_each_candidate_fits(shared: Store) -> None:
    with scripted() as endpoint:
        found = recommended(shared, model_at(endpoint))
        [request] = endpoint.asked("context-summary")
    assert found.state.understood is not None
    mine = [line.text for line in found.state.understood.lines if line.by == "model"]
    assert [line["text"] for line in listed(request, "Interests")][: len(mine)] == mine
    assert listed(request, "After now") == found.state.understood.now
    saliences = [one["salience"] for one in candidates(request)]
    assert saliences == sorted(saliences, reverse=True)
    assert min(saliences) >= listed(request, "Threshold")
    assert len(saliences) <= 30


def test_what_the_model_sums_up_is_kept_and_salience_is_counted(shared: Store) -> None:
    found, warnings = summed(shared)
    assert found.by == "model"
    assert found.text == "Most of them are studies of protein folding with other means."
    assert "Folding by other means" in [theme.name for theme in found.themes]
    assert 0.99 < sum(theme.salience for theme in found.themes) < 1.01
    assert sorted(work for theme in found.themes for work in theme.works) == sorted(found.accepted)
    assert not warnings


def said(summary: str = "", *themes: tuple[str, list[str]]) -> Callable[[Any], object]:
    return lambda request: {"summary": summary, "themes": [{"name": name, "candidates": ids} for name, ids in themes]}


NOTHING: dict[str, Callable[[Any], object]] = {
    "nothing": said(),
    "themes of no candidates": said("", ("Folding", ["c99", "h1", ""])),
    "a theme without a name": said("", ("", ["c1"]), ("…", ["c2"])),
    "another language": said("Die Artikel sind für die Person nicht wichtig und auch zu alt."),
    "a paper of nobody": said("They go on from “Attention Is All You Ever Need”."),
    "an id of nobody": said("They go on from c77."),
}


@pytest.mark.parametrize("how", NOTHING)
def test_a_summary_of_no_use_is_replaced_by_the_built_in_one_and_that_is_said(how: str, shared: Store) -> None:
    found, warnings = summed(shared, NOTHING[how])
    assert (found.by, found.text) == ("built-in", "")
    assert found.themes
    assert sum("built-in rules summarize them" in sentence for sentence in warnings) == 1


def test_a_candidate_is_in_one_theme_however_often_it_is_named(shared: Store) -> None:
    ids = [f"c{number}" for number in range(1, 31)]
    found, _ = summed(
        shared, said("", ("First", ids[:9] * 2), ("Second", ids), *((f"More {n}", ids) for n in "abcdefg"))
    )
    works = [work for theme in found.themes for work in theme.works]
    assert len(works) == len(set(works))
    assert set(works) <= set(found.accepted)
    assert len(found.themes) <= MOST_THEMES


def test_the_text_is_short_and_without_markup(shared: Store) -> None:
    found, _ = summed(shared, said("[bold]They <i>bring</i>\x1b[2J other means " + "again and again " * 90))
    assert found.text.startswith("[bold]They bring other means again")
    assert len(found.text) <= 700


@pytest.mark.parametrize("how", ["refusal", "empty", "endless", "prose", "wrong", "down"])
def test_a_model_that_fails_to_sum_up_costs_nothing_else(how: str, shared: Store) -> None:
    found, warnings = summed(shared, lambda request: getattr(says, how)())
    assert found.by == "built-in"
    assert sum("Built-in rules took over" in sentence for sentence in warnings) == 1
