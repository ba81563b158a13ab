"""The person's conditions hold for every paper of the answer, whatever a source made of them."""

from datetime import date

from agents.search.events import QuestionUnderstood
from agents.search.filters import admitted
from agents.search.options import SearchOptions
from cache.conditions.names import is_by
from cache.conditions.venue_names import is_at, venues_in
from connectors.paper import Paper, WorkId
from connectors.source import Answer, Query
from tests.agents.scripted import paper
from tests.agents.search.world import Library, made_up, searched, shelf
from tests.rows import each

PAPERS = {
    1: paper("One", "10.1000/1", author="Omar Khattab", venue="SIGIR 2020", date="2020-07", citation_count=500),
    2: paper("Two", "10.1000/2", author="Jimmy Lin", venue="Journal of Machine Learning Research", date="2021"),
    3: paper("Three", "10.1000/3", author="Grace Hopper", date=None, pdf="https://example.org/3.pdf"),
}


def left(**conditions: object) -> tuple[set[int], list[str]]:
    works, dropped = admitted(PAPERS, QuestionUnderstood((), (), **conditions))  # type: ignore[arg-type]
    return set(works), dropped


def test_each_condition_is_insisted_on_where_papers_meet_it() -> None:
    assert left(authors=("Khattab",)) == ({1}, [])
    assert left(venue="SIGIR") == ({1}, [])
    assert left(min_citations=100) == ({1}, [])
    assert left(open_access=True) == ({3}, [])
    assert left(since=date(2021, 1, 1)) == ({2}, [])


def test_a_condition_that_no_paper_meets_is_dropped_and_said() -> None:
    works, dropped = left(authors=("Nobody",), venue="SIGIR")
    assert works == {1}
    assert dropped == ["No paper on the topic is by Nobody; showing papers without this condition."]


def test_further_conditions_are_those_of_a_filter() -> None:
    assert left(others="-author:lin") == ({1, 3}, [])
    assert left(others="authors:2..") == (
        {1, 2, 3},
        ["No paper on the topic has at least 2 authors; showing papers without this condition."],
    )
    limits = QuestionUnderstood((), (), others="-type:review authors:..2").limits
    assert limits == ("not of the type review", "with at most 2 authors")


def test_a_sentence_of_a_dropped_condition_says_which_papers_were_compared() -> None:
    _, dropped = left(since=date(2020, 1, 1), authors=("Lin",), venue="ICML or ICLR")
    compared = "No paper on the topic, within the dates and by Lin is in ICML or ICLR"
    assert dropped == [f"{compared}; showing papers without this condition."]


ASKED_FOR = ["NeurIPS or ICLR", "NeurIPS, ICLR", "NeurIPS and ICLR", "NeurIPS/ICLR", "ICML, NeurIPS 2020, or ICLR 2021"]


@each("asked", ASKED_FOR)
def test_of_several_venues_any_will_do(asked: str) -> None:
    """Whoever read the question kept them as one name."""
    papers = {
        WorkId(1): paper("One", "10.1000/1", venue="Advances in Neural Information Processing Systems 33"),
        WorkId(2): paper("Two", "10.1000/2", venue="ICLR 2021"),
        WorkId(3): paper("Three", "10.1000/3", venue="Journal of Fish"),
    }
    works, dropped = admitted(papers, QuestionUnderstood((), (), venue=asked))
    assert (set(works), dropped) == ({1, 2}, [])


@each(
    ("asked", "venue", "appeared"),
    [
        ("Computer Vision and Pattern Recognition", "Pattern Recognition", False),
        ("Computer Vision and Pattern Recognition", "CVPR 2020", True),
        ("Arteriosclerosis, Thrombosis, and Vascular Biology", "Thrombosis", False),
        ("Advances in Neural Information Processing Systems", "NeurIPS", True),
        ("Nature and Science", "Science", True),
        ("NeurIPS 2020", "NeurIPS", True),
        ("The BMJ", "BMJ", True),
        ("BMJ", "The BMJ", True),
        ("The Lancet", "Lancet", True),
        ("The Lancet", "The Lancet Oncology", False),
        ("Nature", "Nature Methods", False),
        ("Nature", "Nature 521 (7553)", True),
    ],
)
def test_a_venue_is_known_by_its_whole_name_with_or_without_its_article(asked: str, venue: str, appeared: bool) -> None:
    assert any(is_at(venue, name) for name in venues_in(asked)) is appeared


def test_that_no_paper_is_from_a_venue_is_not_said_before_all_are_there() -> None:
    """Papers of the venue come with the references of those found first."""

    class Later(Library):
        async def search(self, query: Query) -> Answer:
            return await self._say([one for one in self.papers if not one.venue])

    old = [
        paper(f"Sparse retrieval {n}", f"10.1000/n{n}", abstract="Sparse retrieval.", venue="NeurIPS") for n in range(3)
    ]
    cited = [one.identifiers[0] for one in old]
    new = [
        paper(f"Sparse retrieval part {n}", f"10.1000/{n}", abstract="Sparse retrieval.", references=cited)
        for n in range(3)
    ]
    question = "sparse retrieval published in NeurIPS or ICLR"
    found = searched(shelf(Later([*new, *old])), SearchOptions(choose_sources=False), question)
    assert {found.state.found[entry.work].paper.venue for entry in found.state.ranking} == {"NeurIPS"}
    assert not any("insisted" in sentence for sentence in found.state.warnings)


def test_dates_are_never_dropped() -> None:
    assert left(since=date(2050, 1, 1)) == (set(), [])


@each(
    ("name", "is_author"),
    [("Khattab", True), ("Omar Khattab", True), ("O. Khattab", True), ("Otto Khattab", False), ("Ali Khattab", False),
     ("Kháttab", True), ("Lin", False), ("", False)],
)  # fmt: skip
def test_authors_are_known_by_family_name_and_given_names(name: str, is_author: bool) -> None:
    assert is_by([author.name for author in PAPERS[1].authors], name) is is_author


@each(("venue", "number"), [("JMLR", 2), ("journal of machine learning research", 2), ("SIGIR", 1)])
def test_venues_are_known_written_out_or_abbreviated(venue: str, number: int) -> None:
    [name] = venues_in(venue)
    assert [work for work, one in PAPERS.items() if is_at(one.venue, name)] == [number]


def test_bounds_hold_for_references_too() -> None:
    """A paper that came by a link is within the dates like any other."""
    bounds = SearchOptions(date(2000, 1, 1), date(2010, 12, 31), choose_sources=False, citing=True)
    found = searched(shelf(Library(made_up(80))), bounds)
    ranked: list[Paper] = [found.state.found[entry.work].paper for entry in found.state.ranking]
    assert any(found.state.found[entry.work].found_by[0].link for entry in found.state.ranking)
    assert all("2000" <= (one.date or "") <= "2010-12-31" for one in ranked)


def test_a_source_is_told_what_the_question_prefers() -> None:
    library = Library(made_up(20))
    options = SearchOptions(choose_sources=False, evolution=False, refchain=False)
    searched(shelf(library), options, "open access papers on sparse retrieval published in NeurIPS or ICLR")
    assert {query.preferred.open_access for query in library.searched} == {True}
    [venues] = {query.preferred.venues for query in library.searched}
    assert {"neurips", "neural information processing systems", "iclr"} <= set(venues)
