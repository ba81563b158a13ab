"""Conditions on papers as SQL over the views, by its function `meets`: every value is a literal that is made here."""

import re
from collections.abc import Iterable

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.choosing.subject import told_subject
from agents.builtin.requests.in_any_order.words import only_asks
from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.scene import Scene
from cache.conditions.filters import Filter, asked
from cache.conditions.table import ROWS

MOST_NUMBERS = 900
"""Papers under consideration that a query names at most."""


AUTHORS = (
    "(WITH RECURSIVE split(name, rest) AS (SELECT '', authors || '; ' FROM papers{where} UNION ALL"
    " SELECT substr(rest, 1, instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2) FROM split WHERE rest != '')"
    " SELECT name AS author FROM split WHERE name != '')"
)
"""Each author of each paper, a row each; `{where}` chooses the papers."""


def text(value: str) -> str:
    """A literal."""
    return "'" + value.replace("'", "''").replace("\0", "") + "'"


THESE = re.compile(r"\b(?:these|those|them|their|they|theirs)\b", re.IGNORECASE)


_HERE = re.compile(
    r"\b(?:here|there|(?:in|on|of|from|among|within) (?:this|that|the) (?:list|lot|bunch|set|group|selection|pile"
    r"|batch))[ ,.?!]*$",
    re.IGNORECASE,
)


def conditions_in(said: str, scene: Scene) -> Choice:
    """What `said` says of the papers that a fact is about; words only where they are told as a subject, or where papers
    speak of them and no rule listens for any."""
    choice = read_choice(" ".join(said.split()), scene)
    if scene.candidates is not None and (THESE.search(said) or _HERE.search(said)):
        choice.onward = True
    for name in ("words", "without"):
        if phrases := [phrase for phrase in choice.conditions.pop(name, ()) if not only_asks(phrase)]:
            choice.add(name, *phrases)
    if not told_subject(said):
        phrases = choice.conditions.pop("words", ())
        if subject := [phrase for phrase in phrases if _is_subject(phrase, scene)]:
            choice.add("words", *subject)
    return choice


def _is_subject(phrase: str, scene: Scene) -> bool:
    return not any(word in HEARD for word in phrase.lower().split()) and scene.is_subject(phrase)


def clauses_of(choice: Choice) -> list[str]:
    """What papers must be, and among which, by the columns of the view `papers`."""
    wanted = asked(**choice.conditions)
    for tag in choice.every_tag:
        wanted &= asked(tags=(tag,))
    clauses = ["0"] if wanted.impossible else [meets(wanted)] if wanted.terms else []
    if choice.onward and 0 < len(choice.scene.numbers) <= MOST_NUMBERS:
        clauses.append(f"id IN ({', '.join(map(str, choice.scene.numbers))})")
    return clauses


def meets(wanted: Filter) -> str:
    """That a paper of the view `papers` meets a filter."""
    return f"meets(id, {text(str(wanted))})"


_ARGUMENTS = {argument.name for row in ROWS for argument in row.arguments}


def can_tell(conditions: Iterable[str]) -> bool:
    """Whether each of the conditions of a filter can be told as SQL."""
    return set(conditions) <= _ARGUMENTS


def where(*clauses: str) -> str:
    """` WHERE …`, or nothing."""
    return f" WHERE {' AND '.join(clauses)}" if clauses else ""
