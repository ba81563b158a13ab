"""What is relevant by itself does not depend on what else was found."""

from dataclasses import replace

import pytest

from agents.search.pool import judged_alone
from agents.search.state import THRESHOLD
from connectors.paper import Paper
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.test_retrieval import DENSE, ONCE, SPARSE, YEAST, resources, run
from tests.agents.search.world import made_up


def relevance(pool: list[Paper], of: Paper, question: str = "sparse retrieval") -> float | None:
    """The relevance of a paper, in a search that found `pool`; None if it does not meet the question's conditions."""
    read = replace(ONCE, understanding=True)
    state, _ = run(resources(ScriptedSource("openalex", pool)), question, read)
    ranking = judged_alone(state).ranking
    return next((one.relevance for one in ranking if state.found[one.work].paper.title == of.title), None)


@pytest.mark.parametrize("of", [SPARSE, DENSE], ids=["about it", "half about it"])
def test_the_relevance_of_a_paper_is_the_same_beside_any_others(of: Paper) -> None:
    pools = ([of], [of, YEAST], [of, SPARSE, DENSE, YEAST], [*made_up(), of])
    assert len({relevance(list(dict.fromkeys(pool)), of) for pool in pools}) == 1


def test_a_paper_with_the_questions_words_is_relevant_and_one_with_few_of_them_is_not() -> None:
    pool = [SPARSE, DENSE, YEAST]
    about, half = relevance(pool, SPARSE), relevance(pool, DENSE)
    assert about is not None
    assert half is not None
    assert about >= THRESHOLD > half


def test_a_condition_holds_though_no_paper_meets_it() -> None:
    """A search drops a venue that none of its papers shows; what a watch calls new must meet it."""
    question = "sparse retrieval published in Nature"
    here = paper(SPARSE.title, "10.1000/nature", abstract=SPARSE.abstract, venue="Nature", author="Bo Other")
    assert relevance([SPARSE], SPARSE, question) is None
    assert relevance([here], here, question) == 1.0
