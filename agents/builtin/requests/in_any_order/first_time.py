"""The first and the last time that the person did something: "when was it, the first time that I saved something of
Salton's"."""

import re

from agents.builtin.requests.facts.sql import clauses_of, where
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.in_any_order.of_papers import papers_told
from agents.builtin.requests.scene import Reading, Scene, plan, step


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FIRST = _words(r"\b(?:the |for the |my |very )*(?:first|earliest|very first|oldest)(?: time| ever)?\b")
_LAST = _words(r"\b(?:the |for the |my |very )*(?:last|latest|most recent|most recently|newest)(?: time)?\b")
_SAVED = (
    r"saved?|add(?:ed)?|bookmark(?:ed)?|shelved?|(?:put|placed) (?:it |something |anything |a paper )?(?:on"
    r"|onto) my shelf"
)
_READ = r"read|finish(?:ed)?(?: reading)?"
_I = r"\b(?:that )?(?:did |have |had )?i (?:have |had |did )?(?:ever )?(?:first |last )?"
_BY_ME = r"\b(?:i )?saved (?:first|last|most recently)\b|\b(?:was |were )?saved by me\b"
_ACTS = (
    ("saved", "shelf", _words(rf"{_I}(?:{_SAVED})\b|{_BY_ME}")),
    ("read", "shelf", _words(rf"{_I}(?:{_READ})\b")),
    ("opened", "reading", _words(rf"{_I}open(?:ed)?\b")),
    ("viewed", "reading", _words(rf"{_I}(?:view(?:ed)?|look(?:ed)? at)\b")),
    ("exported", "reading", _words(rf"{_I}export(?:ed)?\b")),
)
_ASKS = _words(r"\b(?:when|date|day|time|which|what|whats|year|show|tell|the)\b")
_TIME = _words(r"\b(?:when|date|day|time)\b")
_TO_COME = _words(r"\b(?:should|would|could|shall|might|will|to read)\b")
_SEVERAL = _words(
    r"\b(?:first|last|latest|recent|recently|\d+|two|three|four|five|ten|few)(?: \w+)? (?:papers|ones|articles"
    r"|things|works)\b|\bpapers\b"
)
_BESIDE = _words(
    r"\b(?:when|which|what)(?: (?:day|date|year|month))?(?: (?:was|is) (?:it|that))?\b|\b(?:the )?(?:date|day"
    r"|time)s?(?: (?:on|at|of) which)?\b"
    r"|\b(?:year|from|to|on|onto|my shelf|something|anything|a paper|papers?|article|one|thing|ever|that|was|is|it"
    r"|and|of|what)\b(?= *(?:$|[,?.]|i\b|that\b|did\b|is\b|was\b|it\b|and\b|from\b))"
)
_LONGEST = 30
"""Words of a question, at most."""


def first_time(text: str, scene: Scene) -> Reading | None:
    """The paper with which somebody did something first or last, its day and its year; None where more is said."""
    first, last = _FIRST.search(text), _LAST.search(text)
    if (
        _TO_COME.search(text) is not None
        or bool(first) == bool(last)
        or len(text.split()) > _LONGEST
        or _SEVERAL.search(text)
        or not _ASKS.search(text)
    ):
        return None
    for act, table, pattern in _ACTS:
        if pattern.search(text) is None:
            continue
        rest = pattern.sub(" , ", (_FIRST if first else _LAST).sub(" ", text))
        choice = papers_told(f"papers {_BESIDE.sub(' ', rest)}", scene)
        if choice is None or choice.order or choice.limit or {"since", "until"} & set(choice.conditions):
            return None
        for name in ("saved", "read"):
            choice.conditions.pop(name, None)
        choice.onward = False
        clauses = clauses_of(choice)
        if not clauses and not first and _TIME.search(text) is None:
            return None  # which the shelf tells
        at = f"shelf.{act}" if table == "shelf" else "reading.at"
        told = [f"{at} IS NOT NULL", *([] if table == "shelf" else [f"act = {literal(act)}"])]
        told += [f"p.id IN (SELECT id FROM papers{where(*clauses)})"] if clauses else []
        sql = (f"SELECT p.id AS paper, p.title, substr({at}, 1, 10) AS {act}, p.year FROM {table} JOIN papers p"
               f" ON p.id = {table}.paper{where(*told)} ORDER BY {at}{'' if first else ' DESC'} LIMIT 1")  # fmt: skip
        return plan(step("query", sql=sql), onward=False)
    return None
