"""dblp's publications, each an XML element."""

import pytest

from connectors.dblp.dump import read_element

ARTICLE = b"""<article mdate="2017-05-28" key="journals/acta/Saxena96">
<author orcid="0000-0000">Sanjeev Saxena 0001</author><author>J&uuml;rgen M&ouml;ller</author>
<title>Parallel Integer Sorting and Simulation <i>Amongst</i> CRCW &amp; Other Models.</title>
<pages>607-619</pages><year>1996</year><volume>33</volume><journal>Acta Inf.</journal><number>7</number>
<ee>https://www.example.org/x</ee><ee type="oa">https://doi.org/10.1007/BF03036466</ee>
<url>db/journals/acta/acta33.html#Saxena96</url></article>"""


def test_an_element_is_the_paper_that_the_search_would_tell_of() -> None:
    paper = read_element(ARTICLE)
    assert paper
    assert paper.title == "Parallel Integer Sorting and Simulation Amongst CRCW & Other Models"
    assert [one.name for one in paper.authors] == ["Sanjeev Saxena", "Jürgen Möller"]
    assert (paper.venue, paper.year, paper.type) == ("Acta Inf.", 1996, "article")
    assert (paper.imprint.volume, paper.imprint.number, paper.imprint.pages) == ("33", "7", "607-619")
    assert paper.identifier("doi") == "10.1007/bf03036466"
    assert paper.url == "https://dblp.org/rec/journals/acta/Saxena96"


def test_a_preprint_has_its_number_on_arxiv() -> None:
    paper = read_element(
        b'<article key="journals/corr/abs-1810-04805" publtype="informal"><author>Jacob Devlin</author><title>BERT.'
        b"</title><volume>abs/1810.04805</volume><year>2018</year><journal>CoRR</journal></article>"
    )
    assert paper
    assert (paper.type, paper.identifier("arxiv"), paper.venue) == ("preprint", "1810.04805", "arXiv")


@pytest.mark.parametrize(
    "element",
    [
        b'<www key="homepages/s/SanjeevSaxena"><author>A</author><title>Home Page</title></www>', b"<article>", b"<",
        b'<article key="k"><title></title></article>', b'<article key="k"><title>&unknown;</title></article>',
    ],
)  # fmt: skip
def test_a_person_and_what_is_damaged_are_no_paper(element: bytes) -> None:
    assert read_element(element) is None
