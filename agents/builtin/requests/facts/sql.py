"""Conditions on papers as SQL over the views: every value is a literal that is made here, of words and numbers."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.choosing.reading import read_choice
from agents.builtin.requests.choosing.subject import told_subject
from agents.builtin.requests.in_any_order.words import only_asks
from agents.builtin.requests.phrases import HEARD
from agents.builtin.requests.scene import Scene
from agents.builtin.venue_names import ABBREVIATED, keys_of
from cache.conditions import in_either_number

NEAR = 8
"""As `cache.conditions` means a phrase: its words near each other, in any order."""
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


def _words(phrase: str) -> list[str]:
    return re.findall(r"[^\W_]+", phrase)[:12]


def _match(column: str, *expressions: str) -> str:
    told = " OR ".join(filter(None, expressions)) or '""'
    return f"id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {text(f'{{{column}}} : ({told})')})"


def _near(phrase: str) -> str:
    """The words of `phrase`, near each other; "" where it has none."""
    forms = [[f'"{word}"' for word in words] for words in in_either_number(_words(phrase)) if words]
    return " OR ".join(words[0] if len(words) == 1 else f"NEAR({' '.join(words)}, {NEAR})" for words in forms)


def _like(expression: str, pattern: str) -> str:
    return f"{expression} LIKE {text(re.sub(r'[%_]', ' ', pattern).replace('*', '%')[:100])}"


def _by(name: str) -> str:
    """Written by somebody whose name ends with that: names are looked at whole, and not by the stems of words."""
    return _like("('; ' || authors || ';')", f"* {name};*")


def _all(column: str, form: Callable[[str], str]) -> Callable[[Sequence[str]], str]:
    return lambda phrases: " AND ".join(_match(column, form(phrase)) for phrase in phrases)


def _one_of(column: str, values: Sequence[str]) -> str:
    return f"{column} IN ({', '.join(text(value) for value in values)})"


def _venues(names: Sequence[str]) -> str:
    return f"({' OR '.join(told for name in names for told in _at(name))})"


def _at(name: str) -> list[str]:
    """As `cache.conditions` means a venue: a single word that is no abbreviation is all of its name."""
    if " " not in name and name.islower() | name.istitle() and name.lower() not in ABBREVIATED:
        return [_like("venue", name), _like("venue", f"the {name}"), _like("venue", f"{name} (*")]
    elsewhere = "" if "workshop" in name.lower() else " AND venue NOT LIKE 'workshop % at %'"
    return [f"{_like(_SPACED, f'* {one} *')}{elsewhere}" for one in (name, *keys_of(name))]


_SPACED = "(' ' || venue || ' ')"


def _tagged(tags: Sequence[str]) -> str:
    return f"id IN (SELECT paper FROM tags WHERE {_one_of('tag', tags)})"


def _on_shelf(clause: str) -> str:
    return f"id IN (SELECT paper FROM shelf WHERE {clause})"


def _flag(column: str) -> Callable[[bool], str]:
    return lambda asked: column if asked else f"NOT {column}"


_CLAUSES: Mapping[str, Callable[[Any], str]] = {
    "words": _all("title abstract", _near),
    "any_words": lambda phrases: _match("title abstract", *map(_near, phrases)),
    "without": lambda phrases: f"NOT {_match('title abstract', *map(_near, phrases))}",
    "title_words": _all("title", _near),
    "authors": lambda names: " AND ".join(map(_by, names)),
    "any_authors": lambda names: f"({' OR '.join(map(_by, names))})",
    "without_authors": lambda names: " AND ".join(f"NOT {_by(name)}" for name in names),
    "venues": _venues,
    "without_venues": lambda names: f"NOT {_venues(names)}",
    "since": lambda day: f"date >= substr({text(day)}, 1, length(date))",
    "until": lambda day: f"substr(date, 1, {len(day)}) <= {text(day)}",
    "without_years": lambda years: f"NOT {_one_of('substr(date, 1, 4)', years)}",
    "min_citations": lambda count: f"citations >= {int(count)}",
    "max_citations": lambda count: f"citations <= {int(count)}",
    "min_authors": lambda count: f"authors != '' AND {_AUTHORS} >= {int(count)}",
    "max_authors": lambda count: f"authors != '' AND {_AUTHORS} <= {int(count)}",
    "types": lambda kinds: _one_of("type", kinds),
    "without_types": lambda kinds: f"NOT {_one_of('type', kinds)}",
    "open_access": _flag("open_access"),
    "retracted": _flag("retracted"),
    "saved": _flag("saved"),
    "has_abstract": lambda asked: "abstract != ''" if asked else "abstract = ''",
    "read": lambda asked: _on_shelf("read IS NOT NULL" if asked else "read IS NULL"),
    "noted": lambda asked: f"{'' if asked else 'NOT '}{_on_shelf(_NOTED)}",
    "saved_since": lambda day: _on_shelf(f"substr(saved, 1, 10) >= {text(day)}"),
    "saved_until": lambda day: _on_shelf(f"substr(saved, 1, {len(day)}) <= {text(day)}"),
    "rating": lambda rating: _on_shelf(f"rating = {int(rating)}"),
    "without_rating": lambda rating: f"NOT {_on_shelf(f'rating = {int(rating)}')}",
    "tags": _tagged,
    "without_tags": lambda tags: f"NOT {_tagged(tags)}",
}
_NOTED = "note != ''"
_AUTHORS = "((length(authors) - length(replace(authors, '; ', ''))) / 2 + 1)"
"""How many they are: their names are joined."""


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
    clauses = [_CLAUSES[name](value) for name, value in choice.conditions.items()]
    clauses += [_tagged((tag,)) for tag in choice.every_tag]
    if choice.onward and 0 < len(choice.scene.numbers) <= MOST_NUMBERS:
        clauses.append(f"id IN ({', '.join(map(str, choice.scene.numbers))})")
    return clauses


def can_tell(conditions: Mapping[str, Any]) -> bool:
    """Whether each of the conditions of a filter can be told as SQL."""
    return set(conditions) <= set(_CLAUSES)


def where(*clauses: str) -> str:
    """` WHERE …`, or nothing."""
    return f" WHERE {' AND '.join(clauses)}" if clauses else ""
