"""Questions that no paper at hand is about: the nearest papers are shown, and none is called relevant."""

import pytest

from agents.search.options import SearchOptions
from agents.search.state import THRESHOLD, SearchState
from agents.search.understanding import READS_ENGLISH
from connectors.starter.shelf import StarterShelf
from tests.agents.builtin.ranking.off_subject import OFF_SUBJECT, ON_SUBJECT
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import made_up, model_at, scripted, searched, shelf

ONCE = SearchOptions(choose_sources=False, evolution=False, refchain=False)


def on_the_starter_shelf(question: str) -> SearchState:
    return searched(shelf(fallback=StarterShelf()), ONCE, question).state


@pytest.mark.parametrize("question", OFF_SUBJECT["tune"][:4] + OFF_SUBJECT["report"][:4])
def test_nothing_on_the_starter_shelf_is_relevant_to_a_question_it_knows_nothing_of(question: str) -> None:
    state = on_the_starter_shelf(question)
    assert state.included == ()
    assert all(entry.relevance < THRESHOLD * 0.9 for entry in state.ranking)


@pytest.mark.parametrize("question", ON_SUBJECT["tune"][:3] + ON_SUBJECT["report"][:3])
def test_a_question_that_the_starter_shelf_has_papers_on_is_answered(question: str) -> None:
    assert on_the_starter_shelf(question).included


def test_a_reason_says_that_no_paper_is_about_the_question() -> None:
    state = on_the_starter_shelf("does coffee reduce sleep quality?")
    assert {judgement.reason for judgement in state.judged.values()} == {"no paper found says enough of what is asked"}


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
    assert all("reads English" in judgement.reason for judgement in found.state.judged.values())


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
