"""Which links of a search's relevant papers are known, and what is said where none is."""

from dataclasses import replace
from pathlib import Path

from agents.run.events import FoundBy, PaperFound
from agents.search.events import ReferencesFollowed
from cache import papers
from cache.store import Store
from connectors.paper import WorkId
from spar_tui.citation_map.known_links import CitationLink, citation_map
from spar_tui.citation_map.phrases import NO_LINKS, map_sentences
from tests.agents.scripted import paper
from tests.spar_tui.citation_map.maps import a_search, known

OLD, NEW, OTHER = (
    paper("An old paper", "10.1000/old", date="2010"), paper("A new paper", "10.1000/new", date="2020"),
    paper("Another", "10.1000/other", date="2015"),
)  # fmt: skip
CITING = replace(NEW, references=OLD.identifiers)


def followed(seed: int, listed: int = 0, error: str | None = None) -> ReferencesFollowed:
    return ReferencesFollowed(WorkId(seed), "references", 1, listed, 0, (), error)


def test_a_record_that_names_another_relevant_paper_among_its_references_cites_it() -> None:
    drawn = known(a_search([OLD, CITING]))
    assert drawn.links == (CitationLink(WorkId(1), WorkId(0)),)
    assert drawn.cites(WorkId(1)) == [0]
    assert drawn.cited_by(WorkId(0)) == [1]


def test_a_paper_that_was_found_by_a_link_is_linked_in_that_direction() -> None:
    by_reference = PaperFound(WorkId(0), OLD, FoundBy("openalex", "", 0, "references", WorkId(1)))
    by_citation = PaperFound(WorkId(2), OTHER, FoundBy("openalex", "", 0, "citations", WorkId(0)))
    drawn = known(a_search([OLD, NEW, OTHER], by_reference, by_citation))
    assert drawn.links == ((1, 0), (2, 0))


def test_what_the_library_knows_of_references_counts(tmp_path: Path) -> None:
    state = a_search([OLD, NEW, OTHER])
    with Store.open(tmp_path / "spar.db") as store:
        papers.remember(store, [OLD, NEW, OTHER])
        assert citation_map(state, "q", store).links == ()
        papers.link(store, [NEW], [OLD])
        assert citation_map(state, "q", store).links == ((1, 0),)


def test_only_relevant_papers_are_on_the_map_and_no_paper_cites_itself() -> None:
    itself = replace(OLD, references=OLD.identifiers)
    drawn = known(a_search([itself, OTHER, CITING], relevant=2))
    assert [one.work for one in drawn.papers] == [0, 1]
    assert drawn.links == ()


def test_the_years_count_all_that_was_found_and_what_of_it_is_relevant() -> None:
    years = {one.year: (one.found, one.relevant) for one in known(a_search([OLD, NEW, OTHER], relevant=1)).years}
    assert (years[2010], years[2012], years[2015], years[2020]) == ((1, 1), (0, 0), (1, 0), (1, 0))
    assert list(years) == list(range(2010, 2021))


def test_without_links_it_is_said_of_which_papers_the_references_are_known_and_why_not_of_the_others() -> None:
    five = [paper(f"Paper {number}", f"10.1000/p{number}") for number in range(5)]
    five[0] = replace(five[0], references=OLD.identifiers)
    told = followed(1), followed(2, error="openalex is not working."), followed(3, listed=7)
    none, why = map_sentences(known(a_search(five, *told)))
    assert none == NO_LINKS
    assert why == (
        "References known for 1 of 5 papers; unknown: no source lists any (1), fetching failed (1), "
        "listed but not stored (1), not asked (1)."
    )


def test_it_is_never_said_that_papers_do_not_cite_each_other_of_whose_references_nothing_is_known() -> None:
    why = map_sentences(known(a_search([OLD, NEW])))[1]
    assert why == "References unknown for all 2 papers: not asked (2)."
    assert map_sentences(known(a_search([OLD])))[1] == "Its references are not known: not asked."


def test_a_search_without_relevant_papers_says_so_and_a_running_one_says_so_far() -> None:
    state = a_search([OLD], relevant=0)
    assert map_sentences(known(state)) == ["No paper of this search is judged relevant, so there is no map."]
    assert "relevant so far" in map_sentences(known(replace(state, finished=None)))[0]
