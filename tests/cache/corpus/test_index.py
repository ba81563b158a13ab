import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

import pyarrow

from cache.corpus.index import Index
from cache.corpus.ingest import build
from cache.corpus.rows import WorkFilter
from cache.corpus.table import LINKS, Database, schemas
from cache.corpus.upkeep import make_searchable
from connectors.identifiers import Identifier
from connectors.source import Preferred
from tests.cache.corpus.dumps import work, written
from tests.work import lines_run


def test_a_look_up_is_no_more_work_because_a_work_is_much_cited(tmp_path: Path) -> None:
    place, many = str(tmp_path / "corpus"), 200_000
    build(
        place, [written(tmp_path / "works.gz", map(work, range(1, 50)))], WorkFilter(), lambda file: None, processes=1
    )
    citing = [[7] * many, list(range(1_000, 1_000 + many)), [0] * many]
    Database(place).open()[LINKS].add(pyarrow.table(citing, schema=schemas()[LINKS]))
    index = Index(place)
    asyncio.run(make_searchable(place))
    index.lookup([Identifier("openalex", "W9")])
    much = lines_run(lambda: index.lookup([Identifier("openalex", "W7")]))
    little = lines_run(lambda: index.lookup([Identifier("openalex", "W8")]))
    assert much < 2 * little


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Ten thousand new works, and behind them an old, a free, a much cited one and one of Nature, of the same words."""
    folder = tmp_path_factory.mktemp("crowded")
    alike = {"publication_date": "2023-05-17", "publication_year": 2023, "cited_by_count": 1, "referenced_works": []}
    behind = "Neural retrieval of passages, told at greater length"
    records = [work(number, "Neural retrieval of passages", **alike) for number in range(1, 10_001)]
    records += [
        work(10_001, behind, **alike | {"publication_date": "1990-01-02", "publication_year": 1990}),
        work(10_002, behind, **alike, primary_location={"source": {"display_name": "Nature"}}),
        work(10_003, behind, **alike, best_oa_location={"pdf_url": "https://example.org/free.pdf"}),
        work(10_004, behind, **alike | {"cited_by_count": 500}),
        work(10_005, behind, **alike, primary_location={"source": {"display_name": "Nature's Signature"}}),
    ]
    build(str(folder / "corpus"), [written(folder / "works.gz", records)], WorkFilter(), lambda file: None, processes=1)
    return Index(str(folder / "corpus"))


def test_a_rare_old_work_is_found_behind_ten_thousand_newer_ones(crowded: Index) -> None:
    found = crowded.search("neural retrieval", until=date(2000, 1, 1), limit=5)
    assert [paper.identifier("openalex") for paper in found] == ["W10001"]


@pytest.mark.parametrize(
    ("preferred", "first"),
    [
        (Preferred(venues=("nature",)), {"W10002"}),
        (Preferred(venues=("nature s signature", "nature")), {"W10002", "W10005"}),
        (Preferred(open_access=True), {"W10003"}),
        (Preferred(min_citations=100), {"W10004"}),
    ],
)
def test_what_is_preferred_comes_first_and_others_after_it(
    crowded: Index, preferred: Preferred, first: set[str]
) -> None:
    names = [paper.identifier("openalex") for paper in crowded.search("neural retrieval", limit=5, preferred=preferred)]
    assert first <= set(names[:2])
    assert len(set(names)) == 5


def test_bounds_of_the_date_are_not_given_up_for_what_is_preferred(crowded: Index) -> None:
    found = crowded.search("neural retrieval", until=date(2000, 1, 1), limit=5, preferred=Preferred(open_access=True))
    assert [paper.identifier("openalex") for paper in found] == ["W10001"]


def test_many_threads_that_search_at_once_get_what_each_would_get_alone(crowded: Index) -> None:
    asked = [("neural passages", date(1990, 1, day), None, 3 + day) for day in range(1, 25)]
    alone = [crowded.search(*one) for one in asked]
    with ThreadPoolExecutor(len(asked)) as crowd:
        assert list(crowd.map(lambda one: crowded.search(*one), asked)) == alone
    assert {len(papers) for papers in alone} == set(range(4, 28))


def test_a_corpus_of_an_earlier_version_is_searched_and_built_on(tmp_path: Path) -> None:
    import lancedb

    place = str(tmp_path / "corpus")
    build(place, [written(tmp_path / "old.gz", [work(1, "Old retrieval")])], WorkFilter(), lambda file: None)
    lancedb.connect(place).open_table("works").drop_columns(["venue", "free"])
    assert Index(place).search("retrieval", preferred=Preferred(open_access=True))
    free = work(2, "Free retrieval", best_oa_location={"pdf_url": "https://example.org/free.pdf"})
    build(place, [written(tmp_path / "new.gz", [free])], WorkFilter(), lambda file: None)
    found = Index(place).search("retrieval", preferred=Preferred(open_access=True))
    assert [paper.title for paper in found] == ["Free retrieval", "Old retrieval"]
