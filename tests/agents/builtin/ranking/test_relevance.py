"""The built-in judge: probabilities, what they are due to, and that they stay the same."""

from dataclasses import replace
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.builtin.ranking.features import FEATURES, MEANING, NEAR, WORD_VECTORS, Pool
from agents.builtin.ranking.relevance import (
    DOUBTED,
    POOL_FACTS,
    Assessment,
    assess,
    probability_of,
    to_compare,
    weights,
)
from agents.search.options import SearchOptions
from agents.search.state import THRESHOLD, SearchState
from agents.search.understanding import READS_ENGLISH
from connectors.starter.shelf import StarterShelf
from tests.agents.builtin.ranking.off_subject import OFF_SUBJECT, ON_SUBJECT
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import QUESTION, made_up, model_at, scripted, searched, shelf
from tests.rows import each

PAPERS = made_up(60)
HALLUCINATIONS = "We detect hallucinations of language models by the uncertainty of their answers."
OBJECTS = "A network proposes regions of an image and detects objects in them in real time."


def test_there_is_a_weight_for_every_feature_and_every_fact_of_the_pool() -> None:
    assert len(weights().features) == len(FEATURES)
    assert len(weights().pool) == len(POOL_FACTS)
    assert all(map(isfinite, (*weights().features, *weights().pool, weights().intercept)))


def test_papers_that_are_compared_by_meaning_have_weights_of_their_own_and_one_more() -> None:
    assert weights((MEANING,)).names == (*weights().names, MEANING)
    assert len(weights((MEANING,)).features) == len(weights().features) + 1
    assert weights((MEANING,)).features[-1] > 0
    assert weights((MEANING,)).keep == weights().keep  # a relevance means one probability, whoever compares


def test_where_the_built_in_judge_is_alone_word_vectors_have_weights_and_the_rest_weights_of_its_own() -> None:
    assert weights(WORD_VECTORS).names == (*weights().names, *WORD_VECTORS)
    assert all(weight > 0 for weight in weights(WORD_VECTORS).features[-len(WORD_VECTORS) :])
    assert weights(WORD_VECTORS).keep == weights().keep


def test_alone_it_thinks_more_of_a_paper_that_says_it_in_other_words_and_beside_others_it_does_not() -> None:
    question = "physicians and cancer"
    papers = [
        paper("Compilers and graphs", "10.1000/a", author="A A"),
        paper("Doctors, tumors", "10.1000/b", author="B B"),
    ]
    beside, alone = assess(Pool(question, papers)), assess(Pool(question, papers), alone=True)
    assert beside[0].probability == beside[1].probability
    assert alone[0].probability < alone[1].probability


def test_where_meanings_are_compared_word_vectors_say_nothing() -> None:
    pool = Pool(QUESTION, PAPERS, cosines=dict.fromkeys(range(len(PAPERS)), 0.3))
    assert assess(pool, alone=True) == assess(pool)


def test_the_nearer_in_meaning_the_likelier() -> None:
    cosines = dict.fromkeys(range(len(PAPERS)), 0.3)
    before, after = (assess(Pool(QUESTION, PAPERS, cosines={**cosines, 5: cosine})) for cosine in (0.3, 0.8))
    assert after[5].probability > before[5].probability
    assert MEANING in after[5].top_features
    assert MEANING not in before[5].top_features


def test_a_paper_that_was_not_compared_counts_as_one_of_the_farther_ones() -> None:
    near = {place: 0.8 if place < 30 else 0.2 for place in range(len(PAPERS) - 1)}
    left_out, far = (assess(Pool(QUESTION, PAPERS, cosines=cosines)) for cosines in (near, {**near, 59: 0.2}))
    assert left_out[59].probability == pytest.approx(far[59].probability, abs=1e-5)


def test_the_likeliest_by_all_else_are_compared() -> None:
    found = [Assessment(place % 7 / 10, ()) for place in range(NEAR + 50)]
    chosen = to_compare(found)
    assert len(chosen) == NEAR
    left = [found[place].probability for place in range(len(found)) if place not in chosen]
    assert min(found[place].probability for place in chosen) >= max(left)
    assert to_compare(found[:3]) == [2, 1, 0]


def test_papers_on_the_question_are_likelier_than_others() -> None:
    papers = [replace(at, references=()) for at in PAPERS]  # by their words: the links between them are chance
    assessed = assess(Pool(QUESTION, papers))
    on = [
        assessment.probability
        for assessment, at in zip(assessed, papers, strict=True)
        if "sparse retrieval" in at.title
    ]
    off = [assessment.probability for assessment, at in zip(assessed, papers, strict=True) if "protein" in at.title]
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


def test_papers_with_links_among_each_other_do_not_pass_those_on_the_question_without_known_links() -> None:
    """As where an imported bibliography, without references, is searched beside papers whose references are known."""
    imported = [paper(f"Hallucination detection {name}", f"10.1000/i{name}", abstract=HALLUCINATIONS, author=name)
                for name in "abcdefghijklmnopqrst"]  # fmt: skip
    linked = [paper(f"Object detection {number}", f"10.1000/n{number}", abstract=OBJECTS, author=f"C D{number}",
                    references=[paper("x", f"10.1000/n{cited}").identifiers[0] for cited in range(number)])
              for number in range(6)]  # fmt: skip
    lists = [range(len(imported)), range(len(imported), len(imported) + len(linked))]
    assessed = assess(
        Pool("hallucination detection", [*imported, *linked], lists), "hallucination detection", alone=True
    )
    probabilities = [assessment.probability for assessment in assessed]
    assert max(probabilities[len(imported) :]) < weights().keep
    assert max(probabilities[len(imported) :]) < sorted(probabilities[: len(imported)])[-10]


def test_a_paper_that_was_judged_relevant_leaves_no_doubt() -> None:
    """Words may differ, in another language for instance; a person or a model has read the paper."""
    judged = Pool(QUESTION, PAPERS, judged={3: 0.9})
    assert assess(judged, "coffee and sleep of nurses") == assess(judged)


def _order(scores: list[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: -scores[place])[:20]


def test_a_relevance_of_a_half_stands_for_the_probability_from_which_on_papers_are_kept() -> None:
    keep = weights().keep
    assert 0 < keep < 0.5
    assert Assessment(keep, ()).relevance == pytest.approx(0.5)
    assert (Assessment(0.0, ()).relevance, Assessment(1.0, ()).relevance) == (0, 1)


@given(st.floats(0, 1), st.floats(0, 1))
def test_relevance_rises_with_the_probability_and_tells_it(one: float, other: float) -> None:
    low, high = (Assessment(probability, ()).relevance for probability in sorted((one, other)))
    assert low <= high
    assert probability_of(high) == pytest.approx(max(one, other), abs=1e-5)


def test_papers_are_likelier_where_others_cite_each_other() -> None:
    """The first half has no link either time."""
    alone = [replace(one, references=(), citation_count=None) for one in PAPERS]
    cited = alone[-1].identifiers
    linking = [*alone[:30], *(replace(one, references=cited) for one in alone[30:-1]), alone[-1]]
    before, after = (assess(Pool(QUESTION, papers, [list(range(30))])) for papers in (alone, linking))
    assert after[0].probability > before[0].probability


def test_a_question_told_at_length_has_more_answers() -> None:
    long = QUESTION + " among marine mammals of arctic waters"
    expected = [sum(one.probability for one in assess(Pool(text, PAPERS))) for text in (QUESTION, long)]
    assert expected[0] < expected[1]


ONCE = SearchOptions(choose_sources=False, evolution=False, refchain=False)


def on_the_starter_shelf(question: str) -> SearchState:
    return searched(shelf(fallback=StarterShelf()), ONCE, question).state


@each("question", OFF_SUBJECT["tune"][:4] + OFF_SUBJECT["report"][:4])
def test_nothing_on_the_starter_shelf_is_relevant_to_a_question_it_knows_nothing_of(question: str) -> None:
    state = on_the_starter_shelf(question)
    assert state.included == ()
    assert all(entry.relevance < THRESHOLD * 0.9 for entry in state.ranking)


@each("question", ON_SUBJECT["tune"][:3] + ON_SUBJECT["report"][:3])
def test_a_question_that_the_starter_shelf_has_papers_on_is_answered(question: str) -> None:
    assert on_the_starter_shelf(question).included


def test_a_reason_says_that_no_paper_is_about_the_question() -> None:
    state = on_the_starter_shelf("does coffee reduce sleep quality?")
    assert {judgement.reason for judgement in state.judged.values()} == {"no paper found covers enough of the question"}


@each("question", ["the of and", "what is it about"])
def test_nothing_is_relevant_to_a_question_of_small_words_alone_whatever_cites_what(question: str) -> None:
    state = searched(shelf(ScriptedSource("openalex", made_up(40))), ONCE, question).state
    assert state.ranking
    assert state.included == ()


def test_conditions_of_a_question_need_not_stand_in_a_paper() -> None:
    found = on_the_starter_shelf("highly cited papers on dropout published between 2010 and 2020")
    assert found.included


def test_a_model_still_reads_the_nearest_papers() -> None:
    """Words may mislead: only a model that read the papers is sure that they are about something else."""
    with scripted() as endpoint:
        resources = shelf(ScriptedSource("openalex", made_up(30)), model=model_at(endpoint))
        searched(resources, ONCE, "coffee and sleep of nurses")
        assert endpoint.asked("judge")


def test_a_question_in_another_language_is_asked_as_it_stands_and_what_shares_no_words_is_not_relevant() -> None:
    question = "Welche neuen Therapien gibt es für Diabetes bei Kindern?"
    her2 = [
        paper(f"HER-2/neu in tumour {number}", f"10.1000/{number}", author=f"A Name{number}") for number in range(9)
    ]
    source = ScriptedSource("openalex", her2)
    found = searched(shelf(source), ONCE, question)
    assert found.state.included == ()
    assert question in [plan.query for plan in found.state.planned]
    assert READS_ENGLISH in found.state.warnings
    assert all("read English" in judgement.reason for judgement in found.state.judged.values())


def test_papers_that_have_the_words_of_a_question_in_another_language_can_be_relevant() -> None:
    told = paper(
        "Neue Therapien für Diabetes bei Kindern", "10.1000/k", author="B Arzt", abstract="Diabetes bei Kindern."
    )
    source = ScriptedSource("openalex", [told, *made_up(20)])
    found = searched(shelf(source), ONCE, "Welche neuen Therapien gibt es für Diabetes bei Kindern?")
    assert [found.state.found[entry.work].paper.title for entry in found.state.included] == [told.title]


def test_where_nothing_is_relevant_nearness_comes_before_fame() -> None:
    famous = paper("Bread and yeast", "10.1000/bread", author="B Baker", abstract="We bake.", citation_count=90_000)
    near = paper("Sleep in space", "10.1000/space", author="C Pilot", abstract="Astronauts.", citation_count=0)
    source = ScriptedSource("openalex", [near, famous, *made_up(20)])
    titles = searched(shelf(source), ONCE, "coffee, chocolate and sleep of nurses at night").titles
    assert titles.index(near.title) < titles.index(famous.title)
