"""A question that is the identifier or address of a paper: it is looked up, not searched as a topic."""

from agents.search.events import Finished
from agents.search.options import SearchOptions
from connectors.errors import NotFound, SourceUnavailable
from tests.agents.scripted import ScriptedSource, paper
from tests.agents.search.world import made_up, model_at, scripted, searched, shelf
from tests.rows import each

WANTED = paper("Walls of old towns", "doi:10.1000/walls", "arxiv:2001.00001", date="1999", abstract="They stand.")
OPTIONS = SearchOptions(choose_sources=False)


@each("question", ["10.1000/walls", "https://doi.org/10.1000/walls", "doi:10.1000/WALLS", "arxiv.org/abs/2001.00001v2"])
def test_the_paper_alone_is_found_by_one_request_to_a_source(question: str) -> None:
    knows, other = ScriptedSource("openalex", made_up(5), known=[WANTED]), ScriptedSource("arxiv", made_up(5))
    found = searched(shelf(knows, other), OPTIONS, question=question)
    assert [one.title for one in found.state.papers.values()] == [WANTED.title]
    assert [ranked.relevance for ranked in found.state.shown] == [1.0]
    assert (len(knows.named), len(other.named)) == (1, 1)
    assert not [*knows.asked, *other.asked]
    assert found.of(Finished)[0].ending == "complete"
    assert not found.state.warnings


def test_no_model_is_asked_and_no_date_excludes_the_paper() -> None:
    with scripted() as endpoint:
        source = ScriptedSource("openalex", known=[WANTED])
        found = searched(shelf(source, model=model_at(endpoint)), OPTIONS, question="10.1000/walls")
        assert not [request.name for request in endpoint.requests]
    assert len(found.state.shown) == 1


def test_sources_without_such_identifiers_are_not_asked() -> None:
    books = ScriptedSource("openalex", made_up(5), known=[WANTED], schemes=("pmid",))
    found = searched(shelf(books), OPTIONS, question="10.1000/walls")
    assert not [*books.named, *books.asked]
    assert not found.state.papers
    assert found.state.sources["openalex"].error == "cannot look up such identifiers."
    assert not found.state.not_chosen, "to name the source would not help"


def test_a_paper_that_nobody_knows_is_not_replaced_by_another() -> None:
    nobody = ScriptedSource("openalex", made_up(5), error=NotFound("openalex", "does not know it."))
    fails = ScriptedSource("arxiv", error=SourceUnavailable("arxiv", "is not working right now."))
    found = searched(shelf(nobody, fails), OPTIONS, question="10.1000/walls")
    assert not found.state.papers
    assert (found.state.sources["openalex"].state, found.state.sources["arxiv"].state) == ("ok", "failed")


def test_a_deep_search_follows_no_citations_either() -> None:
    source = ScriptedSource("openalex", made_up(5), known=[WANTED])
    found = searched(shelf(source), SearchOptions(mode="deep", citing=True), question="doi: 10.1000/walls")
    assert len(found.state.papers) == 1


def test_a_number_or_a_sentence_with_an_identifier_is_a_question() -> None:
    for question in ("1999", " 1999 ", "papers that cite 10.1000/walls"):
        source = ScriptedSource("openalex", made_up(5))
        searched(shelf(source), OPTIONS, question=question)
        assert source.asked
