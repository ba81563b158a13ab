"""An OpenAlex Work object made from a made-up work: every root field of the real one."""

from __future__ import annotations

from typing import Any

from tests.services.corpus.works import Author, Corpus, Profile, Work

AUTHORSHIPS_IN_LISTS = 100


def work_object(work: Work, corpus: Corpus, single: bool) -> dict[str, Any]:
    """The whole object; in lists (`single` false) authorships are cut and two fields are missing."""
    home = f"https://openalex.org/{work.openalex}"
    location = _location(work)
    best = location if work.open_access else None
    cited_by = len(corpus.citations(work))
    referenced = (
        [] if work.references_withheld else [f"https://openalex.org/{one.openalex}" for one in corpus.references(work)]
    )
    topic = _topic(work)
    first, last = work.first_and_last_page
    everyone = [_authorship(author, place, work, corpus) for place, author in enumerate(work.authors)]
    return {
        "id": home,
        "doi": _doi(work),
        "title": work.title,
        "display_name": work.title,
        "publication_year": work.year,
        "publication_date": work.date or (f"{work.year}-01-01" if work.year else None),
        "ids": _ids(work),
        "language": work.language,
        "primary_location": location,
        "type": work.kind,
        "indexed_in": _indexed_in(work),
        "open_access": {
            "is_oa": work.open_access,
            "oa_status": ("green" if work.arxiv else "gold") if work.open_access else "closed",
            "oa_url": location["pdf_url"],
            "any_repository_has_fulltext": work.arxiv is not None,
        },
        "authorships": everyone if single else everyone[:AUTHORSHIPS_IN_LISTS],
        "institutions": [],
        "countries_distinct_count": 1,
        "institutions_distinct_count": 0,
        "corresponding_author_ids": [],
        "corresponding_institution_ids": [],
        "apc_list": None,
        "apc_paid": None,
        "fwci": round(cited_by / 7, 3),
        "has_fulltext": work.open_access,
        "cited_by_count": cited_by,
        "citation_normalized_percentile": {
            "value": min(cited_by / 40, 1.0), "is_in_top_1_percent": False, "is_in_top_10_percent": False
        },
        "cited_by_percentile_year": {"min": 50, "max": 60},
        "biblio": {"volume": work.volume, "issue": work.issue, "first_page": first, "last_page": last},
        "is_retracted": work.retracted,
        "is_paratext": False,
        "is_xpac": False,
        "primary_topic": topic,
        "topics": [topic],
        "keywords": [_keyword(work)],
        "concepts": [],
        "mesh": [],
        "locations_count": 1,
        "locations": [location],
        "best_oa_location": best,
        "sustainable_development_goals": [],
        "awards": [],
        "funders": [],
        "has_content": {"pdf": work.open_access, "grobid_xml": False},
        "content_urls": {"pdf": f"{home}.pdf"} if work.open_access else None,
        "referenced_works_count": len(referenced),
        "referenced_works": referenced,
        "related_works": [],
        "abstract_inverted_index": _inverted(work.abstract),
        "counts_by_year": [{"year": 2026, "cited_by_count": cited_by}] if cited_by else [],
        "updated_date": "2026-11-01T00:00:00.000000",
        "created_date": "2025-10-10T00:00:00",
    }  # fmt: skip


def _indexed_in(work: Work) -> list[str]:
    held = {"arxiv": work.arxiv, "crossref": work.doi, "pubmed": work.pmid}
    return [name for name, value in held.items() if value]


def _keyword(work: Work) -> dict[str, Any]:
    name = work.topic.replace(" ", "-")
    return {"id": f"https://openalex.org/keywords/{name}", "display_name": work.topic, "score": 0.7}


def _doi(work: Work) -> str | None:
    return f"https://doi.org/{work.doi.lower()}" if work.doi else None


def _ids(work: Work) -> dict[str, str]:
    pairs = {
        "openalex": f"https://openalex.org/{work.openalex}",
        "doi": _doi(work),
        "pmid": work.pmid and f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}",
        "pmcid": work.pmcid and f"https://www.ncbi.nlm.nih.gov/pmc/articles/{work.pmcid.removeprefix('PMC')}",
    }
    return {name: value for name, value in pairs.items() if value}


def _location(work: Work) -> dict[str, Any]:
    landing = f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else _doi(work)
    source = {
        "id": f"https://openalex.org/S{4_000_000 + sum(map(ord, work.venue))}",
        "display_name": work.venue,
        "issn_l": "0000-0001" if not work.arxiv else None,
        "issn": ["0000-0001"] if not work.arxiv else None,
        "is_oa": work.open_access,
        "is_in_doaj": False,
        "is_core": not work.arxiv,
        "host_organization": None,
        "host_organization_name": "Cornell University" if work.arxiv else work.publisher,
        "host_organization_lineage": [],
        "host_organization_lineage_names": [],
        "type": "repository" if work.arxiv else "journal",
    }
    pdf = f"https://arxiv.org/pdf/{work.arxiv}" if work.arxiv else f"https://journal.invalid/{work.number}.pdf"
    return {
        "id": f"doi:{work.doi.lower()}" if work.doi else f"mag:{work.number}",
        "is_oa": work.open_access,
        "landing_page_url": landing,
        "pdf_url": pdf if work.open_access else None,
        "source": None if work.number % 19 == 0 else source,
        "license": "cc-by" if work.open_access else None,
        "license_id": "https://openalex.org/licenses/cc-by" if work.open_access else None,
        "version": "submittedVersion" if work.arxiv else "publishedVersion",
        "is_accepted": not work.arxiv,
        "is_published": not work.arxiv,
        "raw_source_name": work.venue,
        "raw_type": "posted-content" if work.arxiv else "journal-article",
    }


def _authorship(author: Author, place: int, work: Work, corpus: Corpus) -> dict[str, Any]:
    last = len(work.authors) - 1
    known = (work.number + place) % 29 != 0
    return {
        "author_position": "first" if place == 0 else "last" if place == last else "middle",
        "author": {
            "id": f"https://openalex.org/{author_id(corpus.profile_number(author, work))}" if known else None,
            "display_name": author.name,
            "orcid": None,
        },
        "institutions": [],
        "countries": [],
        "is_corresponding": place == 0,
        "raw_author_name": author.name,
        "raw_affiliation_strings": [],
        "raw_orcid": None,
        "affiliations": [],
    }


def author_id(number: int) -> str:
    return f"A{5_000_000_000 + number}"


def author_object(profile: Profile) -> dict[str, Any]:
    """The author of a profile; where they last were is known of every other."""
    home = {"id": "https://openalex.org/I1", "display_name": f"Institute of {profile.subject.capitalize()}"}
    return {
        "id": f"https://openalex.org/{author_id(profile.number)}",
        "orcid": None,
        "display_name": profile.name,
        "display_name_alternatives": [profile.name],
        "works_count": len(profile.works),
        "cited_by_count": 7,
        "last_known_institutions": [home] if profile.number % 2 else None,
        "ids": {"openalex": f"https://openalex.org/{author_id(profile.number)}"},
    }


AUTHOR_FIELDS = frozenset(author_object(Profile(1, "", "", ())))


def _topic(work: Work) -> dict[str, Any]:
    place = {"id": "https://openalex.org/subfields/1702", "display_name": work.field}
    return {
        "id": f"https://openalex.org/T{10_000 + sum(map(ord, work.topic)) % 5000}",
        "display_name": f"{work.topic.capitalize()} and {work.field}",
        "score": 0.99,
        "subfield": place,
        "field": {"id": "https://openalex.org/fields/17", "display_name": work.field},
        "domain": {"id": "https://openalex.org/domains/3", "display_name": "Physical Sciences"},
    }


def _inverted(abstract: str | None) -> dict[str, list[int]] | None:
    """The abstract as OpenAlex gives it: each word with the places it stands at."""
    if not abstract:
        return None
    places: dict[str, list[int]] = {}
    for place, word in enumerate(abstract.split()):
        places.setdefault(word, []).append(place)
    return places


_NOBODY = Work(0, "", "", "", None, (), None, None, "")
ROOT_FIELDS = frozenset(work_object(_NOBODY, Corpus([], {}), single=True))
"""What `select` may name."""
