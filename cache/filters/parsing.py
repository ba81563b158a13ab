"""A filter, read from what a person typed.

What is not understood becomes a sentence and asks for nothing: neither everything nor nothing is taken for an answer.
"""

import re
from collections.abc import Sequence
from typing import cast, get_args

from cache.filters.places import Place
from cache.filters.subjects import folded
from cache.filters.terms import (
    FIELDS,
    STATES,
    TEXTS,
    Field,
    Filter,
    In,
    Is,
    Named,
    NameField,
    NumberField,
    Span,
    State,
    Term,
    Test,
    Words,
)
from connectors.records.clean import clean_text

MOST_TERMS = 40

_TERM = re.compile(r'(?P<minus>-?)(?:(?P<field>[A-Za-z]+):|(?P<hash>#))?(?:"(?P<quoted>[^"]*)"?|(?P<bare>\S*))')
_SPAN = re.compile(r"([0-9]{1,9})|([0-9]{1,9})?\.\.([0-9]{1,9})?")


class _NotUnderstood(Exception):
    """With the sentence that says why."""


def parsed(text: str, place: Place) -> Filter:
    """The filter that `text` is at `place`. Never raises: what is wrong is in `problems`."""
    # What stands for bytes that were no text cannot be looked for.
    readable = text.encode("utf-8", "ignore").decode()
    terms: list[Term] = []
    problems: list[str] = []
    for found in _TERM.finditer(readable):
        if not found[0].strip():
            continue
        if len(terms) == MOST_TERMS:
            problems.append(f"a filter has at most {MOST_TERMS} terms")
            break
        try:
            terms.append(Term(_test(found, place), bool(found["minus"])))
        except _NotUnderstood as problem:
            problems.append(str(problem))
    return Filter(tuple(terms), tuple(problems))


def _test(found: re.Match[str], place: Place) -> Test:
    value = " ".join((found["quoted"] if found["quoted"] is not None else found["bare"]).split())
    name = "tag" if found["hash"] else (found["field"] or "").lower()
    if name in FIELDS:
        return _of_field(cast(Field, name), value, place)
    if name and (value or found["quoted"] is not None):
        text = clean_text(found[0].lstrip("-"), 60)
        raise _NotUnderstood(
            f"{name}: is not known; known {place.where}: {place.known}. To look for the text, write {_in_quotes(text)}"
        )
    return _words(found, value, place)


def _in_quotes(text: str) -> str:
    bare = text.replace('"', "")
    return f'"{bare}"'


def _words(found: re.Match[str], value: str, place: Place) -> Test:
    exact = found["quoted"] is not None
    text = value if exact else f"{found['field']}:" if found["field"] else value
    if not folded(text).strip():
        raise _NotUnderstood("quotes need words between them" if exact else "- needs a term behind it")
    if not exact and text.casefold() in place.bare:
        return Is(cast(State, text.casefold()))
    return Words(text, exact)


def _of_field(field: Field, value: str, place: Place) -> Test:
    if field not in place.fields:
        raise _NotUnderstood(f"{field}: has no meaning {place.where}; known here are words and {place.known}")
    if field == "is":
        return _state(value.casefold(), place)
    if field == "in":
        return _text(value.casefold())
    if field in get_args(NumberField):
        return _span(cast(NumberField, field), value)
    if not folded(value).strip():
        raise _NotUnderstood(f"{field}: needs a name behind it")
    return Named(cast(NameField, field), value)


def _state(value: str, place: Place) -> Is:
    if value in place.states:
        return Is(value)
    said = f"is:{clean_text(value, 40)}"
    wrong = f"{said} has no meaning {place.where}" if value in STATES else f"{said} is not known"
    raise _NotUnderstood(
        f"{wrong}; is: takes {_listed(place.states)}" if value else f"is: takes {_listed(place.states)}"
    )


def _text(value: str) -> In:
    for text in TEXTS:
        if value == text:
            return In(text)
    takes = f"in: takes {_listed(TEXTS)}"
    raise _NotUnderstood(f"in:{clean_text(value, 40)} is not known; {takes}" if value else takes)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


_EXAMPLES = {
    "year": "write year:2020, year:2020.., year:..2010 or year:2015..2020",
    "cited": "write cited:10.., cited:..10, cited:10..99 or cited:0",
}


def _span(field: NumberField, value: str) -> Span:
    found = _SPAN.fullmatch(value)
    if not found or value == "..":
        raise _NotUnderstood(f"{field}:{clean_text(value, 40)} is not understood; {_EXAMPLES[field]}")
    least, most = (int(one) if one else None for one in ((found[1], found[1]) if found[1] else (found[2], found[3])))
    if least is not None and most is not None and least > most:
        raise _NotUnderstood(f"{field}:{least}..{most} ends before it begins; write {field}:{most}..{least}")
    return Span(field, least, most)
