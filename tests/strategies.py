"""Papers as hypothesis makes them up: every field known or unknown, in every script, clean as behind the doors."""

from dataclasses import replace

from hypothesis import strategies as st

from connectors.identifiers import Identifier, closed
from connectors.paper import PAPER_TYPES, Author, Imprint, Indexed, KeywordOrigin, Paper, Provenance, Version
from connectors.records.build import FIELDS, keywords_of
from connectors.records.clean import clean_text

SOURCES = ("arxiv", "openalex", "semanticscholar", "pubmed", "google")


def clean(longest: int = 60) -> st.SearchStrategy[str]:
    """Text as `connectors.records.clean` lets it through; it may be empty."""
    return st.text(max_size=longest).map(clean_text)


def dates() -> st.SearchStrategy[str]:
    """ISO dates to the year, the month or the day."""
    day = st.dates().filter(lambda one: one.year >= 1500).map(lambda one: one.isoformat())
    return st.tuples(day, st.sampled_from((4, 7, 10))).map(lambda made: made[0][: made[1]])


def identifiers() -> st.SearchStrategy[Identifier]:
    """Normal names of every scheme, few enough that two papers share one now and then."""
    number = st.integers(1, 40)
    return st.one_of(
        number.map(lambda n: Identifier("doi", f"10.1000/x.{n}")),
        number.map(lambda n: Identifier("doi", f"10.48550/arxiv.2001.{n:05}")),
        number.map(lambda n: Identifier("arxiv", f"2001.{n:05}")),
        number.map(lambda n: Identifier("pmid", str(n))),
        number.map(lambda n: Identifier("pmcid", f"PMC{n}")),
        number.map(lambda n: Identifier("s2", f"CorpusId:{n}")),
        number.map(lambda n: Identifier("openalex", f"W{n}")),
    )


def authors() -> st.SearchStrategy[Author]:
    orcid = st.none() | st.just("0000-0002-1825-0097")
    return st.builds(Author, clean(20).filter(bool), clean(20), orcid, st.sampled_from(["", "Jr."]))


def imprints() -> st.SearchStrategy[Imprint]:
    """Any imprint; each part may be unknown."""
    editors = st.lists(authors(), max_size=2).map(tuple)
    return st.builds(Imprint, clean(20), clean(20), clean(20), clean(), st.sampled_from(["", "cs.CL"]), editors)


def papers() -> st.SearchStrategy[Paper]:
    """Any paper that a door could make."""
    address = st.none() | st.integers(1, 99).map(lambda n: f"https://example.org/{n}")
    version = st.none() | st.builds(Version, clean(), st.none() | dates(), st.none() | st.just("10.1000/x.1"), address)
    names = st.lists(identifiers(), max_size=3).map(closed)
    told = st.builds(Provenance, st.sampled_from(FIELDS), st.sampled_from(SOURCES), st.booleans())
    made = st.builds(
        Paper,
        title=clean().map(lambda text: text or "(untitled)"),
        abstract=clean(200),
        authors=st.lists(authors(), max_size=3).map(tuple),
        date=st.none() | dates(),
        venue=clean(),
        type=st.sampled_from(PAPER_TYPES),
        identifiers=names,
        citation_count=st.none() | st.integers(0, 100_000_000),
        references=names,
        pdf=address,
        url=address,
        retracted=st.booleans(),
        language=st.none() | st.just("en"),
        preprint=version,
        published=version,
        imprint=imprints(),
        et_al=st.booleans(),
        styled_title=st.sampled_from(["", "A <i>styled</i> one"]),
        described=clean(60),
        provenance=st.lists(told, max_size=4, unique_by=lambda entry: entry.field).map(tuple),
        keywords=st.lists(clean(20), max_size=4).map(keywords_of),
        indexed=st.lists(st.builds(Indexed, st.sampled_from(SOURCES), dates()), max_size=3).map(_earliest_days),
    )
    return st.builds(_told_by, made, st.sampled_from(SOURCES))


def _earliest_days(days: list[Indexed]) -> tuple[Indexed, ...]:
    earliest = {source: min(one.date for one in days if one.source == source) for source, _ in days}
    return tuple(Indexed(*one) for one in sorted(earliest.items()))


def _told_by(paper: Paper, source: str) -> Paper:
    return replace(paper, keyword_origins=tuple(KeywordOrigin(source, place) for place in range(len(paper.keywords))))
