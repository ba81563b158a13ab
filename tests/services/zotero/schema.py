"""Which fields and roles an item may have, by Zotero's schema (version 22); a client must not take it from here."""

from __future__ import annotations

from typing import Any

_ALL = "title abstractNote date language shortTitle url accessDate rights extra"
_ARCHIVED = f"{_ALL} archive archiveLocation libraryCatalog callNumber"
_BOOK = "series seriesNumber volume numberOfVolumes edition place publisher ISBN"
FIELDS: dict[str, frozenset[str]] = {
    name: frozenset(fields.split())
    for name, fields in {
        "journalArticle": f"{_ARCHIVED} publicationTitle volume issue pages series seriesTitle seriesText"
        " journalAbbreviation DOI ISSN",
        "magazineArticle": f"{_ARCHIVED} publicationTitle volume issue pages ISSN",
        "newspaperArticle": f"{_ARCHIVED} publicationTitle place edition section pages ISSN",
        "book": f"{_ARCHIVED} {_BOOK} numPages",
        "bookSection": f"{_ARCHIVED} {_BOOK} bookTitle pages",
        "conferencePaper": f"{_ARCHIVED} proceedingsTitle conferenceName place publisher volume pages series DOI ISBN",
        "thesis": f"{_ARCHIVED} thesisType university place numPages",
        "report": f"{_ARCHIVED} reportNumber reportType seriesTitle place institution pages",
        "preprint": f"{_ARCHIVED} genre repository archiveID place series seriesNumber DOI citationKey",
        "manuscript": f"{_ARCHIVED} manuscriptType place numPages",
        "dataset": f"{_ARCHIVED} identifier type versionNumber repository repositoryLocation format DOI citationKey",
        "computerProgram": f"{_ARCHIVED} seriesTitle versionNumber system place company programmingLanguage ISBN",
        "standard": f"{_ARCHIVED} organization committee type number versionNumber status place publisher DOI"
        " citationKey numPages",
        "encyclopediaArticle": f"{_ARCHIVED} {_BOOK} encyclopediaTitle pages",
        "document": f"{_ARCHIVED} publisher",
        "webpage": f"{_ALL} websiteTitle websiteType",
        "letter": f"{_ARCHIVED} letterType",
        "artwork": f"{_ARCHIVED} artworkMedium artworkSize",
        "audioRecording": f"{_ARCHIVED} audioRecordingFormat seriesTitle volume numberOfVolumes place label runningTime"
        " ISBN",
        "videoRecording": f"{_ARCHIVED} videoRecordingFormat seriesTitle volume numberOfVolumes place studio"
        " runningTime ISBN",
        "patent": "title abstractNote place country assignee issuingAuthority patentNumber filingDate pages"
        " applicationNumber priorityNumbers issueDate references legalStatus language shortTitle url accessDate"
        " rights extra",
        "statute": "nameOfAct abstractNote code codeNumber publicLawNumber dateEnacted pages section session history"
        " language shortTitle url accessDate rights extra",
        "case": "caseName abstractNote court dateDecided docketNumber reporter reporterVolume firstPage history"
        " language shortTitle url accessDate rights extra",
        "note": "note parentItem",
        "attachment": "linkMode title accessDate url note contentType charset path parentItem md5 mtime filename",
    }.items()
}
_WITH_EDITORS = "author contributor editor translator seriesEditor"
CREATORS: dict[str, frozenset[str]] = {
    name: frozenset(roles.split())
    for name, roles in {
        "journalArticle": "author contributor editor translator reviewedAuthor",
        "magazineArticle": "author contributor translator reviewedAuthor",
        "newspaperArticle": "author contributor translator reviewedAuthor",
        "book": _WITH_EDITORS,
        "bookSection": f"{_WITH_EDITORS} bookAuthor",
        "conferencePaper": _WITH_EDITORS,
        "encyclopediaArticle": _WITH_EDITORS,
        "thesis": "author contributor",
        "report": "author contributor translator seriesEditor",
        "preprint": "author contributor editor translator reviewedAuthor",
        "manuscript": "author contributor translator",
        "dataset": "author contributor",
        "standard": "author contributor",
        "computerProgram": "programmer contributor",
        "document": "author contributor editor translator reviewedAuthor",
        "webpage": "author contributor translator",
        "letter": "author contributor recipient",
        "artwork": "artist contributor",
        "audioRecording": "performer contributor composer wordsBy",
        "videoRecording": "director contributor scriptwriter producer castMember",
        "patent": "inventor contributor attorneyAgent",
        "statute": "author contributor",
        "case": "author contributor counsel",
    }.items()
}
_ANY = frozenset("itemType creators tags collections relations dateAdded dateModified key version".split())


def invalid_part(item: dict[str, Any]) -> str:
    """The first thing in an item that Zotero would not take, in its words; "" if it takes it whole."""
    kind = item.get("itemType")
    if kind not in FIELDS:
        return f"'{kind}' is not a valid itemType"
    for name in item:
        if name not in FIELDS[kind] and name not in _ANY:
            return f"'{name}' is not a valid field for type '{kind}'"
    for creator in item.get("creators", ()):
        if creator.get("creatorType") not in CREATORS.get(kind, ()):
            return f"'{creator.get('creatorType')}' is not a valid creator type for type '{kind}'"
        if ("name" in creator) == ("lastName" in creator):
            return "creator object must contain either 'name' or 'firstName' and 'lastName'"
    if not all(isinstance(tag, dict) and tag.get("tag") for tag in item.get("tags", ())):
        return "Tag must be an object with a 'tag'"
    return ""
