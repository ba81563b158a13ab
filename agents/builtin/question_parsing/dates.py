"""The years that a question asks for: "since 2020", "from 2015 to 2018", "in the last three years", "pre-2018".

A year is a bound only beside a word of time, and not if it belongs to a name or a count ("the 2008 financial crisis",
"ImageNet 2012", "in 2000 patients", "by 2030").
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from agents.builtin.question_parsing.lexicon import (
    DOCUMENTS,
    EVENTS,
    MEASURED,
    PEOPLE,
    WRITTEN,
    Span,
    word_after,
    words_before,
)
from agents.reading.dates import JOINTS, Dated, dated_at, first_day, last_day
from agents.reading.tokens import tokens_of
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

LONGEST = 30
"""Maximum number of years back for a bound: "the last hundred years" are a subject."""
OLDEST = 1950
"""Earliest year of a bound, unless papers are named beside it: "Europe before 1914" is a subject."""
MOST_WORDS = 800
_UNITS = frozenset("bp ce bc bce ad km cm mm nm kg mg ml hz khz mhz ghz ev kev mev gev k px usd eur".split())
_FOLLOWING = STOP_WORDS | QUESTION_WORDS | DOCUMENTS | {"onward", "onwards", "later", "newer", "open", "cited"}
_OF_SOMETHING = re.compile(r" of (?:life|pregnancy|gestation|school|schooling|training|treatment|the war)\b")
_JOINED = re.compile(r"\b(post|pre)-(?=(?:19|20)[0-9]{2}(?![\w-]))", re.IGNORECASE)


class DateBounds(NamedTuple):
    """The first and the last day on which papers appeared; None means no bound."""

    since: date | None = None
    until: date | None = None


class Dates(NamedTuple):
    """The dates in a question, and their spans."""

    bounds: DateBounds
    recent: bool
    spans: tuple[Span, ...]


def read_dates(text: str, today: date) -> Dates:
    """Return the common bounds of all dates in `text` (see `plain`); no bounds if the dates contradict each other.

    `recent` is set by a vague period ("recent years"), not by a bound.
    """
    tokens = tokens_of(_JOINED.sub(r"\1 ", text), MOST_WORDS)
    keys = [token.key for token in tokens]
    dates: list[tuple[Span, DateBounds]] = []
    end = 0
    while end < len(tokens):
        time = dated_at(keys, end, today)
        span = Span(tokens[end].start, tokens[time.end - 1].end) if time else Span(0, 0)
        if time is not None and (bounds := _bounds(text, span, time, keys[end : time.end], today)):
            dates.append((span, bounds))
            end = time.end
        else:
            end += 1
    since = max((bounds.since for _, bounds in dates if bounds.since), default=None)
    until = min((bounds.until for _, bounds in dates if bounds.until), default=None)
    possible = not (since and until and since > until)
    vague = any(bounds == DateBounds() for _, bounds in dates)
    return Dates(DateBounds(since, until) if possible else DateBounds(), vague, tuple(span for span, _ in dates))


def _bounds(text: str, span: Span, time: Dated, keys: Sequence[str], today: date) -> DateBounds | None:
    """Return the bounds that a time sets for papers; None if it is part of a name, a count or the subject."""
    since = first_day(time.period.since) if time.period.since else None
    until = last_day(time.period.until) if time.period.until else None
    beside, behind = set(words_before(text, span.start)), text[span.end : span.end + 40].lower()
    if time.cue in ("last", "newer than"):
        before = set(words_before(text, span.start, 4))
        if time.cue == "newer than" and (before & PEOPLE or not (before & DOCUMENTS or {"no", "not"} & {*keys})):
            return None
        too_long = since is not None and today.year - since.year > LONGEST
        if too_long or beside & (MEASURED | PEOPLE) or behind[:1] == "'" or _OF_SOMETHING.match(behind):
            return None
        return DateBounds() if time.vague else DateBounds(since, until if until and until < today else None)
    if not _is_time(text, span, time, keys, today):
        return None
    if time.cue == "from" and not beside & DOCUMENTS and not any(key in JOINTS or "-" in key for key in keys):
        until = None
    return DateBounds(since, until if until is None or until < today else None)


def _is_time(text: str, span: Span, time: Dated, keys: Sequence[str], today: date) -> bool:
    """Whether a year is a time of publication, not a count, part of a name, or the subject.

    The years of events come after "in" and "during"; they are never taken for those of papers.
    """
    years = [int(year) for year in re.findall(r"(?:1[5-9]|2[01])[0-9]{2}", text[span.start : span.end])]
    if not years and not re.search(r"[5-9]0s", text[span.start : span.end]):
        return False
    beside, behind = set(words_before(text, span.start)), _noun_after(text, span.end)
    is_publication = bool(beside & (DOCUMENTS | WRITTEN)) or keys[0] in WRITTEN
    follows = word_after(text, span.end).lower()
    allowed = {"": follows in DOCUMENTS, "of": bool(beside & DOCUMENTS), "by": is_publication, "past": False}
    if time.cue == "-":
        allowed["-"] = not behind and not beside & {"than", "to", "through", "by"}
    if not allowed.get(time.cue, True) or max(years, default=0) > today.year:
        return False
    if beside & MEASURED or (min(years, default=OLDEST) < OLDEST and not is_publication):
        return False
    within = time.period.since is not None and time.period.until is not None
    if within and beside & EVENTS:
        return False
    if not behind:
        return True
    named = behind[0][0].isupper() and not text.istitle()
    counted = behind[0].endswith("s") and not behind[0].endswith("ss") and years[-1:] and years[-1] % 100 == 0
    return not (named or counted or behind[0].lower() in PEOPLE | _UNITS or behind[-1].lower() in EVENTS)


def _noun_after(text: str, position: int) -> list[str]:
    """Return the words right after a time that it may belong to, up to three."""
    nouns: list[str] = []
    while len(nouns) < 3 and (word := word_after(text, position)) and word.lower() not in _FOLLOWING:
        nouns.append(word)
        position += len(word) + 1
    return nouns
