"""Europe PMC: `/search` with its query language, whole or short records, and paging by cursor mark."""

from __future__ import annotations

import base64
import re
from typing import Any

from tests.services.corpus.boolean import BadExpression, Expression
from tests.services.corpus.search import date_of, holds_phrase, terms, text_of
from tests.services.corpus.search import words as word_list
from tests.services.corpus.works import Work
from tests.services.europepmc.record import preprint_of, record
from tests.services.http.message import Reply, Request, json_reply, xml_reply
from tests.services.service import Service, number

_TOKEN = re.compile(r'[()]|[A-Z_]+:(?:"[^"]*"|\[[^\]]*\]|[^\s()]+)|"[^"]*"|[^\s()"]+')
_FIELDS = frozenset(
    {
        "TITLE_ABS",
        "TITLE",
        "AUTH",
        "SRC",
        "DOI",
        "EXT_ID",
        "PMCID",
        "FIRST_PDATE",
        "FIRST_IDATE",
        "KW",
        "JOURNAL",
        "ABSTRACT",
        "PUB_YEAR",
    }
)
_SPANS = {
    "FIRST_PDATE": re.compile(r"\[(\d{4}-\d{2}-\d{2}) TO (\d{4}-\d{2}-\d{2})\]"),
    "FIRST_IDATE": re.compile(r"\[(\d{4}-\d{2}-\d{2}) TO (\d{4}-\d{2}-\d{2})\]"),
    "PUB_YEAR": re.compile(r"\[(\d{4}) TO (\d{4})\]"),
}
_LONGEST = 4_000
"""Most characters of a request line; longer queries are to be sent by POST."""


class EuropePMC(Service):
    name = "europepmc"

    def reset(self) -> None:
        held = [work for work in self.corpus.works if work.pmid]
        posted = [posted for work in held if (posted := preprint_of(work))]
        self._records: dict[int, Work] = {work.number: work for work in held} | {-one.number: one for one in posted}

    def answer(self, request: Request) -> Reply:
        parameters = request.parameters
        if request.path not in ("/search", "/searchPOST"):
            return json_reply({"error": "Not Found"}, 404)
        if request.method == "GET" and len(request.target) > _LONGEST:
            self.breach(f"a request line of {len(request.target)} characters")
            return Reply(414, b"", "text/html")
        size = number(parameters.get("pageSize"), 25)
        if size is None or not 1 <= size <= 1000:
            return self._refused(f"pageSize {parameters.get('pageSize')}", request)
        if parameters.get("resultType", "lite") not in ("idlist", "lite", "core"):
            return self._refused(f"resultType {parameters['resultType']}", request)
        try:
            found, words = self._found(parameters.get("query", ""))
        except BadExpression as reason:
            return self._refused(str(reason), request)
        ranked = self._ranked(found, words)
        if parameters.get("format") != "json":
            return xml_reply(f"<responseWrapper><hitCount>{len(ranked)}</hitCount></responseWrapper>")
        return json_reply(self._page(ranked, parameters, size))

    def _refused(self, what: str, request: Request) -> Reply:
        self.breach(f"{what} ({request.target[:300]})")
        return json_reply({"version": "6.9", "errCode": 400, "errMsg": what}, 400)

    def _page(self, ranked: list[int], parameters: dict[str, str], size: int) -> dict[str, Any]:
        mark = parameters.get("cursorMark", "*")
        start = 0 if mark == "*" else int(base64.b64decode(mark.encode()))
        shown = ranked[start : start + size]
        kind = parameters.get("resultType", "lite")
        body: dict[str, Any] = {"version": "6.9", "hitCount": len(ranked)}
        if shown:  # a mark that leads on to nothing stands at the end as well
            body["nextCursorMark"] = _mark(start + len(shown))
        body["request"] = {"queryString": parameters.get("query"), "resultType": kind, "cursorMark": mark}
        records = [record(self._records[one], self.corpus, kind == "core") for one in shown]
        if kind == "idlist":
            records = [{name: one[name] for name in ("id", "source", "pmid") if name in one} for one in records]
        return {**body, "resultList": {"result": records}}

    def _found(self, query: str) -> tuple[set[int], list[str]]:
        """The records of a query, and the words by which they are ranked. Raises BadExpression."""
        words: list[str] = []

        def matching(token: str) -> set[int]:
            field, colon, value = token.partition(":")
            if not colon or token.startswith('"'):
                field, value = "TITLE_ABS", token  # and the whole text, which these works have not
            if field not in _FIELDS:
                raise BadExpression(f"there is no field {field}")
            if re.search(r"[?*\[\]{}^~\\]", value.removesuffix("*")) and field not in _SPANS:
                raise BadExpression(f"syntax within {value}")
            words.extend(terms(value) if field.startswith("TITLE") else [])
            return {name for name, work in self._records.items() if _holds(work, name, field, value)}

        tokens = _TOKEN.findall(query)
        if query.count('"') % 2:
            raise BadExpression("a quote is not closed")
        if not tokens:
            raise BadExpression("an empty query")
        return Expression(tokens, matching, set(self._records)).value(), words

    def _ranked(self, found: set[int], words: list[str]) -> list[int]:
        scores = {work.number: score for work, score in self.index.ranked({abs(one) for one in found}, words)}
        return sorted(found, key=lambda one: (-scores[abs(one)], one < 0, one))


def _holds(work: Work, name: int, field: str, value: str) -> bool:
    bare = value.strip('"').lower()
    match field:
        case "SRC":
            return bare == ("ppr" if name < 0 else "med")
        case "DOI":
            return (work.doi or "").lower() == bare
        case "EXT_ID":
            return bare in (work.pmid, f"ppr{work.number}" if name < 0 else None)
        case "PMCID":
            return (work.pmcid or "").lower() == bare
        case "AUTH":
            return any(bare == one.family.lower() for one in work.authors)
        case "FIRST_PDATE" | "PUB_YEAR" | "FIRST_IDATE":
            if (span := _SPANS[field].fullmatch(value)) is None:
                raise BadExpression(f"no span of dates: {value}")
            when = (work.indexed if field == "FIRST_IDATE" else None) or date_of(work) or ""
            return span[1] <= when[: len(span[2])] <= span[2]
        case "JOURNAL":
            return holds_phrase(work.venue or "", value)
    text = {"TITLE": work.title, "ABSTRACT": work.abstract or ""}.get(field, text_of(work))
    if value.endswith("*"):
        return any(word.startswith(bare.rstrip("*")) for word in word_list(text))
    return holds_phrase(text, value) if value.startswith('"') else set(terms(value)) <= set(terms(text))


def _mark(start: int) -> str:
    return base64.b64encode(str(start).encode()).decode()
