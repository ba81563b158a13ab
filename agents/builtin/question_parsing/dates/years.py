"""Whether a year beside a word of time is when papers appeared, or part of a name, a count or the subject."""

import re
from datetime import date

from agents.builtin.question_parsing.lexicon import DOCUMENTS, EVENTS, MEASURED, PEOPLE, WRITTEN
from agents.builtin.question_parsing.spans import word_after, words_before
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

OLDEST = 1950
"""Nobody means papers of before this year unless they say so: "Europe before 1914" is a subject."""

_UNITS = frozenset("bp ce bc bce ad km cm mm nm kg mg ml hz khz mhz ghz ev kev mev gev k px usd eur".split())
_FOLLOWING = STOP_WORDS | QUESTION_WORDS | DOCUMENTS | {"onward", "onwards", "later", "newer", "open", "cited"}


def is_bound(match: re.Match[str], day: date, today: date, *, within: bool = False) -> bool:
    """Whether a year stands there as a time of publication: not as a count, in a name, or as the subject.

    What happens is dated by "in" and "during" (`within`), so that an event's year is never taken for the papers'.
    """
    before = set(words_before(match.string, match.start()))
    asked = before & (DOCUMENTS | WRITTEN) or match[0].lower().startswith("published")
    if day.year > today.year or (day.year < OLDEST and not asked):
        return False
    if before & MEASURED or (within and before & EVENTS):
        return False
    after = noun_after(match)
    if not after:
        return True
    named = after[0][0].isupper() and not match.string.istitle()
    counted = after[0].endswith("s") and not after[0].endswith("ss") and day.year % 100 == 0
    return not (named or counted or after[0].lower() in PEOPLE | _UNITS or after[-1].lower() in EVENTS)


def noun_after(match: re.Match[str]) -> list[str]:
    """The words right after the phrase that it may belong to, up to three."""
    found: list[str] = []
    position = match.end()
    while len(found) < 3 and (word := word_after(match.string, position)) and word.lower() not in _FOLLOWING:
        found.append(word)
        position += len(word) + 1
    return found
