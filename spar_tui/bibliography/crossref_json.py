"""Works as Crossref's API and the citation files of doi.org have them, as items of CSL-JSON."""

from collections.abc import Mapping
from typing import Any

from connectors.crossref.work import abstract_of, withdrawals

TYPES = {
    "journal-article": "article-journal", "proceedings-article": "paper-conference", "proceedings": "book",
    "monograph": "book", "edited-book": "book", "reference-book": "book", "book-series": "book", "book-set": "book",
    "book-chapter": "chapter", "book-part": "chapter", "book-section": "chapter", "book-track": "chapter",
    "reference-entry": "entry", "dissertation": "thesis", "posted-content": "article", "peer-review": "review",
    "report-component": "report", "report-series": "report", "journal": "periodical", "journal-issue": "periodical",
    "database": "dataset", "component": "document", "grant": "document", "other": "document",
}  # fmt: skip
"""The types that CSL has another name for."""
_RENAMED = {
    "short-container-title": "container-title-short", "publisher-location": "publisher-place",
    "article-number": "number", "subject": "keyword",
}  # fmt: skip
_JOINED = {"subject": "; ", "ISSN": ", ", "ISBN": ", "}
_OF_OTHER_WORKS = frozenset({"reference", "relation"})
_HOUSEKEEPING = frozenset({"indexed", "deposited", "content-domain", "score", "created", "prefix", "member"})


def is_crossref_work(item: Mapping[str, Any]) -> bool:
    """Whether an item is in Crossref's form: a type of its own, a list of titles, or with Crossref as its source."""
    return str(item.get("type")) in TYPES or isinstance(item.get("title"), list) or item.get("source") == "Crossref"


def csl_of_work(work: Mapping[str, Any]) -> dict[str, Any]:
    """The same as an item of CSL-JSON, without what Crossref says of other works and of its own records."""
    item: dict[str, Any] = {}
    for name, value in work.items():
        if name in _OF_OTHER_WORKS | _HOUSEKEEPING or value in (None, "", []):
            continue
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            value = _JOINED[name].join(value) if name in _JOINED else value[0]
        item[_RENAMED.get(name, name)] = value
    for role in ("author", "editor", "translator", "chair"):
        if isinstance(people := item.get(role), list):
            item[role] = [_person(person) for person in people if isinstance(person, dict)]
    item["type"] = TYPES.get(str(work.get("type")), work.get("type", "document"))
    if isinstance(subtitle := item.pop("subtitle", None), str) and isinstance(item.get("title"), str):
        item["title"] = f"{item['title']}: {subtitle}"
    if withdrawals(work):
        item["status"] = "retracted"
    if "abstract" in item:
        item["abstract"] = abstract_of(item["abstract"])
    return item


def _person(person: Mapping[str, Any]) -> dict[str, Any]:
    if "family" not in person and person.get("name"):
        return {"literal": person["name"]}
    return {part: person[part] for part in ("family", "given", "suffix", "ORCID") if part in person}
