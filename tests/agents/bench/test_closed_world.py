"""A collection as a source, and the documents that do not exist for a question."""

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.bench.closed_world import Case, ClosedWorld, RivalLibrary, answerable, closed_cases, expanded, linked
from agents.bench.collections import Collection, Document, Question, read_collection
from agents.bench.run import RIVAL, plain
from agents.builtin.ranking.bm25 import Bm25Index
from connectors.errors import NotFound
from connectors.paper import Paper
from connectors.source import Answer, Query
from tests.agents.bench import tiny
from tests.connectors.papers import merge_all


@pytest.fixture
def world(tmp_path: Path) -> ClosedWorld:
    return ClosedWorld(tiny.collection(tmp_path))


def found(world: ClosedWorld, query: Query) -> list[str | None]:
    return ids(world, asyncio.run(world.search(query)))


def ids(world: ClosedWorld, answer: Answer) -> list[str | None]:
    return [world.document_id(paper) for paper in answer.papers]


def paper(world: ClosedWorld, document: str) -> Paper:
    known = world.paper(document)
    assert known is not None
    return known


def test_papers_come_in_the_order_of_their_words_and_map_back_to_their_documents(world: ClosedWorld) -> None:
    answer = asyncio.run(world.search(Query("coral", limit=5)))
    assert ids(world, answer) == ["d01", "d02", "d03", "d04", "d05"]
    assert answer.total == 11
    assert [paper.title for paper in answer.papers][:2] == ["Study 1", "Study 2"]


def test_bounds_of_the_date_are_obeyed(world: ClosedWorld) -> None:
    bounds = Query("coral", since=date(2003, 12, 31), until=date(2005, 1, 1))
    assert found(world, bounds) == ["d03", "d04", "d05"]


def test_a_paper_names_its_references_so_that_they_can_be_followed(world: ClosedWorld) -> None:
    citing = paper(world, "d02")
    assert ids(world, asyncio.run(world.lookup(citing.references))) == ["d05", "d15"]
    assert ids(world, asyncio.run(world.references(citing, 10))) == ["d05", "d15"]
    assert ids(world, asyncio.run(world.references(citing, 1))) == ["d05"]
    assert ids(world, asyncio.run(world.citations(paper(world, "d15"), 10))) == ["d02", "d20"]
    assert (paper(world, "d15").citation_count, citing.citation_count) == (2, 1)


def test_what_cites_any_of_several_comes_once_the_most_cited_first(world: ClosedWorld) -> None:
    several = [paper(world, "d15"), paper(world, "d05")]
    found = asyncio.run(world.citing_any(several, 10)).papers
    alone = [asyncio.run(world.citations(one, 10)).papers for one in several]
    assert sorted(one.id for one in found) == sorted({one.id for papers in alone for one in papers})
    counts = [one.citation_count or 0 for one in found]
    assert counts == sorted(counts, reverse=True)


def test_a_paper_has_the_keywords_of_its_document(tmp_path: Path) -> None:
    documents = [{**tiny.documents()[0], "keywords": ["Reefs", "reefs", "Sand"]}, *tiny.documents()[1:]]
    world = ClosedWorld(read_collection(tiny.write(tmp_path / "told", docs=documents)))
    assert paper(world, "d01").keywords == ("Reefs", "Sand")
    assert paper(world, "d02").keywords == ()


def test_excluded_papers_do_not_exist_for_their_question_and_hand_nothing_over(tmp_path: Path) -> None:
    read = tiny.collection(tmp_path)
    whole = ClosedWorld(read)
    view = whole.for_question(read.questions[1])
    assert found(view, Query("coral"))[:2] == ["d02", "d03"]
    hidden = paper(whole, "d20")
    assert asyncio.run(view.lookup(hidden.identifiers)).papers == ()
    assert view.paper("d20") is None
    assert view.document_id(hidden) is None
    for follow in (view.references, view.citations):
        with pytest.raises(NotFound):
            asyncio.run(follow(hidden, 10))
    with pytest.raises(NotFound):
        asyncio.run(view.citing_any([hidden], 10))
    assert ids(view, asyncio.run(view.citations(paper(view, "d05"), 10))) == ["d02"]
    assert paper(view, "d05").citation_count == 1


def test_papers_of_later_years_do_not_exist_and_are_not_named_as_references(tmp_path: Path) -> None:
    read = tiny.collection(tmp_path)
    view = ClosedWorld(read).for_question(read.questions[1])
    assert view.paper("d14") is not None
    assert view.paper("d15") is None
    citing = paper(view, "d02")
    assert ids(view, asyncio.run(view.lookup(citing.references))) == ["d05"]
    assert len(citing.references) == 1


def test_one_question_does_not_see_what_is_hidden_from_another(tmp_path: Path) -> None:
    read = tiny.collection(tmp_path)
    world = ClosedWorld(read)
    paper(world.for_question(read.questions[0]), "d02")
    assert len(paper(world.for_question(read.questions[1]), "d02").references) == 1
    assert len(paper(world.for_question(read.questions[0]), "d02").references) == 2


NAMES = [f"n{number}" for number in range(8)]


@st.composite
def collections(draw: st.DrawFn) -> Collection:
    """Small collections in which titles, authors and years repeat and everybody cites everybody."""
    documents = [
        Document(
            id=name,
            title=draw(st.sampled_from(["Coral reefs of the southern sea", "Editorial", "Tides"])),
            abstract="coral",
            authors=("Ada Lovelace",),
            year=draw(st.sampled_from([None, 1999, 2000, 2001])),
            references=tuple(draw(st.lists(st.sampled_from([*NAMES, "elsewhere"]), max_size=6))),
        )
        for name in NAMES
    ]
    return Collection("made up", tuple(documents), ())


@given(collections(), st.lists(st.sampled_from(NAMES), max_size=5), st.sampled_from([None, date(2000, 7, 1)]))
def test_hidden_documents_never_appear_anywhere(read: Collection, exclude: list[str], before: date | None) -> None:
    whole = ClosedWorld(read)
    view = whole.for_question(Question("q", "coral", tuple(exclude), before))
    hidden = {
        document.id
        for document in read.documents
        if document.id in exclude or (before and (document.year or 0) > before.year)
    }
    seen = asyncio.run(everything(view, [paper(whole, name) for name in NAMES]))
    shown = {whole.document_id(one) for one in seen}
    named = {name for one in seen for name in one.references}
    assert shown == set(NAMES) - hidden
    assert not hidden & {whole.document_id(Paper("", identifiers=(name,))) for name in named}
    assert not hidden & {document for document, _ in view.ranking(Query("coral", limit=100))}


async def everything(view: ClosedWorld, papers: Sequence[Paper]) -> list[Paper]:
    """Every paper that `view` gives when it is asked for all of `papers` in every way."""
    answers = [await view.search(Query("coral reefs editorial tides", limit=100))]
    answers.append(await view.lookup([name for paper in papers for name in paper.identifiers]))
    for one in papers:
        if view.document_id(one):
            answers += [await view.references(one, 100), await view.citations(one, 100)]
            answers.append(await view.citing_any(papers, 100))
    return [paper for answer in answers for paper in answer.papers]


@given(collections())
def test_two_documents_are_never_taken_for_one_work(read: Collection) -> None:
    found = asyncio.run(ClosedWorld(read).search(Query("coral", limit=100))).papers
    assert len(merge_all(found)) == len(read.documents)


def test_what_was_asked_is_counted_by_question(tmp_path: Path) -> None:
    read = tiny.collection(tmp_path)
    world = ClosedWorld(read)
    first, second = (world.for_question(question) for question in read.questions[:2])
    asyncio.run(first.search(Query("coral")))
    asyncio.run(first.lookup(()))
    assert (first.requests, second.requests) == (2, 0)


def library(references: list[list[int]], hidden: tuple[int, ...] = ()) -> RivalLibrary:
    citations: list[list[int]] = [[citing for citing, of in enumerate(references) if n in of] for n in range(4)]
    mask = np.zeros(4, dtype=bool)
    mask[list(hidden)] = True
    texts = ["coral"] * 4
    return RivalLibrary(Bm25Index(texts), texts, references, citations, mask)


def test_a_query_is_expanded_by_the_terms_that_its_first_papers_use_most() -> None:
    weights = expanded({"coral": 1.0}, [(3.0, ["coral", "reef"]), (1.0, ["reef", "reef"])])
    assert weights == pytest.approx({"coral": 0.6 + 0.4 * 1.5 / 4, "reef": 0.4 * 2.5 / 4})


def test_a_question_that_finds_nothing_is_not_expanded() -> None:
    assert expanded({"coral": 1.0}, []) == {"coral": 1.0}


def test_links_speak_for_a_paper_that_the_best_cite_most_and_for_one_cited_together_least() -> None:
    """Paper 0 is the best and cites 1; 2 cites 0 and 3, and so 3 is cited together with the best."""
    scores = linked(library([[1], [], [0, 3], []]), {0: 1.0})
    cited, citing, together = 1 / 2**0.5, 0.5 / 3**0.5, 0.5 / 3
    assert scores.tolist() == pytest.approx([0, 1, citing / cited, together / cited])


def test_a_paper_that_shares_references_with_the_best_is_linked_to_them() -> None:
    assert linked(library([[1], [], [1], []]), {0: 1.0})[2] > 0


def test_links_of_and_to_hidden_papers_do_not_exist() -> None:
    assert not linked(library([[1], [], [0, 3], []], hidden=(1, 2)), {0: 1.0}).any()


def case(folder: Path, which: int) -> Case:
    collection = read_collection(tiny.write(folder, labels=(*tiny.LABELS, "hidden\td05\t1")))
    return list(closed_cases(collection, answerable(collection)))[which]


def test_it_finds_by_links_what_has_no_word_of_the_question(tmp_path: Path) -> None:
    """d15 never says coral; d02, which does, cites it."""
    found = [placed.document for placed in plain(case(tmp_path, 0), 100, RIVAL)]
    assert "d15" in found


def test_it_sees_no_hidden_paper(tmp_path: Path) -> None:
    hidden = {"d01", "d20", *(tiny.doc(number) for number in range(15, 20))}
    assert not hidden & {placed.document for placed in plain(case(tmp_path, 1), 100, RIVAL)}
