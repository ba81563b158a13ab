"""arXiv's metadata in one file."""

import json

from connectors.arxiv.dump import read_metadata
from connectors.paper import Version

RECORD = json.loads(
    r"""{"id":"0704.0001","submitter":"Pavel Nadolsky","authors":"C. Bal\\'azs, E. L. Berger Jr.",
    "title":"Calculation of prompt diphoton production cross sections\n  at Tevatron","comments":"37 pages",
    "journal-ref":"Phys.Rev.D76:013009,2007","doi":"10.1103/PhysRevD.76.013009","report-no":null,
    "categories":"hep-ph cs.AI","license":null,"abstract":"  A fully differential calculation in\nQCD is presented.\n",
    "versions":[{"version":"v1","created":"Mon, 2 Apr 2007 19:18:42 GMT"},
                {"version":"v2","created":"Tue, 24 Jul 2007 20:10:27 GMT"}],
    "update_date":"2008-11-26","authors_parsed":[["Bal\u00e1zs","C.",""],["Berger","E. L.","Jr."]]}""",
    strict=False,
)


def test_a_record_is_the_paper_that_the_feed_would_tell_of() -> None:
    paper = read_metadata(RECORD)
    assert paper
    assert paper.title == "Calculation of prompt diphoton production cross sections at Tevatron"
    assert [one.name for one in paper.authors] == ["C. Balázs", "E. L. Berger Jr."]
    assert (paper.identifier("arxiv"), paper.identifier("doi")) == ("0704.0001", "10.1103/physrevd.76.013009")
    assert (paper.date, paper.type, paper.imprint.arxiv_class) == ("2007-04-02", "preprint", "hep-ph")
    assert paper.published == Version("Phys.Rev.D76:013009,2007", None, "10.1103/physrevd.76.013009")
    assert paper.abstract == "A fully differential calculation in QCD is presented."


def test_what_is_damaged_is_left_out() -> None:
    assert read_metadata(RECORD | {"id": "none"}) is None
    paper = read_metadata({"id": "0704.0001", "versions": [{"created": "someday"}], "authors_parsed": [[], [1], "x"]})
    assert paper
    assert (paper.date, len(paper.authors)) == (None, 0)
