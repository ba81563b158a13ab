"""OpenAlex' `filter=` parameter: its grammar, and the works each filter lets through."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from tests.services.corpus.boolean import split_outside_quotes
from tests.services.corpus.search import date_of, text_of
from tests.services.corpus.works import Corpus, Work
from tests.services.openalex.rules import Refused, invalid
from tests.services.openalex.work import work_object

MAXIMUM_VALUES = 100
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_PAID = {"from_created_date", "from_updated_date", "to_created_date", "to_updated_date"}

Test = Callable[[Work, str], bool]


def parse_filters(raw: str) -> list[tuple[str, str]]:
    """Names and decoded values of a raw (still percent-encoded) filter text. Raises Refused."""
    filters = []
    for piece in split_outside_quotes(raw.replace("%22", '"'), ","):
        name, colon, value = piece.partition(":")
        if not colon:
            raise Refused(
                "Invalid request rejected at the API edge",
                "A filter value contains an unescaped comma. Commas separate filters, so a literal comma inside a "
                "value must be percent-encoded as %2C (or the whole value wrapped in double quotes). "
                "e.g. filter=title.search:climate%2C+biodiversity",
                error_source="openalex-api-proxy",
            )
        filters.append((unquote(name), unquote(value.replace("+", " "))))
    return filters


class Filters:
    """The filters of one corpus."""

    def __init__(self, corpus: Corpus, search: Callable[[str, Callable[[Work], str]], set[int]]) -> None:
        self._corpus, self._search = corpus, search

    def numbers(self, name: str, value: str) -> set[int]:
        """The numbers of the works that pass the filter `name:value`. Raises Refused."""
        if name in _PAID:
            raise Refused(
                "Plan upgrade required",
                f'The "{name}:{value}" filter requires a Premium, Institutional, or Partner plan. '
                "See https://openalex.org/pricing for details.",
                429,
            )
        if (text := _TEXTS.get(name)) is not None:
            return self._search(value, text)
        if name in _DATES:
            return self._dated(name, value)
        test = self._test(name)
        negated = value.startswith("!")
        values = value.removeprefix("!").split("|")
        if len(values) > MAXIMUM_VALUES:
            raise invalid(
                f"Maximum number of values exceeded for {name}. Decrease values to {MAXIMUM_VALUES} or below."
            )
        found = {work.number for work in self._corpus.works if any(test(work, one.strip('"')) for one in values)}
        return {work.number for work in self._corpus.works} - found if negated else found

    def _dated(self, name: str, value: str) -> set[int]:
        if not _DAY.fullmatch(value):
            raise invalid(f"Value for param {name} must be a date in format YYYY-MM-DD.")
        later = _DATES[name]
        days = {work.number: date_of(work) for work in self._corpus.works}
        return {number for number, day in days.items() if day and (day >= value if later else day <= value)}

    def _test(self, name: str) -> Test:
        if name in {"cites", "cited_by"}:
            return self._linked(name)
        if name in {"authorships.author.id", "author.id"}:
            return self._written
        if name not in _TESTS:
            valid = ", ".join(sorted({*_TESTS, *_TEXTS, *_DATES, "authorships.author.id", "cites", "cited_by"}))
            raise invalid(
                f"{name} is not a valid field. Valid fields are underscore or hyphenated versions of: {valid}"
            )
        return _TESTS[name]

    def _written(self, work: Work, value: str) -> bool:
        known = work_object(work, self._corpus, single=True)["authorships"]
        return any(_short(one["author"]["id"] or "") == _short(value).upper() for one in known)

    def _linked(self, name: str) -> Test:
        def test(work: Work, value: str) -> bool:
            other = self._corpus.find("openalex", _short(value))
            if other is None or (other.references_withheld and name == "cited_by"):
                return False
            if name == "cites":
                return other.number in work.references and not work.references_withheld
            return work.number in other.references

        return test


def _short(value: str) -> str:
    return value.rsplit("/", 1)[-1]


def _doi(value: str) -> str:
    return re.sub(r"^(https?://(dx\.)?doi\.org/|doi:)", "", value.lower())


def _whole(value: str, known: int | None) -> bool:
    """Whether a number passes `5`, `>5`, `<5`, `2-5`, `2-`, `-5`."""
    if known is None:
        return False
    match = re.fullmatch(r"([<>]?)(\d*)(-?)(\d*)", value)
    if not match:
        raise invalid(f"Value {value} must be a number or a range of numbers.")
    sign, low, dash, high = match.groups()
    if sign:
        return known > int(low) if sign == ">" else known < int(low)
    return int(low or 0) <= known <= int(high or 9999) if dash else known == int(low)


def _flag(value: str, known: bool) -> bool:
    if value not in {"true", "false"}:
        raise invalid("Value must be true or false.")
    return known == (value == "true")


_DATES = {"from_publication_date": True, "to_publication_date": False}
_TEXTS: dict[str, Callable[[Work], str]] = {
    "title.search": lambda work: work.title,
    "display_name.search": lambda work: work.title,
    "abstract.search": lambda work: work.abstract or "",
    "title_and_abstract.search": text_of,
    "default.search": text_of,
    "fulltext.search": text_of,
    "raw_author_name.search": lambda work: " ".join(author.name for author in work.authors),
}
_TESTS: dict[str, Test] = {
    "openalex_id": lambda work, value: (work.openalex or "").lower() == _short(value).lower(),
    "openalex": lambda work, value: (work.openalex or "").lower() == _short(value).lower(),
    "ids.openalex": lambda work, value: (work.openalex or "").lower() == _short(value).lower(),
    "doi": lambda work, value: (work.doi or "-").lower() == _doi(value),
    "pmid": lambda work, value: work.pmid == _short(value),
    "ids.pmid": lambda work, value: work.pmid == _short(value),
    "pmcid": lambda work, value: (work.pmcid or "-").removeprefix("PMC") == _short(value).removeprefix("PMC"),
    "ids.pmcid": lambda work, value: (work.pmcid or "-").removeprefix("PMC") == _short(value).removeprefix("PMC"),
    "publication_year": lambda work, value: _whole(value, work.year),
    "publication_date": lambda work, value: date_of(work) == value,
    "type": lambda work, value: work.kind == value,
    "language": lambda work, value: work.language == value,
    "is_retracted": lambda work, value: _flag(value, work.retracted),
    "is_oa": lambda work, value: _flag(value, work.open_access),
    "open_access.is_oa": lambda work, value: _flag(value, work.open_access),
    "has_abstract": lambda work, value: _flag(value, work.abstract is not None),
    "has_doi": lambda work, value: _flag(value, work.doi is not None),
    "has_references": lambda work, value: _flag(value, bool(work.references)),
}
