"""Filters: terms that must all hold, parsed from typed text or built from a tool's arguments.

A term that cannot be parsed adds a sentence to `problems` and no condition.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import compress
from typing import Any, NamedTuple, TypeVar

from cache.conditions.names import folded
from cache.conditions.table import CONDITIONS, ROWS, CheckedPaper, Condition, Knows, text_of
from cache.conditions.values import Clause, Group, Interval, NotUnderstood, Value, Words
from cache.conditions.wording import listed
from connectors.paper import Paper
from connectors.records.clean import clean_text

MOST_TERMS = 40
MOST_LETTERS = 10_000
"""Maximum number of characters of a filter; the rest is ignored."""
TEXT = "text"
"""Name of the condition of plain words, which has no row in the table."""


@dataclass(frozen=True, slots=True)
class FilterTerm:
    """A condition by name. It holds if one of its values matches or, when negated, if none does. The name of plain
    words is `TEXT`."""

    condition: str
    values: tuple[Value, ...] = ()
    negated: bool = False

    @property
    def row(self) -> Condition:
        """The row of the condition in the table. Raises `KeyError` for plain words."""
        return CONDITIONS[self.condition]

    @property
    def words(self) -> Words | None:
        """The words to search for; None for any other condition."""
        return self.values[0] if self.condition == TEXT and isinstance(self.values[0], Words) else None

    @property
    def clause(self) -> Clause:
        """The condition in SQL, of papers `p` and shelf entries `s`. Raises `KeyError` for plain words."""
        return self.of_any([self.row.sql(value) for value in self.values or ("",)])

    def of_any(self, clauses: Sequence[Clause]) -> Clause:
        """Return the condition that one of `clauses` holds or, if the term is negated, none."""
        either = " OR ".join(f"coalesce({clause.sql}, 0)" for clause in clauses)
        return Clause(f"{'NOT ' * self.negated}({either})", [value for clause in clauses for value in clause.values])

    @property
    def groups(self) -> "Iterator[Filter]":
        """The groups of conditions that are its values."""
        return (value for value in self.values if isinstance(value, Filter))

    @property
    def phrase(self) -> str:
        """The condition in words, after "is" or "has": `by Lee or Wu`, `not in Nature`, `at most 3 authors`."""
        words = self.row.phrase(self.values, "or")
        return (self.row.opposite or f"not {words}") if self.negated else words

    @property
    def begun(self) -> "FilterTerm":
        """The term with its names as beginnings of names."""
        return replace(self, values=tuple(f"{str(value).rstrip('*')}*" for value in self.values))

    def __str__(self) -> str:
        values = "|".join(map(_written, self.values))
        return f"{'-' * self.negated}{'' if self.condition == TEXT else self.row.word}{values}"


def _written(value: Value) -> str:
    bare = str(value)
    return f'"{bare}"' if isinstance(value, str) and (" " in bare or "|" in bare) else bare


@dataclass(frozen=True, slots=True)
class Filter(Group):
    """Terms that must all hold, and one sentence for each term that could not be parsed."""

    terms: tuple[FilterTerm, ...] = ()
    problems: tuple[str, ...] = ()

    def __and__(self, other: "Filter") -> "Filter":
        return Filter(self.terms + other.terms, self.problems + other.problems)

    def of(self, condition: str) -> tuple[FilterTerm, ...]:
        """Return the terms of one condition."""
        return tuple(term for term in self.terms if term.condition == condition)

    @property
    def in_full_texts(self) -> bool:
        """Whether to search full texts for the words."""
        return any(not term.negated for term in self.of("fulltext"))

    @property
    def needs_library(self) -> bool:
        """Whether a term can only be checked with the library's full-text index."""
        return any(term.condition != TEXT and term.row.knows == "library" for term in self.each)

    @property
    def each(self) -> Iterator[FilterTerm]:
        """The terms, also those of groups."""
        for term in self.terms:
            yield term
            yield from (inner for group in term.groups for inner in group.each)

    @property
    def clause(self) -> Clause:
        """The terms in SQL (see `FilterTerm.clause`)."""
        clauses = [term.clause for term in self.terms] or [Clause("TRUE")]
        values = [value for clause in clauses for value in clause.values]
        return Clause(f"({' AND '.join(clause.sql for clause in clauses)})", values)

    @property
    def together(self) -> str:
        phrases = [f"with {term.phrase}" if term.row.has else term.phrase for term in self.terms]
        return f"({listed(phrases)})" if len(phrases) > 1 else listed(phrases)

    def holds(self, subject: CheckedPaper) -> bool:
        """Whether all terms hold for a paper."""
        return all(_test(term)(subject) is not term.negated for term in self.terms)

    @property
    def words(self) -> tuple[Words, ...]:
        """The words and phrases that a paper must contain."""
        return tuple(words for term in self.terms if (words := term.words) and not term.negated)

    @property
    def impossible(self) -> str:
        """Why no paper can meet the filter; "" if one can."""
        for term in self.terms:
            for value in term.values:
                if isinstance(value, Interval) and value.is_empty:
                    bounds = (Interval(value.least, None), Interval(None, value.most))
                    least, most = (term.row.phrase([bound], "or").removeprefix("known to be ") for bound in bounds)
                    return f"{'have' if term.row.has else 'be'} {least} and {most} at once"
        return ""

    @property
    def begun(self) -> Iterator["Filter"]:
        """Yield the filter with one of its names, then with all, as the beginning: `venue:nat` as `venue:nat*`."""
        indexes = [at for at, term in enumerate(self.terms) if term.condition in _BEGUN and not term.negated]
        for prefixed in filter(None, dict.fromkeys((*((at,) for at in indexes), tuple(indexes)))):
            terms = (term.begun if at in prefixed else term for at, term in enumerate(self.terms))
            yield replace(self, terms=tuple(terms))

    def __str__(self) -> str:
        return " ".join(map(str, self.terms))


_BEGUN = frozenset({"author", "venue", "tag"})
"""Conditions whose values may be the beginning of a name, before a `*`."""


@dataclass(frozen=True)
class FilterScope:
    """A place where a person can write a filter, with the conditions that it supports.

    `where` names the place at the end of a sentence, `texts` the fields that plain words search. `bare` are words that
    are conditions by themselves ("unread").
    """

    where: str
    texts: str
    knows: tuple[Knows, ...]
    bare: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    """Names of the supported conditions, if these are fewer than `knows` allows."""

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The supported conditions by the words that introduce them."""
        return {row.word: row for row in ROWS if row.knows in self.knows and (not self.only or row.name in self.only)}

    @cached_property
    def fields(self) -> Mapping[str, Sequence[str]]:
        """The supported fields (before the colon), each with its possible states; empty if it takes a free value."""
        fields: dict[str, list[str]] = {}
        for row in self.conditions.values():
            fields.setdefault(row.field, []).extend([] if row.type else [row.word.partition(":")[2]])
        return fields

    @property
    def field_names(self) -> str:
        """The supported fields, separated by commas."""
        return ", ".join(f"{field}:" for field in self.fields)


def filter_by(**arguments: Any) -> Filter:
    """Build the filter of a tool's arguments, by their names in the table. Ignore None, () and values without a letter
    or digit. Raises `KeyError` for a name that no condition has."""
    conditions = {name: value for name, value in arguments.items() if value is not None and value != ()}
    if unknown := set(conditions) - _NAMES:
        raise KeyError(f"no condition has the argument {', '.join(sorted(unknown))}")
    rows = {column for name in conditions for column in _PLACES[name]}
    return Filter(tuple(term for row in sorted(rows) for term in _terms(ROWS[row], conditions)))


_NAMES = {argument.name for row in ROWS for argument in row.arguments}
_PLACES: dict[str, list[int]] = {}
for _place, _row in enumerate(ROWS):
    for _argument in _row.arguments:
        _PLACES.setdefault(_argument.name, []).append(_place)


def _terms(row: Condition, conditions: Mapping[str, Any]) -> Iterator[FilterTerm]:
    bounds: dict[str, Any] = {}
    for argument in row.arguments:
        if argument.name not in conditions:
            continue
        value = conditions[argument.name]
        if argument.role in ("is", "not"):
            if value == argument.value and isinstance(value, bool) is isinstance(argument.value, bool):
                yield FilterTerm(row.name, (), argument.role == "not")
        elif argument.role in ("least", "most"):
            bounds[argument.role] = value
        elif values := tuple(_values(row, value)):
            if argument.role == "each":
                yield from (FilterTerm(row.name, (item,)) for item in values)
            else:
                yield FilterTerm(row.name, values, argument.role == "none")
    if bounds:
        yield FilterTerm(row.name, (Interval(bounds.get("least"), bounds.get("most")),))


def _values(row: Condition, values: Iterable[str | Mapping[str, Any]]) -> Iterator[Value]:
    for value in values:
        if isinstance(value, Mapping):
            yield filter_by(**value)
            continue
        with suppress(NotUnderstood):
            yield _read(row, value)


def _read(row: Condition, text: str) -> Value:
    if row.type is None:
        raise NotUnderstood(f"{row.word} takes no value")
    return row.type.read(row.field, text)


_TERM = re.compile(
    r'(?P<minus>-?)(?:(?P<field>[A-Za-z]+):|(?P<hash>#))(?P<values>(?:"[^"]*"|[^\s"])*(?:"[^"]*)?)'
    r'|(?P<not>-?)(?:"(?P<quoted>[^"]*)"?|(?P<bare>\S*))'
)
_PART = re.compile(r'"(?P<quoted>[^"]*)"?|(?P<bare>[^\s|"]+)')
_FIELDS = {row.field for row in ROWS}


def parsed(text: str, scope: FilterScope) -> Filter:
    """Parse `text` as a filter in `scope`. Never raises: errors are in `problems`."""
    # Surrogates stand for bytes that were not UTF-8; no text contains them.
    readable = text[:MOST_LETTERS].encode("utf-8", "ignore").decode()
    terms: list[FilterTerm] = []
    problems: list[str] = []
    for match in _TERM.finditer(readable):
        if not match[0].strip():
            continue
        if len(terms) == MOST_TERMS:
            problems.append(f"a filter has at most {MOST_TERMS} terms")
            break
        try:
            terms.append(_term(match, scope))
        except NotUnderstood as problem:
            problems.append(str(problem))
    return Filter(tuple(terms), tuple(problems))


def _term(match: re.Match[str], scope: FilterScope) -> FilterTerm:
    if match["values"] is None:
        return _plain(match["quoted"], match["bare"], bool(match["not"]), scope)
    field, negated = "tag" if match["hash"] else match["field"].lower(), bool(match["minus"])
    parts = [" ".join((part["quoted"] or part["bare"] or "").split()) for part in _PART.finditer(match["values"])]
    if field not in _FIELDS:
        if not parts:
            return _plain(None, f"{match['field']}:", negated, scope)
        text = clean_text(match[0].lstrip("-"), 60)
        raise NotUnderstood(f"{field}: is unknown; known {scope.where}: {scope.field_names}. {_as_text(text)}")
    if field not in scope.fields:
        raise NotUnderstood(f"{field}: cannot be used {scope.where}; use words and {scope.field_names}")
    if row := scope.conditions.get(f"{field}:"):
        return FilterTerm(row.name, tuple(dict.fromkeys(_read(row, part) for part in parts or [""])), negated)
    return FilterTerm(_state(field, "|".join(parts).casefold(), scope).name, (), negated)


def _as_text(text: str) -> str:
    bare = text.replace('"', "")
    return f'To search for the text, write "{bare}"'


def _plain(quoted: str | None, bare: str | None, negated: bool, scope: FilterScope) -> FilterTerm:
    text = " ".join(((bare or "") if quoted is None else quoted).split())
    if not folded(text).strip():
        raise NotUnderstood("- needs a term after it" if quoted is None else "quotes need words between them")
    if quoted is None and text.casefold() in scope.bare:
        return FilterTerm(text.casefold(), (), negated)
    return FilterTerm(TEXT, (Words(text, quoted is not None),), negated)


def _state(field: str, state: str, scope: FilterScope) -> Condition:
    if row := scope.conditions.get(f"{field}:{state}"):
        return row
    hint = f"{field}: takes {', '.join(scope.fields[field])}"
    text = f"{field}:{clean_text(state, 40)}"
    elsewhere = any(row.word == f"{field}:{state}" for row in ROWS)
    wrong = f"{text} cannot be used {scope.where}" if elsewhere else f"{text} is not known"
    raise NotUnderstood(f"{wrong}; {hint}" if state else hint)


T = TypeVar("T")


class ShelvedPaper(NamedTuple):
    """The shelf entry of a saved paper; `saved` is the time when the person saved it."""

    read: bool
    tags: tuple[str, ...]
    saved: str = ""
    rating: int = 0
    noted: bool = False
    filed: bool = False
    """Whether a file of it is known."""


def subject_of(
    paper: Paper, entry: ShelvedPaper | None = None, in_search: frozenset[str] = frozenset(), about: str = ""
) -> CheckedPaper:
    """Return the data of `paper` that filters check. `entry` is its shelf entry; `in_search` are its states in a
    search."""
    names, tags = [author.name for author in paper.authors], entry.tags if entry else ()
    text = text_of(paper.title, names, paper.venue, paper.year, tags, paper.retracted, about)
    states = states_of(
        saved=entry is not None, read=entry is not None and entry.read, rating=entry.rating if entry else None,
        noted=entry is not None and entry.noted,
        filed=entry is not None and entry.filed, free=paper.pdf is not None, retracted=paper.retracted,
        abstract=paper.abstract != "", in_search=in_search,
    )  # fmt: skip
    saved = entry.saved[:10] if entry else ""
    return CheckedPaper(text, paper.date or "", paper.citation_count, paper.venue, names, paper.et_al, paper.type, tags,
                   saved, states)  # fmt: skip


@lru_cache(maxsize=256)
def states_of(
    *, saved: bool, read: bool, rating: int | None, noted: bool, filed: bool, free: bool, retracted: bool,
    abstract: bool, in_search: frozenset[str] = frozenset(),
) -> frozenset[str]:  # fmt: skip
    """Return the conditions without a value that hold for a paper; `rating` is None if it is not saved."""
    holding = {
        "open": free, "retracted": retracted, "abstract": abstract, "saved": saved, "read": saved and read,
        "unread": saved and not read, "liked": rating == 1, "disliked": rating == -1, "unrated": rating == 0,
        "rated": bool(rating), "noted": noted, "pdf": filed,
    }  # fmt: skip
    return in_search.union(state for state, applies in holding.items() if applies)


def chosen(among: Sequence[T], filters: Filter, subject: Callable[[T], CheckedPaper]) -> Sequence[T]:
    """Return the items of `among` that meet every term of `filters`, in their order. Raises `ValueError` if a term
    needs the library."""
    if filters.needs_library:
        raise ValueError("this condition needs the library; use `sql`")
    if not filters.terms:
        return among
    subjects: Sequence[CheckedPaper] = list(map(subject, among))
    for term in filters.terms:
        test = _test(term)
        results = [test(candidate) is not term.negated for candidate in subjects]
        among, subjects = list(compress(among, results)), list(compress(subjects, results))
    return among


def _test(term: FilterTerm) -> Callable[[CheckedPaper], bool]:
    """Return a function that checks whether a subject matches one of the term's values."""
    if words := term.words:
        text = folded(words.text)
        return lambda subject: text in subject.text
    first, *others = [term.row.holds(value) for value in term.values or ("",)]
    if not others:
        return first
    return lambda subject: first(subject) or any(test(subject) for test in others)
