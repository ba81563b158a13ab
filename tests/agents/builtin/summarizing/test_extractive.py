"""The sentences that together say most about a question."""

from agents.builtin.summarizing.extractive import extracts
from connectors.paper import Paper, WorkId
from tests.agents.builtin.summarizing.test_facets import papers
from tests.agents.scripted import paper


def numbered() -> dict[WorkId, Paper]:
    return {WorkId(number): one for number, one in enumerate(papers())}


def test_extracts_stand_in_their_papers_and_say_different_things() -> None:
    found = numbered()
    made = extracts("how are small indexes made by pruning", found, 40)
    assert all(extract.text in found[extract.work].abstract for extract in made)
    assert any("pruning" in extract.text for extract in made)
    assert len({extract.text for extract in made}) == len(made)


def test_what_is_written_already_is_not_written_again() -> None:
    found = numbered()
    first = [extract.text for extract in extracts("token pruning", found, 30)]
    assert not set(first) & {extract.text for extract in extracts("token pruning", found, 30, first)}


def test_what_is_no_sentence_on_the_question_is_not_taken() -> None:
    abstract = "Origin of the whole term pruning, see there. Bread is baked in the oven by bakers. Pruning drops words."
    on_pruning = paper(
        "Pruning", "10.1000/p", abstract=f"{abstract} Token pruning makes the index smaller than it was before."
    )
    assert [extract.text for extract in extracts("pruning of tokens", {WorkId(1): on_pruning}, most=1)] == [
        "Token pruning makes the index smaller than it was before."
    ]
    assert "Bread" not in " ".join(extract.text for extract in extracts("pruning of tokens", {WorkId(1): on_pruning}))
