"""A work's name is the same however somebody wrote it, and prose names no work."""

from hypothesis import given
from hypothesis import strategies as st

from connectors.identifiers import doi, parse_identifier
from tests.rows import each

DOI = "10.1038/nature12373"
SICI = "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O"


@each(
    ("written", "named"),
    [
        (f"https://doi.org/{DOI}?utm_source=feed&utm_medium=rss", f"doi:{DOI}"),
        (f"https://doi.org/{DOI}#Sec1", f"doi:{DOI}"),
        (f"doi.org/{DOI}", f"doi:{DOI}"),
        (f"<https://doi.org/{DOI}>", f"doi:{DOI}"),
        (f"DOI: {DOI}.", f"doi:{DOI}"),
        (f"\u200b{DOI}\ufeff", f"doi:{DOI}"),
        (SICI.replace("<", "%3C").replace(">", "%3E"), f"doi:{SICI.lower()}"),
        (SICI.replace("<", "&lt;").replace(">", "&gt;"), f"doi:{SICI.lower()}"),
        ("https://doi.org/10.1002/1(2)42:1%3C4::AID-X%3E3.0.CO;2-#", "doi:10.1002/1(2)42:1<4::aid-x>3.0.co;2-#"),
        ("https://dl.acm.org/doi/pdf/10.1145/3292500.3330701", "doi:10.1145/3292500.3330701"),
        ("https://link.springer.com/content/pdf/10.1007/s10115-020-01450-9.pdf", "doi:10.1007/s10115-020-01450-9"),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/asi.24000#refs", "doi:10.1002/asi.24000"),
        ("https://onlinelibrary-wiley-com.proxy.example.edu/doi/10.1002/asi.24000", "doi:10.1002/asi.24000"),
        ("https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf", "doi:10.1101/2020.01.01.123456"),
        ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.1", "doi:10.1371/journal.pone.1"),
        ("https://www.nature.com/articles/s41586-020-2649-2.pdf", "doi:10.1038/s41586-020-2649-2"),
        ("https://www-nature-com.proxy.example.edu/articles/s41586-020-2649-2", "doi:10.1038/s41586-020-2649-2"),
        ("https://www.nature.com.proxy.example.edu/articles/s41586-020-2649-2", "doi:10.1038/s41586-020-2649-2"),
        ("https://www.nature.com/nature/journal/v521/n7553/full/nature14539.html", "doi:10.1038/nature14539"),
        ("https://dl.acm.org/citation.cfm?id=3292500.3330701&preflayout=flat", "doi:10.1145/3292500.3330701"),
        ("https://academic.oup.com/nar/article/doi/10.1093/nar/gkx1107/4643409", "doi:10.1093/nar/gkx1107"),
        (f"https://api.crossref.org/works/{DOI}/transform/application/x-bibtex", f"doi:{DOI}"),
        (f"https://pubs.acs.org/doi/suppl/{DOI}/suppl_file/a_si_001.pdf", f"doi:{DOI}"),
        ("https://aclanthology.org/2020.acl-main.1/", "doi:10.18653/v1/2020.acl-main.1"),
        ("arxiv.org/abs/1706.03762", "arxiv:1706.03762"),
        ("arXiv.org/pdf/1706.03762v5", "arxiv:1706.03762"),
        ("arXiv.org: hep-th/9901001", "arxiv:hep-th/9901001"),
        ("arXiv preprint arXiv:1706.03762", "arxiv:1706.03762"),
        ("(arXiv:1706.03762),", "arxiv:1706.03762"),
        ("arXiv:1706.03762;", "arxiv:1706.03762"),
        (f"“{DOI}”", f"doi:{DOI}"),
        (f"[https://doi.org/{DOI}].", f"doi:{DOI}"),
        (f"(doi: {SICI})", f"doi:{SICI.lower()}"),
        ("arXiv:1706.03762v7  [cs.CL]  2 Aug 2023", "arxiv:1706.03762"),
        ("https://arxiv.org/pdf/1706.03762v5.pdf#page=2", "arxiv:1706.03762"),
        ("https://xxx.lanl.gov/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
        ("https://arxiv.org/ftp/arxiv/papers/1706/1706.03762.pdf", "arxiv:1706.03762"),
        ("https://api.semanticscholar.org/arXiv:1706.03762", "arxiv:1706.03762"),
        ("math.GT/0309136", "arxiv:math/0309136"),
        ("https://pubmed.ncbi.nlm.nih.gov/23193287/?from=x", "pmid:23193287"),
        ("https://pubmed.ncbi.nlm.nih.gov/?term=23193287", "pmid:23193287"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/?term=23193287%5Buid%5D&sort=date", "pmid:23193287"),
        ("https://www.ncbi.nlm.nih.gov/entrez/query.fcgi?cmd=Retrieve&db=PubMed&list_uids=23193287", "pmid:23193287"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/23193287/", "pmid:23193287"),
        ("https://europepmc.org/article/MED/23193287", "pmid:23193287"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC3531190/pdf/gks1195.pdf", "pmcid:PMC3531190"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC3531190/", "pmcid:PMC3531190"),
        ("https://openreview.net/forum?id=HkAClQgA-&noteId=Sy8Gdi", "openreview:HkAClQgA-"),
        ("https://openreview.net/pdf?id=rJl6M2C5Y7", "openreview:rJl6M2C5Y7"),
        ("OpenReview: rJl6M2C5Y7", "openreview:rJl6M2C5Y7"),
        ("https://api.semanticscholar.org/CorpusID:13756489", "s2:CorpusId:13756489"),
        ("https://openalex.org/works/W2741809807", "openalex:W2741809807"),
        (f"DOI: DOI:{DOI}", f"doi:{DOI}"),
        (f"urn:doi:{DOI}", f"doi:{DOI}"),
        (f"info:doi/{DOI}", f"doi:{DOI}"),
        (f"info:hdl/{DOI}", f"doi:{DOI}"),
        ("info:pmid/23193287", "pmid:23193287"),
        ("info:arxiv/1706.03762", "arxiv:1706.03762"),
        ("oai:arXiv.org:1706.03762", "arxiv:1706.03762"),
        (f"https://doi.org/doi:{DOI}", f"doi:{DOI}"),
        (f"https://doi.org/https://doi.org/{DOI}", f"doi:{DOI}"),
        (f"https://login.proxy.example.edu/login?url=https://doi.org/{DOI}", f"doi:{DOI}"),
        ("https://www.medrxiv.org/content/medrxiv/early/2020/02/02/2020.02.02.20000001.full.pdf",
         "doi:10.1101/2020.02.02.20000001"),
        ("https://www.medrxiv.org/content/10.1101/2021.03.04.21252532v1.supplementary-material",
         "doi:10.1101/2021.03.04.21252532"),
        ("https://www.biorxiv.org/content/10.64898/2026.01.02.697123v2.article-metrics",
         "doi:10.64898/2026.01.02.697123"),
        ("https://papers.ssrn.com/sol3/papers.cfm?lang=en&abstract_id=123456", "doi:10.2139/ssrn.123456"),
        ("https://www.aclweb.org/anthology/P19-1001.pdf", "doi:10.18653/v1/p19-1001"),
        ("PMID: 23193287 [PubMed - indexed for MEDLINE]", "pmid:23193287"),
    ],
)  # fmt: skip
def test_an_identifier_is_read_from_every_way_of_pasting_it(written: str, named: str) -> None:
    assert str(parse_identifier(written)) == named


@each(
    "text",
    [
        f"see {DOI} for more",
        "Compare arXiv: 1706.03762; same data",
        "https://example.org/blog/1706.03762",
        "https://arxiv.org/list/cs.CL/recent",
        "https://www.sciencedirect.com/science/article/pii/S0092867420300000",
        "smoking and health",
        "https://example.org/search?q=10.1000/182&page=2",
        "https://pubmed.ncbi.nlm.nih.gov/?term=smoking+and+health",
        "https://pubmed.ncbi.nlm.nih.gov/?term=23193287+OR+23193288",
        "https://www.ncbi.nlm.nih.gov/gene/?term=12345678",
        "https://[broken",
    ],
)
def test_prose_and_other_pages_name_no_work(text: str) -> None:
    assert parse_identifier(text) is None


HOSTS = st.sampled_from(["doi.org/", "dx.doi.org/", "www.tandfonline.com/doi/full/", "press.example.org/article/"])
SUFFIX = st.from_regex(r"[a-z0-9][a-z0-9.()_-]{0,20}[a-z0-9]", fullmatch=True)


@given(HOSTS, st.integers(1000, 99_999), SUFFIX, st.sampled_from(["", "?utm_source=x", "#top"]))
def test_an_address_that_holds_a_doi_names_it(host: str, prefix: int, suffix: str, tail: str) -> None:
    bare = doi(f"10.{prefix}/{suffix}")
    assert parse_identifier(f"https://{host}10.{prefix}/{suffix}{tail}") == bare


@given(st.text(max_size=80))
def test_what_was_read_once_is_read_as_the_same_again(text: str) -> None:
    if found := parse_identifier(text):
        assert parse_identifier(str(found)) == found
