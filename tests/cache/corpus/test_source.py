import asyncio
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from cache.corpus.ingest import build
from cache.corpus.rows import WorkFilter
from cache.corpus.source import Corpus
from connectors.errors import NotConfigured, NotFound
from connectors.identifiers import Identifier
from connectors.openalex.work import read_work
from connectors.paper import Paper
from connectors.source import Query
from tests.cache.corpus.dumps import work, written

INDEX = {"sparse": [0], "retrieval": [1, 4], "beats": [2], "dense": [3]}
WORKS = [
    work(1, "On sparse retrieval", publication_date="2019-03-04", referenced_works=[]),
    work(2, "On dense retrieval", publication_date="2021-01-01", abstract_inverted_index=INDEX, cited_by_count=9),
    work(3, "Gardening", referenced_works=["https://openalex.org/W1", "https://openalex.org/W2", "https://openalex.org/W99"]),
    work(4, "More gardening", referenced_works=["https://openalex.org/W1"], cited_by_count=40),
    work(5, "Undated", publication_date=None, publication_year=None),
]  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    papers = {"corpusid": 7, "externalids": {"DOI": "10.5555/S7", "ArXiv": "2101.00001", "CorpusId": "7"}, "year": 2021,
              "title": "A dumped paper", "authors": [{"authorId": "1", "name": "Grace Hopper"}], "citationcount": 3,
              "publicationtypes": ["Review"], "publicationdate": "2021-02-03", "journal": {"name": "A Journal"},
              "url": "https://www.semanticscholar.org/paper/" + "a" * 40, "venue": "A Journal"}  # fmt: skip
    files = [written(folder / "works.gz", WORKS), written(folder / "papers.gz", [papers])]
    build(str(folder / "corpus"), files, WorkFilter(), lambda file: None)
    return Corpus(str(folder / "corpus"))


def titles(papers: tuple[Paper, ...]) -> list[str]:
    return [paper.title for paper in papers]


def test_a_search_finds_works_by_words_of_title_and_abstract(corpus: Corpus) -> None:
    answer = asyncio.run(corpus.search(Query("sparse retrieval")))
    assert set(titles(answer.papers)) == {"On sparse retrieval", "On dense retrieval"}
    assert answer.sent == ("sparse retrieval",)


def test_a_search_keeps_to_the_bounds_of_the_date(corpus: Corpus) -> None:
    found = asyncio.run(corpus.search(Query("retrieval", since=date(2020, 1, 1))))
    assert titles(found.papers) == ["On dense retrieval"]
    found = asyncio.run(corpus.search(Query("retrieval undated", until=date(2020, 1, 1))))
    assert titles(found.papers) == ["On sparse retrieval"]


def test_a_search_for_no_word_finds_nothing(corpus: Corpus) -> None:
    assert asyncio.run(corpus.search(Query("?!"))).papers == ()


def test_a_work_is_as_its_source_tells_it(corpus: Corpus) -> None:
    for one in WORKS:
        name = Identifier("openalex", one["id"].rpartition("/")[2])
        assert asyncio.run(corpus.lookup([name])).papers == (read_work(one),)


def test_a_work_is_looked_up_by_each_of_its_names(corpus: Corpus) -> None:
    for name in (Identifier("doi", "10.5555/s7"), Identifier("arxiv", "2101.00001"), Identifier("s2", "CorpusId:7"),
                 Identifier("s2", "a" * 40)):  # fmt: skip
        [paper] = asyncio.run(corpus.lookup([name])).papers
        assert (paper.title, paper.type, paper.date) == ("A dumped paper", "review", "2021-02-03")
    assert asyncio.run(corpus.lookup([Identifier("doi", "10.5555/none")])).papers == ()


def test_references_are_the_cited_works_that_are_there_the_most_cited_first(corpus: Corpus) -> None:
    [paper] = asyncio.run(corpus.lookup([Identifier("openalex", "W3")])).papers
    answer = asyncio.run(corpus.references(paper, 10))
    assert (titles(answer.papers), answer.total) == (["On dense retrieval", "On sparse retrieval"], 3)
    assert answer.notes == ("2 of the 3 references are in the corpus",)


def test_citations_are_the_citing_works_the_most_cited_first(corpus: Corpus) -> None:
    [paper] = asyncio.run(corpus.lookup([Identifier("doi", "10.5555/w1")])).papers
    answer = asyncio.run(corpus.citations(paper, 1))
    assert (titles(answer.papers), answer.total) == (["More gardening"], 3)


def test_a_reference_list_that_is_not_there_is_not_told_as_an_empty_one(corpus: Corpus) -> None:
    [paper] = asyncio.run(corpus.lookup([Identifier("s2", "CorpusId:7")])).papers
    with pytest.raises(NotFound, match="no reference list"):
        asyncio.run(corpus.references(paper, 10))
    with pytest.raises(NotFound, match="does not have this paper"):
        asyncio.run(corpus.citations(Paper("Unknown", identifiers=(Identifier("pmid", "1"),)), 10))


def test_similar_works_share_words_and_are_not_the_work_itself(corpus: Corpus) -> None:
    [paper] = asyncio.run(corpus.lookup([Identifier("openalex", "W1")])).papers
    assert titles(asyncio.run(corpus.similar(paper, 5)).papers) == ["On dense retrieval"]


def test_a_corpus_that_is_not_there_was_not_asked(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured, match="There is no corpus at"):
        asyncio.run(Corpus(str(tmp_path / "none")).search(Query("words")))
