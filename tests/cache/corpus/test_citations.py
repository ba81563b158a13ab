import asyncio
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from cache.corpus.index import Index
from cache.corpus.ingest import FileBuilt, build
from cache.corpus.rows import CitationRow, WorkFilter, key_of, row_of
from cache.corpus.source import Corpus
from cache.corpus.table import LINKS, PARTS, Database
from connectors.errors import NotFound
from connectors.identifiers import Identifier
from connectors.paper import Paper
from tests.cache.corpus.dumps import work, written

PAPERS: list[dict[str, Any]] = [
    {"corpusid": n, "externalids": {"CorpusId": str(n), "DOI": f"10.5555/w{n}"}, "title": f"Paper {n}", "year": 2020,
     "citationcount": n}
    for n in range(1, 31)
]  # fmt: skip
CITATIONS = [(20, 10), (21, 10), (22, 10), (10, 5), (10, 6), (10, 999), (998, 10)]
"""Citing and cited; two papers are not in the data set `papers`."""
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=3)


def line(citing: object, cited: object) -> dict[str, object]:
    return {"citationid": 1, "citingcorpusid": citing, "citedcorpusid": cited, "isinfluential": False, "contexts": None}


def built(place: Path, *files: Path) -> list[FileBuilt]:
    return build(str(place), files, WorkFilter(), lambda file: None, processes=1)


def dumps(folder: Path) -> tuple[Path, Path, Path]:
    lines = [line(*pair) for pair in CITATIONS]
    return (
        written(folder / "papers.gz", PAPERS),
        written(folder / "citations-1.gz", lines[:3]),
        written(folder / "citations-2.gz", lines[3:]),
    )


def titles(papers: tuple[Paper, ...]) -> list[str]:
    return [paper.title for paper in papers]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_citations_join_their_papers_in_whichever_order_the_files_come(tmp_path: Path, order: tuple[int, ...]) -> None:
    files = dumps(tmp_path)
    built(tmp_path / "corpus", *(files[place] for place in order))
    corpus = Corpus(str(tmp_path / "corpus"))
    [paper] = asyncio.run(corpus.lookup([Identifier("doi", "10.5555/w10")])).papers
    cited = asyncio.run(corpus.references(paper, 10))
    assert (titles(cited.papers), cited.total) == (["Paper 6", "Paper 5"], 3)
    assert cited.notes == ("2 of the 3 references are in the corpus",)
    citing = asyncio.run(corpus.citations(paper, 2))
    assert (titles(citing.papers), citing.total) == (["Paper 22", "Paper 21"], 3)


def test_a_paper_that_no_citation_names_has_no_reference_list(tmp_path: Path) -> None:
    built(tmp_path / "corpus", *dumps(tmp_path))
    corpus = Corpus(str(tmp_path / "corpus"))
    [paper] = asyncio.run(corpus.lookup([Identifier("s2", "CorpusId:5")])).papers
    assert titles(asyncio.run(corpus.citations(paper, 5)).papers) == ["Paper 10"]
    with pytest.raises(NotFound, match="no reference list"):
        asyncio.run(corpus.references(paper, 5))


def test_a_work_that_is_in_both_dumps_has_the_links_of_both(tmp_path: Path) -> None:
    works = written(tmp_path / "works.gz", [work(n) for n in range(8, 12)])
    built(tmp_path / "corpus", *dumps(tmp_path), works)
    corpus = Corpus(str(tmp_path / "corpus"))
    [paper, _] = asyncio.run(corpus.lookup([Identifier("doi", "10.5555/w10")])).papers
    cited = asyncio.run(corpus.references(paper, 10))
    assert (set(titles(cited.papers)), cited.total) == ({"Work 9 on matter9", "Paper 5", "Paper 6"}, 3)
    citing = asyncio.run(corpus.citations(paper, 10))
    assert "Work 11 on matter11" in titles(citing.papers)
    assert (len(citing.papers), citing.total) == (4, 3)


def test_what_came_of_a_file_of_citations_is_counted(tmp_path: Path) -> None:
    lines = [line(1, 2), line(3, None), line(None, 4), line("5", "6")]
    [came] = built(tmp_path / "corpus", written(tmp_path / "citations.gz", lines))
    assert (came.works, came.citations, came.left_out) == (0, 2, {"without both papers": 2})
    built(tmp_path / "corpus", written(tmp_path / "papers.gz", PAPERS))
    assert Index(str(tmp_path / "corpus")).info().links == 2 + len(PAPERS)


def test_citations_that_were_committed_but_not_noted_are_told_once(tmp_path: Path) -> None:
    """As when a build is killed between the two."""
    import lancedb

    files = dumps(tmp_path)
    built(tmp_path / "corpus", *files)
    lancedb.connect(str(tmp_path / "corpus")).open_table(PARTS).delete("true")
    built(tmp_path / "corpus", *files)
    index = Index(str(tmp_path / "corpus"))
    records = index.lookup([Identifier("s2", "CorpusId:10")])
    assert Database(str(tmp_path / "corpus")).open()[LINKS].count_rows() > 2 * len(CITATIONS)
    assert (index.references(records, 10)[1], index.citations(records, 10)[1]) == (3, 3)


@given(JSON, JSON)
def test_a_citation_names_two_papers_or_is_left_out(citing: object, cited: object) -> None:
    numbers = [
        int(str(one)) for one in (citing, cited) if str(one).isascii() and str(one).isdigit() and str(one)[0] != "0"
    ]
    row = row_of(line(citing, cited), WorkFilter())
    if isinstance(row, CitationRow):
        assert row == CitationRow(*(key_of(Identifier("s2", f"CorpusId:{number}")) for number in numbers))
    else:
        assert row == "without both papers"
        assert len([number for number in numbers if number < 10**12]) < 2
