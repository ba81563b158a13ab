"""PubMed E-utilities: esearch, efetch, elink and esummary, by GET and by POST."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tests.services.corpus.boolean import BadExpression
from tests.services.corpus.search import date_of, text_of
from tests.services.corpus.works import Work
from tests.services.http.message import Reply, Request, html_reply, json_reply, xml_reply
from tests.services.http.message import xml_text as text
from tests.services.pubmed.query import Query, day
from tests.services.pubmed.record import SET_HEAD, record, summary
from tests.services.rules import Window
from tests.services.service import Service, number

_HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n<!DOCTYPE {root} PUBLIC "-//NLM//DTD {dtd}//EN" "{address}">\n'
_DTD = {
    "eSearchResult": ("esearch 20060628", "20060628/esearch.dtd"),
    "eLinkResult": ("elink 20101123", "20101123/elink.dtd"),
    "eFetchResult": ("efetch 20131226", "20131226/efetch.dtd"),
    "eSummaryResult": ("esummary v1 20041029", "20041029/esummary-v1.dtd"),
}
_REACHABLE = 9999
_LINKS = ("pubmed_pubmed", "pubmed_pubmed_citedin", "pubmed_pubmed_refs")


def head(root: str) -> str:
    dtd, path = _DTD[root]
    return _HEAD.format(root=root, dtd=dtd, address=f"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/{path}")


def error(root: str, sentence: str) -> str:
    """A failure as E-utilities tell it: an ERROR element, with HTTP 200."""
    return f"{head(root)}<{root}>\n\t<ERROR>{text(sentence)}</ERROR>\n</{root}>\n"


class PubMed(Service):
    name = "pubmed"

    def reset(self) -> None:
        self._keyless = Window(3, self.terms.scale)
        self._keyed = Window(10, self.terms.scale)
        self._records = [work for work in self.corpus.works if work.pmid]

    def answer(self, request: Request) -> Reply:
        tools: dict[str, Callable[[Request, dict[str, str]], Reply]] = {
            "esearch": self._esearch,
            "efetch": self._efetch,
            "elink": self._elink,
            "esummary": self._esummary,
        }
        tool = request.path.removeprefix("/entrez/eutils/").removesuffix(".fcgi")
        if request.path != f"/entrez/eutils/{tool}.fcgi" or tool not in tools:
            return html_reply("<html><body><h1>Not Found</h1></body></html>", 404)
        parameters = request.parameters
        window = self._keyed if parameters.get("api_key") == self.terms.ncbi_key else self._keyless
        if self.terms.enforced and (refusal := self._turned_away(request, parameters, window)):
            return refusal
        reply = tools[tool](request, parameters)
        headers = {"X-RateLimit-Limit": str(window.limit), "X-RateLimit-Remaining": str(window.remaining)}
        return Reply(reply.status, reply.body, reply.content_type, {**reply.headers, **headers})

    def _turned_away(self, request: Request, parameters: dict[str, str], window: Window) -> Reply | None:
        if not parameters.get("tool"):  # an address is the person's to give
            self.breach(f"tool is missing ({request.path})")
        key = parameters.get("api_key")
        if key is not None and key != self.terms.ncbi_key:
            self.breach(f"a wrong key ({request.path})")
            return json_reply({"error": "API key invalid", "api-key": key, "type": "api", "status": "unknown"}, 400)
        if window.admit(request.time):
            return None
        self.breach(f"more than {window.limit} requests in {self.terms.scale:g} s ({request.path})")
        body = {"error": "API rate limit exceeded", "api-key": key or "192.0.2.10"}
        counts = {"count": str(window.limit + 1), "limit": str(window.limit)}
        return json_reply({**body, **counts}, 429, Retry_After="2")

    def _esearch(self, request: Request, parameters: dict[str, str]) -> Reply:
        as_json = parameters.get("retmode") == "json"
        failure = self._search_failure(parameters)
        start, size = number(parameters.get("retstart"), 0) or 0, number(parameters.get("retmax"), 20)
        if failure:
            return _esearch_error(failure, as_json)
        try:
            query = Query(parameters["term"], self._records)
            found = self._sorted(query, parameters)
        except BadExpression as reason:
            return _esearch_error(f"Search Backend failed: {reason}", as_json)
        size = min(size if size is not None else 20, 10_000)
        ids = [work.pmid or "" for work in found[start : start + size]]
        if start > _REACHABLE:
            return _esearch_error("Search Backend failed: 'retstart' cannot be larger than 9998.", as_json)
        return (_esearch_json if as_json else _esearch_xml)(query, len(found), start, ids)

    def _search_failure(self, parameters: dict[str, str]) -> str | None:
        if parameters.get("db") != "pubmed":
            return f"Invalid db name specified: {parameters.get('db', '')}"
        if not parameters.get("term", "").strip():
            return "Empty term and query_key - nothing todo"
        return None

    def _sorted(self, query: Query, parameters: dict[str, str]) -> list[Work]:
        numbers = query.found
        since, until = parameters.get("mindate"), parameters.get("maxdate")
        if bool(since) != bool(until):
            self.breach("only one of mindate and maxdate")
        if since and until:
            numbers = numbers & query.published(day(since), day(until, last=True))
            query.translation.append(f"{since}:{until}[Date - Publication]")
        ranked = [work for work, _ in self.index.ranked(numbers, query.ranking)]
        if parameters.get("sort") == "relevance":
            return ranked
        return sorted(ranked, key=lambda work: date_of(work) or "", reverse=True)

    def _efetch(self, request: Request, parameters: dict[str, str]) -> Reply:
        ids = _ids(request)
        if not ids:
            return xml_reply(error("eFetchResult", "Empty id list - nothing todo"))
        found = (work for name in ids if (work := self.corpus.find("pmid", name)))
        records = "\n".join(record(work, self.corpus) for work in found)
        return xml_reply(f"{SET_HEAD}\n{records}\n</PubmedArticleSet>")

    def _elink(self, request: Request, parameters: dict[str, str]) -> Reply:
        groups = [[one for one in value.split(",") if one] for name, value in request.pairs if name == "id"]
        groups = [group for group in groups if group]
        if not groups:
            return xml_reply(error("eLinkResult", "Empty id list - nothing todo"))
        names = [name for name in parameters.get("linkname", ",".join(_LINKS)).split(",") if name]
        sets = "".join(self._link_set(group, names) for group in groups)
        return xml_reply(f"{head('eLinkResult')}<eLinkResult>\n{sets}</eLinkResult>\n")

    def _link_set(self, ids: list[str], names: list[str]) -> str:
        works = [work for name in ids if (work := self.corpus.find("pmid", name))]
        databases = "".join(_link_database(name, self._linked(works, name)) for name in names)
        asked = "".join(f"<Id>{text(name)}</Id>" for name in ids)
        return f"<LinkSet><DbFrom>pubmed</DbFrom><IdList>{asked}</IdList>{databases}</LinkSet>\n"

    def _linked(self, works: list[Work], name: str) -> list[str]:
        linked: dict[str, None] = {}
        for work in works:
            for other in self._neighbours(work, name):
                if other.pmid:
                    linked[other.pmid] = None
        return list(linked)

    def _neighbours(self, work: Work, name: str) -> Iterable[Work]:
        """References and citations known to PMC only; similar articles begin with the article itself."""
        if name == "pubmed_pubmed_refs":
            return self.corpus.references(work) if work.pmcid and not work.references_withheld else []
        if name == "pubmed_pubmed_citedin":
            return [one for one in self.corpus.citations(work) if one.pmcid]
        if name == "pubmed_pubmed":
            near = [one for one, _ in self.index.matching(text_of(work), share=0.25) if one.pmid]
            return [work, *(one for one in near if one.number != work.number)][:20]
        return []

    def _esummary(self, request: Request, parameters: dict[str, str]) -> Reply:
        ids = _ids(request)
        if not ids:
            return xml_reply(error("eSummaryResult", "Neither query_key nor id specified"))
        found = [(name, self.corpus.find("pmid", name)) for name in ids]
        if parameters.get("retmode") == "json":
            entries = {name: summary(work, self.corpus) if work else _no_summary(name) for name, work in found}
            header = {"type": "esummary", "version": "0.3"}
            return json_reply({"header": header, "result": {"uids": list(entries), **entries}})
        items = "".join(_document(summary(work, self.corpus)) for _, work in found if work)
        return xml_reply(f"{head('eSummaryResult')}<eSummaryResult>\n{items}</eSummaryResult>\n")


def _ids(request: Request) -> list[str]:
    return [one.strip() for name, value in request.pairs if name == "id" for one in value.split(",") if one.strip()]


def _esearch_error(sentence: str, as_json: bool) -> Reply:
    if not as_json:
        return xml_reply(error("eSearchResult", sentence))
    return json_reply({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": {"ERROR": sentence}})


def _esearch_json(query: Query, count: int, start: int, ids: list[str]) -> Reply:
    result: dict[str, Any] = {
        "count": str(count),
        "retmax": str(len(ids)),
        "retstart": str(start),
        "idlist": ids,
        "translationset": [],
        "querytranslation": " AND ".join(query.translation),
    }
    if query.not_found:
        result["errorlist"] = {"phrasesnotfound": query.not_found, "fieldsnotfound": []}
    if query.ignored or query.quoted_not_found or not ids:
        result["warninglist"] = {
            "phrasesignored": query.ignored,
            "quotedphrasesnotfound": query.quoted_not_found,
            "outputmessages": [] if ids else ["No items found."],
        }
    return json_reply({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def _esearch_xml(query: Query, count: int, start: int, ids: list[str]) -> Reply:
    items = "\n".join(f"<Id>{name}</Id>" for name in ids)
    errors = "".join(f"<PhraseNotFound>{text(one)}</PhraseNotFound>" for one in query.not_found)
    warnings = "".join(f"<PhraseIgnored>{text(one)}</PhraseIgnored>" for one in query.ignored)
    warnings += "".join(f"<QuotedPhraseNotFound>{text(one)}</QuotedPhraseNotFound>" for one in query.quoted_not_found)
    warnings += "" if ids else "<OutputMessage>No items found.</OutputMessage>"
    return xml_reply(
        f"{head('eSearchResult')}<eSearchResult><Count>{count}</Count><RetMax>{len(ids)}</RetMax>"
        f"<RetStart>{start}</RetStart><IdList>\n{items}\n</IdList><TranslationSet/>"
        f"<QueryTranslation>{text(' AND '.join(query.translation))}</QueryTranslation>"
        + (f"<ErrorList>{errors}</ErrorList>" if errors else "")
        + (f"<WarningList>{warnings}</WarningList>" if warnings else "")
        + "</eSearchResult>\n"
    )


def _link_database(name: str, ids: list[str]) -> str:
    """One list of links; nothing at all when there are none."""
    if not ids:
        return ""
    links = "".join(f"<Link><Id>{one}</Id></Link>" for one in ids)
    return f"<LinkSetDb><DbTo>pubmed</DbTo><LinkName>{name}</LinkName>{links}</LinkSetDb>"


def _no_summary(name: str) -> dict[str, Any]:
    return {"uid": name, "error": "cannot get document summary"}


def _document(entry: dict[str, Any]) -> str:
    people = "".join(f'<Item Name="Author" Type="String">{text(one["name"])}</Item>' for one in entry["authors"])
    ids = "".join(
        f'<Item Name="{one["idtype"]}" Type="String">{text(one["value"])}</Item>' for one in entry["articleids"]
    )
    return (
        f'<DocSum><Id>{entry["uid"]}</Id><Item Name="PubDate" Type="Date">{entry["pubdate"]}</Item>'
        f'<Item Name="Source" Type="String">{text(entry["source"])}</Item>'
        f'<Item Name="AuthorList" Type="List">{people}</Item>'
        f'<Item Name="Title" Type="String">{text(entry["title"])}</Item>'
        f'<Item Name="ArticleIds" Type="List">{ids}</Item>'
        f'<Item Name="FullJournalName" Type="String">{text(entry["fulljournalname"])}</Item></DocSum>\n'
    )
