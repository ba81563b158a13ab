"""Negations that a plan does not heed: papers that a person has *not* opened are not those that they have."""

import re
from collections.abc import Sequence

from agents.builtin.requests.scene import Call
from agents.builtin.requests.sentences.verbatim import QUOTED

_IN_PASSING = re.compile(
    r"\bno (?:wait|problem|worries|rush|hurry|matter|idea|doubt)\b|\b(?:whether )?or not\b|\bnot only\b|\bwhy not\b"
    r"|\b(?:not (?:so |quite |really |entirely )?sure|not (?:that|this|the) (?:one|paper))\b"
    r"|\bif (?:i am |i'm )?not(?: mistaken| wrong)?\b|\bif (?:it|that|this) (?:is|does) not\b"
    r"|\b(?:do|can|could|did|would|should|will)(?:n't| not|not)(?: really| quite| seem to| have to| need to)?"
    r" (?:mind|know|remember|recall|care|worry|think|want to (?:bother|trouble)|bother|find|tell|see)\b"
    r"|^(?:no|nope|nah)\b[ ,.;:!–-]",
    re.IGNORECASE,
)
"""Negations that ask for nothing."""
_NEGATION = re.compile(
    r"\b(?:\w+n't|cannot|not|never|without|neither|nor|nobody|nothing|none|no|except|excluding|exclude|minus|drop|skip"
    r"|omit|leav(?:e|ing) out|other than|apart from)\b",
    re.IGNORECASE,
)
_CHOOSING = frozenset({"filter", "resemble", "rank", "list", "shelf", "query"})
"""What only chooses and tells: the negation of a change or a search is its own reader's matter, and papers that are
taken one by one may be those that are left ("not the first")."""
_BOUNDS = frozenset(
    """
    since until min_citations max_citations min_authors max_authors unlike unlike_words unwanted except_papers unread
    """.split()
)
"""Conditions that are said with a negation as well: "no older than 2015"."""
_NEGATIVE_SQL = re.compile(r"\bNOT\b|\bIS NULL\b|= ?0\b|[<>]|\bEXCEPT\b|!=")


def unheeded_negations(text: str, calls: Sequence[Call]) -> tuple[str, ...]:
    """The negations of `text` where no step of a plan that only chooses papers holds anything negative."""
    if not calls or not {call.tool for call in calls} <= _CHOOSING or any(map(_is_negative, calls)):
        return ()
    bare = _IN_PASSING.sub(" ", QUOTED.sub(" ", text))
    return tuple(dict.fromkeys(found[0] for found in _NEGATION.finditer(bare)))


def _is_negative(call: Call) -> bool:
    return any(_is_so(name, value) for name, value in call.arguments.items())


def _is_so(name: str, value: object) -> bool:
    if name.startswith("without") or name in _BOUNDS or value is False:
        return True
    if name == "rating":
        return value != 1
    return isinstance(value, str) and _NEGATIVE_SQL.search(value) is not None
