"""Semantic Scholar's parameters: fields, bounds, dates, bulk operators and sorting."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.services.corpus.search import date_of, holds_phrase, text_of
from tests.services.corpus.works import Work
from tests.services.http.message import Request
from tests.services.semantic_scholar.paper import FIELDS, unknown_fields
from tests.services.service import number


class Refused(ValueError):
    """An error reply with the status and the text of its `error`."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


def fields_of(request: Request, allowed: frozenset[str] = FIELDS) -> list[str]:
    """The asked fields. Raises Refused for unknown ones."""
    fields = [name.strip() for name in request.parameters.get("fields", "title").split(",") if name.strip()]
    if unknown := unknown_fields(fields, allowed):
        raise Refused(f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    return fields


def query_of(request: Request) -> str:
    """The query. Raises Refused when there is none."""
    if not (query := request.parameters.get("query", "").strip()):
        raise Refused("Missing required parameter: query")
    return query


def window_of(request: Request, most: int, default: int) -> tuple[int, int]:
    """Offset and limit. Raises Refused when they are out of bounds."""
    offset, limit = (number(request.parameters.get(name), plain) for name, plain in (("offset", 0), ("limit", default)))
    if offset is None or offset < 0:
        raise Refused("Offset must be a non-negative number")
    if limit is None or not 1 <= limit <= most:
        raise Refused(f"Limit must be between 1 and {most}")
    return offset, limit


def narrowed(works: list[Work], parameters: dict[str, str]) -> list[Work]:
    """The works within the asked dates, years and open access. Raises Refused."""
    if (span := parameters.get("publicationDateOrYear")) is not None:
        since, until = _span(span, ":", r"\d{4}(-\d{2}(-\d{2})?)?", "publicationDateOrYear")
        works = [work for work in works if (day := date_of(work)) and since <= day and day[: len(until)] <= until]
    if (span := parameters.get("year")) is not None:
        since, until = _span(span, "-", r"\d{4}", "year")
        works = [
            work for work in works if work.year and since <= str(work.year) and str(work.year) <= (until or "9999")
        ]
    return [work for work in works if work.open_access] if "openAccessPdf" in parameters else works


def _span(text: str, separator: str, end: str, name: str) -> tuple[str, str]:
    """Both ends of a range; an open end is empty, a single value is both ends."""
    since, apart, until = text.partition(separator)
    if not text or not all(re.fullmatch(f"({end})?", one) for one in (since, until)):
        raise Refused(f"Invalid {name}: {text}")
    return since, until if apart else since


def bulk_holds(work: Work, text: str) -> bool:
    """Whether the work holds all words and phrases of `text`, and none that begins with a minus."""
    for word in re.findall(r'[-+]?"[^"]*"|\S+', text):
        holds = holds_phrase(text_of(work), word.lstrip("+-").rstrip("*").strip('"'))
        if holds == word.startswith("-"):
            return False
    return True


def sort_papers(papers: list[Work], sort: str, cited: Callable[[Work], int]) -> None:
    """In place; `cited` counts the citations of a work. Raises Refused."""
    name, _, order = sort.partition(":")
    values: dict[str, Callable[[Work], Any]] = {
        "paperId": lambda work: work.s2 or "",
        "publicationDate": lambda work: date_of(work) or "",
        "citationCount": cited,
    }
    if name not in values or order not in {"", "asc", "desc"}:
        raise Refused(f"Unrecognized sort: {sort}")
    papers.sort(key=values[name], reverse=order == "desc")
