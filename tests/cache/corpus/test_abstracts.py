from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from cache.corpus.index import Index
from cache.corpus.ingest import FileBuilt, build
from cache.corpus.rows import WorkFilter
from cache.corpus.table import ABSTRACTS, Database
from connectors.identifiers import Identifier
from tests.cache.corpus.dumps import written

PAPERS: list[dict[str, Any]] = [
    {"corpusid": number, "externalids": {"CorpusId": str(number)}, "title": f"Paper {number}", "year": 2020}
    for number in range(1, 101)
]
TOLD = [
    {"corpusid": number, "openaccessinfo": None, "abstract": f"It tells of matter{number}."} for number in range(1, 91)
]


def built(place: Path, *files: Path) -> list[FileBuilt]:
    return build(str(place), files, WorkFilter(), lambda file: None, processes=1)


@pytest.mark.parametrize("papers_first", [True, False])
def test_abstracts_join_their_papers_whichever_comes_first(tmp_path: Path, papers_first: bool) -> None:
    papers, abstracts = written(tmp_path / "papers.gz", PAPERS), written(tmp_path / "abstracts.gz", TOLD)
    built(tmp_path / "corpus", *((papers, abstracts) if papers_first else (abstracts, papers)))
    index = Index(str(tmp_path / "corpus"))
    assert [paper.title for paper in index.search("matter7")] == ["Paper 7"]
    [paper] = index.lookup([Identifier("s2", "CorpusId:7")])
    assert (paper.title, paper.abstract) == ("Paper 7", "It tells of matter7.")
    assert index.lookup([Identifier("s2", "CorpusId:95")])[0].abstract == ""
    assert index.info().works == 100
    assert Database(str(tmp_path / "corpus")).open()[ABSTRACTS].count_rows() == 0


def test_what_came_of_a_file_of_abstracts_is_counted(tmp_path: Path) -> None:
    empty = {"corpusid": 200, "openaccessinfo": None, "abstract": None}
    papers = written(tmp_path / "papers.gz", PAPERS[:30])
    _, came = built(tmp_path / "corpus", papers, written(tmp_path / "abstracts.gz", [*TOLD, empty]))
    assert (came.works, came.abstracts, came.joined, came.waiting) == (0, 90, 30, 60)
    assert came.left_out == {"without an abstract": 1}
    assert Database(str(tmp_path / "corpus")).open()[ABSTRACTS].count_rows() == 60


def test_a_newer_record_of_a_paper_keeps_its_abstract(tmp_path: Path) -> None:
    papers, abstracts = written(tmp_path / "papers.gz", PAPERS), written(tmp_path / "abstracts.gz", TOLD)
    built(tmp_path / "corpus", papers, abstracts)
    built(tmp_path / "corpus", written(tmp_path / "newer.gz", [PAPERS[6] | {"title": "Paper 7, renamed"}]))
    [paper] = Index(str(tmp_path / "corpus")).lookup([Identifier("s2", "CorpusId:7")])
    assert (paper.title, paper.abstract) == ("Paper 7, renamed", "It tells of matter7.")


def test_a_corpus_without_a_place_for_abstracts_gets_one(tmp_path: Path) -> None:
    import lancedb

    place = tmp_path / "corpus"
    built(place, written(tmp_path / "papers.gz", PAPERS))
    lancedb.connect(str(place)).drop_table(ABSTRACTS)
    assert Index(str(place)).search("paper")
    [came] = built(place, written(tmp_path / "abstracts.gz", TOLD))
    assert came.joined == 90


def test_what_was_committed_but_not_noted_is_committed_again_in_place_of_itself(tmp_path: Path) -> None:
    """As when a build is killed between the two."""
    import lancedb

    place = tmp_path / "corpus"
    files = written(tmp_path / "papers.gz", PAPERS), written(tmp_path / "abstracts.gz", TOLD)
    built(place, *files)
    lancedb.connect(str(place)).open_table("parts").delete("true")
    papers, abstracts = built(place, *files)
    assert (papers.works, papers.replaced) == (100, 100)
    assert (abstracts.abstracts, abstracts.joined, abstracts.waiting) == (90, 0, 0)
    index = Index(str(place))
    assert index.info().works == 100
    assert index.lookup([Identifier("s2", "CorpusId:7")])[0].abstract == "It tells of matter7."
