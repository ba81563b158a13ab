"""Records for tests of identity: a small world in which many records are of one work."""

from collections.abc import Iterable

from hypothesis import strategies as st

from connectors.identifiers import Identifier, arxiv, doi, openalex, pmid
from connectors.paper import Author, Imprint, Paper
from connectors.records.build import author_from_name, build_paper
from connectors.records.grouping import Works

_TITLES = [
    "Dense Passage Retrieval for Questions",
    "Dense passage retrieval for questions.",
    "Editorial",
    "量子 retrieval",
]
_AUTHORS = ["Vladimir Karpukhin", "Karpukhin, V.", "Jane van der Berg", "The ATLAS Group"]
_NAMES = [
    doi("10.1000/abc"),
    doi("10.48550/arXiv.2004.04906"),
    arxiv("2004.04906v2"),
    pmid("123"),
    openalex("W12"),
    doi("10.1000/other"),
]
_KEYWORDS = ["Retrieval", "retrieval", "cs.CL", *(f"topic {number}" for number in range(70))]
"""More than a record may have, so that those of two are cut."""


def imprints() -> st.SearchStrategy[Imprint]:
    """What sources may tell of the printed form: all of it, parts of it, nothing."""
    return st.builds(
        Imprint,
        st.sampled_from(["", "12", "XII"]),
        st.sampled_from(["", "3", "Suppl 1"]),
        st.sampled_from(["", "100-110", "e30"]),
        st.sampled_from(["", "Press", "Press & Sons"]),
        st.sampled_from(["", "cs.CL"]),
        st.sampled_from([(), (Author("Babbage", "C."),), (Author("Babbage", "Charles"), Author("The Society"))]),
    )


@st.composite
def records(draw: st.DrawFn) -> Paper:
    """A record as some source could tell it; two of them are often of one work."""
    return build_paper(
        draw(st.sampled_from(["openalex", "arxiv", "semanticscholar", "pubmed", "google", "starter"])),
        title=draw(st.sampled_from(_TITLES)),
        abstract=draw(st.sampled_from(["", "Short.", "A longer abstract on retrieval.", "A longer abstract on…"])),
        authors=[
            one for name in draw(st.lists(st.sampled_from(_AUTHORS), max_size=3)) if (one := author_from_name(name))
        ],
        et_al=draw(st.booleans()),
        styled_title=draw(st.sampled_from([None, *(f"<i>{title}</i>" for title in _TITLES)])),
        date=draw(st.sampled_from([None, "2019", "2020-05", "2020-05-17", "2021"])),
        venue=draw(st.sampled_from(["", "arXiv", "EMNLP", "Proceedings of EMNLP"])),
        type=draw(st.sampled_from(["article", "preprint", "conference-paper", None])),
        identifiers=draw(st.lists(st.sampled_from(_NAMES), max_size=3)),
        citation_count=draw(st.sampled_from([None, 0, 7, 9])),
        references=draw(
            st.lists(st.sampled_from([Identifier("doi", "10.1/a"), Identifier("doi", "10.1/b")]), max_size=2)
        ),
        pdf=draw(st.sampled_from([None, "https://a.example/x.pdf", "https://b.example/x.pdf"])),
        retracted=draw(st.booleans()),
        imprint=draw(imprints()),
        described=draw(st.sampled_from(["", "Finds passages.", "Finds passages by dense vectors."])),
        keywords=draw(st.lists(st.sampled_from(_KEYWORDS), max_size=45)),
    )


def merge_all(papers: Iterable[Paper]) -> list[Paper]:
    """The works that `papers` are records of."""
    works, merged = Works(), dict[int, Paper]()
    for paper in papers:
        added = works.add(paper)
        for absorbed in added.absorbed:
            del merged[absorbed]
        merged[added.work] = added.paper
    return list(merged.values())


def source_of(paper: Paper, field: str) -> str | None:
    """The source that the value of `field` is from."""
    return next((entry.source for entry in paper.provenance if entry.field == field), None)
