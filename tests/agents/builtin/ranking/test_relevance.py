"""The built-in judge: probabilities, what they are due to, and that they stay the same."""

from math import isfinite

from agents.builtin.ranking.features import FEATURES, Pool
from agents.builtin.ranking.relevance import DOUBTED, assess, weights
from tests.agents.scripted import paper
from tests.agents.search.world import QUESTION, made_up

PAPERS = made_up(60)


def test_there_is_a_weight_for_every_feature() -> None:
    assert len(weights().features) == len(FEATURES)
    assert all(map(isfinite, (*weights().features, weights().intercept)))


def test_papers_on_the_question_are_likelier_than_others() -> None:
    assessed = assess(Pool(QUESTION, PAPERS))
    on = [
        assessment.probability
        for assessment, at in zip(assessed, PAPERS, strict=True)
        if "sparse retrieval" in at.title
    ]
    off = [assessment.probability for assessment, at in zip(assessed, PAPERS, strict=True) if "protein" in at.title]
    assert sum(on) / len(on) > 2 * sum(off) / len(off)


def test_probabilities_are_probabilities_with_reasons_that_exist() -> None:
    for one in assess(Pool(QUESTION, PAPERS, lists=[list(range(10))])):
        assert 0 <= one.probability <= 1
        assert set(one.top_features) <= set(FEATURES) - {"bare"}
        assert len(one.top_features) <= 3


def test_the_same_papers_are_assessed_the_same_each_time() -> None:
    assert assess(Pool(QUESTION, PAPERS)) == assess(Pool(QUESTION, PAPERS))


def test_a_pool_of_one_and_a_pool_of_none_are_assessed() -> None:
    assert assess(Pool(QUESTION, [])) == []
    assert len(assess(Pool(QUESTION, [paper("(untitled)")]))) == 1
    assert len(assess(Pool("", [paper("Sparse retrieval")]))) == 1


def test_where_no_paper_is_about_the_question_none_is_likely_and_their_order_stays() -> None:
    pool = Pool(QUESTION, PAPERS, lists=[list(range(10))])
    beside_each_other, at_all = assess(pool), assess(pool, "coffee and sleep of nurses")
    assert max(one.probability for one in beside_each_other) > 0.5 > 10 * max(one.probability for one in at_all)
    assert {one.top_features for one in at_all} == {(DOUBTED,)}
    assert _order([one.probability for one in at_all]) == _order([one.probability for one in beside_each_other])


def test_where_a_paper_has_the_words_there_is_no_doubt() -> None:
    pool = Pool(QUESTION, PAPERS)
    assert assess(pool, "sparse retrieval of scientific texts") == assess(pool)


def test_a_paper_that_was_judged_relevant_leaves_no_doubt() -> None:
    """Words may differ, in another language for instance; a person or a model has read the paper."""
    judged = Pool(QUESTION, PAPERS, judged={3: 0.9})
    assert assess(judged, "coffee and sleep of nurses") == assess(judged)


def _order(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: -scores[place])[:20]
