"""Dumps whose records become papers as they are taken in: Crossref, arXiv, dblp, the ACL Anthology, BibTeX, Retraction
Watch."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lancedb", reason="the extra `corpus` is not installed")

from agents.lookup.records import look_up_records
from cache.corpus.index import Index
from cache.corpus.ingest import CUT_OFF, FileBuilt, build
from cache.corpus.rows import WorkFilter
from cache.corpus.source import Corpus
from connectors.identifiers import Identifier
from connectors.paper import Paper
from spar_tui.bibliography.reading.bibtex import paper_of_entry
from tests.cache.corpus.dumps import work, written
from tests.connectors.arxiv.test_source import RECORD

DBLP = b"""<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE dblp SYSTEM "dblp.dtd">
<dblp>
<article mdate="2017" key="journals/a/Roe20"><author>Ada Roe 0001</author><title>Sorting B&uuml;cher.</title>
<year>2020</year><journal>Acta</journal><ee>https://doi.org/10.5555/roe</ee></article><www key="homepages/r/Roe">
<author>Ada Roe</author><title>Home Page</title></www>
<inproceedings key="conf/b/Lee21"><author>Bo Lee</author><title>Books of things.</title><booktitle>CONF</booktitle>
<year>2021</year></inproceedings>
</dblp>
"""
BIBTEX = b"""% The anthology
@string{acl = "Association for Computational Linguistics"}
@inproceedings{roe-2020,
    title = "{S}orting Words",
    author = "Roe, Ada  and
      Lee, Bo",
    booktitle = "Proceedings of ACL",
    year = "2020",
    publisher = acl,
    doi = "10.18653/v1/2020.acl-main.1",
}
@comment{ nothing }
@proceedings{acl-2020,
    title = "Proceedings of ACL",
    year = "2020",
}
"""
ANTHOLOGY = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2020.acl">
  <volume id="main" type="proceedings">
    <meta><booktitle>Proceedings of <fixed-case>ACL</fixed-case></booktitle><editor><first>Di</first><last>Poe</last>\
</editor><publisher>ACL</publisher><year>2020</year></meta>
    <frontmatter><url>2020.acl-main.0</url></frontmatter>
    <paper id="1"><title>Parsing <fixed-case>XML</fixed-case> Files</title><author><first>Zoë</first><last>Ng</last>\
</author><pages>1–8</pages><url hash="a">2020.acl-main.1</url><doi>10.18653/v1/2020.acl-main.1</doi></paper>
    <paper id="2"><title>A second paper</title><author><last>Plato</last></author><retracted date="2021-01-01">Copied\
</retracted><url hash="b">2020.acl-main.2</url><doi>10.18653/v1/2020.acl-main.2</doi></paper>
  </volume>
  <volume id="j" type="journal">
    <meta><booktitle>Computational Linguistics, Volume 46, Issue 1 - March 2020</booktitle><year>2020</year>\
<journal-volume>46</journal-volume><journal-issue>1</journal-issue></meta>
    <paper id="1"><title>An article</title><author><first>Bo</first><last>Lee</last></author>\
<doi>10.1162/coli_a_1</doi></paper>
  </volume>
  <event id="acl-2020"><colocated><volume-id>2020.x-1</volume-id></colocated></event>
</collection>
""".encode()
TABLE = b"""\xef\xbb\xbfRecord ID,Title,Author,Journal,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,\
RetractionDOI,RetractionNature,Notes,
1,"Work 7, which
is gone",A Roe;B Lee,J,8/16/2013 0:00,10.5555/w7,0,10.5555/notice,Retraction,,
2,Another work,A Roe,J,1/2/2014 0:00,10.5555/w8,0,,Expression of concern,,
3,A third work,A Roe,J,1/2/2014 0:00,10.5555/w9,0,,Correction,,
"""
CROSSREF = {"DOI": "10.5555/C1", "type": "journal-article", "title": ["Roses &amp; bees"], "publisher": "P",
            "author": [{"given": "Ada", "family": "Roe"}], "container-title": ["J"], "volume": "3",
            "issued": {"date-parts": [[2019, 5]]}}  # fmt: skip


def built(place: Path, *files: Path, wanted: WorkFilter | None = None) -> list[FileBuilt]:
    return build(str(place), files, wanted or WorkFilter(), lambda file: None, processes=2, bibtex=paper_of_entry)


def looked_up(place: Path, *names: str) -> dict[str, Paper]:
    """What a check is told of these DOIs."""
    papers = [Paper("", identifiers=(Identifier("doi", name),)) for name in names]
    lookups = asyncio.run(look_up_records(papers, {"corpus": Corpus(str(place))}))
    return {name: lookup.by_name["corpus"] for name, lookup in zip(names, lookups, strict=True)}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A corpus of every kind of dump."""
    files = {"dblp.xml.gz": gzip.compress(DBLP), "anthology.bib": BIBTEX, "rw.csv": TABLE}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    crossref = written(tmp_path / "crossref.jsonl.gz", [CROSSREF, CROSSREF | {"DOI": "10.5555/j", "type": "journal"}])
    arxiv = written(tmp_path / "arxiv.json", [RECORD], zipped=False)
    openalex = written(tmp_path / "works.gz", [work(7), work(8)])
    told = built(tmp_path / "corpus", *(tmp_path / name for name in files), crossref, arxiv, openalex)
    assert [(one.works, one.fault) for one in told] == [(2, ""), (2, ""), (2, ""), (1, ""), (1, ""), (2, "")]
    assert [sum(one.left_out.values()) for one in told] == [1, 0, 1, 1, 0, 0]
    return tmp_path / "corpus"


def test_the_works_of_each_dump_are_found_by_name_as_their_reader_tells_them(place: Path) -> None:
    assert Index(str(place)).info().by_source == {
        "dblp": 2, "bibtex": 2, "retraction_watch": 2, "crossref": 1, "arxiv": 1, "openalex": 2,
    }  # fmt: skip
    found = looked_up(place, "10.5555/roe", "10.18653/v1/2020.acl-main.1", "10.5555/c1", "10.1103/physrevd.76.013009")
    assert [found[name].title for name in sorted(found)] == [
        "Calculation of prompt diphoton production cross sections at Tevatron", "Sorting Words", "Roses & bees",
        "Sorting Bücher",
    ]  # fmt: skip
    words = found["10.18653/v1/2020.acl-main.1"]
    assert ([one.name for one in words.authors], words.imprint.publisher) == (
        ["Ada Roe", "Bo Lee"], "Association for Computational Linguistics",
    )  # fmt: skip
    assert found["10.5555/c1"].imprint.volume == "3"


def test_they_are_found_by_their_words(place: Path) -> None:
    assert [paper.title for paper in Index(str(place)).search("roses and bees", None, None, 1)] == ["Roses & bees"]


def test_the_anthology_gives_each_paper_with_what_its_volume_says(tmp_path: Path) -> None:
    (tmp_path / "2020.acl.xml").write_bytes(ANTHOLOGY)
    [told] = built(tmp_path / "corpus", tmp_path / "2020.acl.xml")
    assert (told.works, told.fault) == (3, "")
    papers = looked_up(
        tmp_path / "corpus", "10.18653/v1/2020.acl-main.1", "10.18653/v1/2020.acl-main.2", "10.1162/coli_a_1"
    )
    first, retracted, article = papers.values()
    assert (first.title, first.year, first.venue, first.type) == (
        "Parsing XML Files", 2020, "Proceedings of ACL", "conference-paper",
    )  # fmt: skip
    assert (first.authors[0].name, first.imprint.pages, first.url) == (
        "Zoë Ng", "1-8", "https://aclanthology.org/2020.acl-main.1",
    )  # fmt: skip
    assert retracted.retracted
    assert (article.venue, article.type, article.imprint.volume, article.imprint.number, article.url) == (
        "Computational Linguistics", "article", "46", "1", "https://aclanthology.org/2020.acl-j.1",
    )  # fmt: skip


def test_a_retraction_is_told_of_the_work_that_another_dump_has(place: Path) -> None:
    found = looked_up(place, "10.5555/w7", "10.5555/w8")
    assert (found["10.5555/w7"].retracted, found["10.5555/w7"].retraction_notice) == (True, "10.5555/notice")
    assert (found["10.5555/w8"].retracted, found["10.5555/w8"].concern) == (False, True)
    assert found["10.5555/w7"].identifier("openalex") == "W7"


def test_a_dump_that_is_read_again_adds_nothing_and_bounds_leave_works_out(place: Path, tmp_path: Path) -> None:
    [again] = built(place, tmp_path / "dblp.xml.gz")
    assert (again.before, again.lines) == (3, 0)
    [later] = built(tmp_path / "later", tmp_path / "dblp.xml.gz", wanted=WorkFilter(since=2021))
    assert later.works == 1


@pytest.mark.parametrize(
    ("name", "whole"), [("cut.xml", DBLP), ("acl.xml", ANTHOLOGY[: ANTHOLOGY.index(b"Copied")]), ("cut.bib", BIBTEX)]
)
def test_one_that_is_cut_off_gives_what_is_whole(name: str, whole: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(whole[:-60])
    [told] = built(tmp_path / "corpus", tmp_path / name)
    assert (told.works, told.fault) == (1, CUT_OFF)


def test_records_that_begin_in_one_piece_of_the_file_and_end_in_another_are_whole(tmp_path: Path) -> None:
    entries = [f'@article{{k{n},\n  title = "Work number {n}",\n  author = "Roe, A{n}",\n  year = 2020\n}}\n'
               for n in range(2_000)]  # fmt: skip
    (tmp_path / "many.bib").write_text("".join(entries))
    elements = [f'<article key="j/a/{n}"><author>A B</author><title>Work {n}.</title><year>2020</year></article>'
                for n in range(2_000)]  # fmt: skip
    (tmp_path / "many.xml").write_text(f"<dblp>{''.join(elements)}\n</dblp>\n")
    told: list[Any] = built(tmp_path / "corpus", tmp_path / "many.bib", tmp_path / "many.xml")
    assert [(one.works, one.fault) for one in told] == [(2_000, ""), (2_000, "")]
