"""A Semantic Scholar paper made from a made-up work: all its fields, and the choice of some."""

from __future__ import annotations

from typing import Any

from tests.services.corpus.works import Author, Corpus, Profile, Work

LINK_FIELDS = frozenset("contexts intents isInfluential contextsWithIntent".split())
FIELDS = frozenset(
    "paperId corpusId externalIds url title abstract venue publicationVenue year referenceCount citationCount "
    "influentialCitationCount isOpenAccess openAccessPdf fieldsOfStudy s2FieldsOfStudy publicationTypes "
    "publicationDate journal citationStyles authors citations references embedding tldr textAvailability".split()
)
_NESTED = {
    "authors": frozenset("authorId externalIds url name affiliations homepage paperCount citationCount hIndex".split()),
    "citations": FIELDS,
    "references": FIELDS,
    "embedding": {"specter_v1", "specter_v2"},
}
_DISCLAIMER = (
    "Notice: Paper or abstract available at {where}, which is subject to the license by the author or copyright owner "
    "provided with this content. Please go to the source to verify the license and copyright information for your use."
)
_ELIDED = "Notice: The following paper fields have been elided by the publisher: {'abstract'}. " + _DISCLAIMER


def unknown_fields(fields: list[str], allowed: frozenset[str] = FIELDS) -> list[str]:
    """The names that are no fields of a paper."""
    return [name for name in fields if not _known(name, allowed)]


def _known(name: str, allowed: frozenset[str]) -> bool:
    root, dot, leaf = name.partition(".")
    return root in allowed and (not dot or leaf.split(".")[0] in _NESTED.get(root, ()))


def chosen(work: Work, corpus: Corpus, fields: list[str]) -> dict[str, Any]:
    """The asked fields of the paper; `paperId` always."""
    whole = _everything(work, corpus)
    roots = {name.partition(".")[0] for name in fields}
    paper = {name: value for name, value in whole.items() if name == "paperId" or name in roots}
    if "authors" in roots:
        leaves = {name.partition(".")[2] for name in fields if name.startswith("authors.")} | {"authorId", "name"}
        paper["authors"] = [
            {name: value for name, value in _author(author, work, corpus).items() if name in leaves}
            for author in work.authors
        ]
    for link, linked in (("citations", corpus.citations(work)), ("references", corpus.references(work))):
        if link in roots:
            leaves = {name.partition(".")[2] for name in fields if name.startswith(f"{link}.")} - {""} or {"title"}
            paper[link] = [chosen(one, corpus, sorted(leaves)) for one in linked if one.s2]
    return paper


def _everything(work: Work, corpus: Corpus) -> dict[str, Any]:
    preprint = corpus[work.preprint] if work.preprint else None
    journal = "JournalArticle"
    return {
        "paperId": work.s2,
        "externalIds": external_ids(work, preprint),
        "corpusId": work.corpus_id,
        "publicationVenue": None,
        "url": f"https://www.semanticscholar.org/paper/{work.s2}",
        "title": work.title.title() if work.number % 9 == 0 else work.title,
        "abstract": None if _elided(work) else work.abstract,
        "venue": "arXiv.org" if work.arxiv else work.venue,
        "year": work.year,
        "referenceCount": 0 if work.references_withheld else len(work.references) + len(work.unresolved),
        "citationCount": len(corpus.citations(work)),
        "influentialCitationCount": len(corpus.citations(work)) // 5,
        "isOpenAccess": work.open_access,
        "openAccessPdf": _pdf(work),
        "fieldsOfStudy": [work.field],
        "s2FieldsOfStudy": [{"category": work.field, "source": "s2-fos-model"}],
        "tldr": {"model": "tldr@v2.0.0", "text": f"A made-up study of {work.topic}."} if work.number % 3 else None,
        "embedding": {"model": "specter_v2", "vector": [round(work.number / 997, 4), 0.5, -0.25]},
        "publicationTypes": ["Review"] if "survey" in work.title.lower() else [journal] if work.number % 5 else None,
        "publicationDate": work.date,
        "journal": _journal(work),
        "citationStyles": {"bibtex": f"@Article{{Made{work.year}{work.number},\n title = {{{work.title}}},\n}}\n"},
        "textAvailability": "abstract" if work.abstract else "none",
        "authors": None,
        "citations": None,
        "references": None,
    }


def _journal(work: Work) -> dict[str, str]:
    """Pages stand between blanks, or between line breaks where they are PubMed's, whose issue stands in the volume."""
    if work.arxiv:
        return {"name": "ArXiv", "volume": f"abs/{work.arxiv}"}
    volume, pages = work.volume or "", (work.pages or "").replace("-", " - ")
    if work.pmid and work.issue:
        volume, pages = f"{volume} {work.issue}", f"\n          {work.short_pages}\n        "
    return {"name": work.venue, "volume": volume} | ({"pages": pages} if work.pages else {})


def external_ids(work: Work, preprint: Work | None) -> dict[str, Any]:
    """Identifiers elsewhere. A journal version carries the arXiv id of its preprint: here the pair is one paper."""
    ids = {
        "ArXiv": work.arxiv or (preprint.arxiv if preprint else None),
        "DOI": work.doi,
        "CorpusId": work.corpus_id,
        "PubMed": work.pmid,
        "PubMedCentral": work.pmcid and work.pmcid.removeprefix("PMC"),
    }
    return {name: value for name, value in ids.items() if value}


def _elided(work: Work) -> bool:
    return not work.open_access and work.number % 5 == 0


def _pdf(work: Work) -> dict[str, Any]:
    where = f"https://arxiv.org/abs/{work.arxiv}" if work.arxiv else f"https://doi.org/{work.doi}"
    note = (_ELIDED if _elided(work) else _DISCLAIMER).replace("{where}", where)
    if work.arxiv:
        return {"url": f"https://arxiv.org/pdf/{work.arxiv}", "status": "GREEN", "license": None, "disclaimer": note}
    if work.open_access:
        pdf = f"https://journal.invalid/{work.number}.pdf"
        return {"url": pdf, "status": "GOLD", "license": "CCBY", "disclaimer": note}
    return {"url": "", "status": "CLOSED", "license": None, "disclaimer": note}


def author_object(profile: Profile) -> dict[str, Any]:
    """The author of a profile; their affiliation is known of every third."""
    at = [f"{profile.subject.capitalize()} Laboratory"] if profile.number % 3 == 0 else []
    return {**_NOBODY, "authorId": str(profile.number), "name": profile.name, "affiliations": at,
            "paperCount": len(profile.works)}  # fmt: skip


def _author(author: Author, work: Work, corpus: Corpus) -> dict[str, Any]:
    id = None if author.collective else str(corpus.profile_number(author, work))
    return {**_NOBODY, "authorId": id, "name": author.name}


_NOBODY: dict[str, Any] = {
    "authorId": None,
    "externalIds": {},
    "url": "https://www.semanticscholar.org/author/1",
    "name": "",
    "affiliations": [],
    "homepage": None,
    "paperCount": 3,
    "citationCount": 7,
    "hIndex": 2,
}
AUTHOR_FIELDS = frozenset(_NOBODY)
