"""Judging: within a budget, in batches, with a score, a reason and a quote that stands in the paper."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.run.step import NOTE, read_score
from agents.search.events import CandidatesChosen, PaperJudged
from agents.search.judgement import UNSUPPORTED
from agents.search.options import LIMITS, SearchOptions
from agents.search.state import THRESHOLD
from tests.agents.search.world import Library, judge, made_up, model_at, scripted, searched, shelf, shown, verdict
from tests.services.model.says import slow
from tests.services.model.server import ModelRequest

PAPERS = made_up(150)
ALL = SearchOptions(choose_sources=False)


@pytest.mark.parametrize(
    ("told", "score"), [(0.9, 0.9), ("0.9", 0.9), ("0.9/1", 0.9), ("9/10", 0.9), ("90 %", 0.9), (1, 1.0), (0, 0.0)]
)
def test_scores_are_read_as_models_write_them(told: object, score: float) -> None:
    assert read_score(told) == score


@pytest.mark.parametrize(
    "told", [7, -0.1, "7", "high", "", None, True, float("nan"), float("inf"), "NaN", "1/0", [1], {}]
)
def test_what_is_no_score_from_0_to_1_is_none(told: object) -> None:
    assert read_score(told) is None


@given(st.one_of(st.text(), st.floats(), st.integers(), st.none(), st.booleans()))
def test_no_score_is_ever_outside_of_0_to_1(told: object) -> None:
    score = read_score(told)
    assert score is None or 0 <= score <= 1


def test_papers_are_judged_in_batches_of_five_to_ten_all_at_once() -> None:
    with scripted(judge=lambda request: slow(judge(request), 0.5)) as endpoint:
        searched(shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, evolution=False))
        sizes = [len(shown(request)) for request in endpoint.asked("judge")]
        assert endpoint.peak > 2
    assert max(sizes) <= 10
    assert sum(size >= 5 for size in sizes) >= len(sizes) - 2  # a step's last batch may be smaller


@pytest.mark.parametrize(("mode", "most"), [("fast", 75), ("deep", 250)])
def test_no_more_papers_are_judged_than_the_depth_allows(mode: str, most: int) -> None:
    sources = [Library(made_up(450, seed), name) for seed, name in enumerate(("openalex", "pubmed"))]
    with scripted() as endpoint:
        found = searched(
            shelf(*sources, model=model_at(endpoint)),
            SearchOptions(choose_sources=False, mode=mode),  # type: ignore[arg-type]
        )
    judged = [event for event in found.of(PaperJudged) if event.by == "model"]
    assert most * 0.3 < len(judged) <= most == LIMITS[mode].judged
    assert len({judgement.work for judgement in judged}) == len(judged)


def test_the_most_promising_papers_are_judged() -> None:
    """The candidates of a step come before all others in the assessment before it."""
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    first = found.of(CandidatesChosen)[0]
    assert len(first.works) >= 10
    worth = [found.state.found[work].paper.title for work in first.works]
    assert sum("retrieval" in title or "passages" in title for title in worth) > len(worth) / 2


def test_a_high_score_without_a_standing_quote_is_lowered_and_marked() -> None:
    with scripted(
        judge=lambda request: {
            "verdicts": [{**verdict(entry), "score": 0.9, "quote": "made up words"} for entry in shown(request)]
        }
    ) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    judged = found.of(PaperJudged)
    assert judged
    assert all(judgement.unsupported and judgement.quote == "" for judgement in judged)
    assert {judgement.score for judgement in judged} == {round(0.9 * UNSUPPORTED, 6)}


def test_words_of_spars_note_bear_a_score_and_are_no_quote() -> None:
    """A model may read the note in want of an abstract, by a name that says what it is."""
    noted = [replace(one, abstract="", described=one.abstract) for one in PAPERS]
    copied: list[str] = []

    def judged_by_note(request: ModelRequest) -> dict[str, object]:
        listed = shown(request)
        copied.extend(entry[NOTE] for entry in listed)
        assert not any(entry["abstract"] for entry in listed)
        return {
            "verdicts": [{**verdict(one), "score": 0.9, "quote": " ".join(one[NOTE].split()[:6])} for one in listed]
        }

    with scripted(judge=judged_by_note) as endpoint:
        found = searched(shelf(Library(noted), model=model_at(endpoint)), ALL)
    assert copied
    told = [event for event in found.of(PaperJudged) if event.by == "model"]
    assert {(one.score, one.quote, one.unsupported) for one in told} == {(0.9, "", False)}


def test_without_a_model_no_note_is_quoted_and_the_order_is_that_of_an_abstract() -> None:
    noted = [replace(one, abstract="", described=one.abstract) for one in PAPERS]
    found, quoting = searched(shelf(Library(noted)), ALL), searched(shelf(Library(PAPERS)), ALL)
    assert found.answer == quoting.answer
    assert any(one.quote for one in quoting.of(PaperJudged))
    assert not any(one.quote for one in found.of(PaperJudged))


def test_a_low_score_needs_no_quote() -> None:
    with scripted(
        judge=lambda request: {"verdicts": [{"id": entry["id"], "score": 0.2} for entry in shown(request)]}
    ) as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert {(event.score, event.unsupported) for event in found.of(PaperJudged)} == {(0.2, False)}


@pytest.mark.parametrize("by_model", [False, True])
def test_every_judgement_has_a_reason_and_its_quote_stands_in_the_paper(by_model: bool) -> None:
    with scripted() as endpoint:
        model = model_at(endpoint) if by_model else None
        found = searched(shelf(Library(PAPERS), model=model), ALL)
    assert found.of(PaperJudged)
    for one in found.of(PaperJudged):
        told = found.state.found[found.state.work(one.work)].paper
        assert one.reason
        assert one.quote in told.abstract or one.quote in told.title
        assert 0 <= one.score <= 1


def test_the_threshold_decides_what_counts_as_relevant() -> None:
    with scripted() as endpoint:
        found = searched(shelf(Library(PAPERS), model=model_at(endpoint)), ALL)
    assert THRESHOLD == 0.5
    assert found.state.included
    assert {one.work for one in found.state.included} == {
        one.work for one in found.state.ranking if one.relevance >= 0.5
    }


def test_the_strict_judge_is_asked_in_its_own_words() -> None:
    with scripted() as endpoint:
        searched(
            shelf(Library(PAPERS), model=model_at(endpoint)), SearchOptions(choose_sources=False, strict_judge=True)
        )
        assert endpoint.asked("judge-complex")
        assert not endpoint.asked("judge")


def test_without_a_model_everything_found_is_assessed() -> None:
    found = searched(shelf(Library(PAPERS)), ALL)
    assert set(found.state.assessed) == set(found.state.found)
    assert all(event.by == "built-in" for event in found.of(PaperJudged))
