"""Numbers of papers of several kinds side by side: "are there more from ICML or from ICLR", "two numbers: the preprints
and the books"."""

import re

from agents.builtin.requests.choosing.choice import Choice
from agents.builtin.requests.facts.sql import clauses_of, where
from agents.builtin.requests.facts.sql import text as literal
from agents.builtin.requests.in_any_order.of_papers import papers_told
from agents.builtin.requests.scene import Reading, Scene, plan, step

_BOTH = re.compile(
    r"\b(?:both|two|each|the three|three)(?: of the)? (?:numbers|counts|figures|totals)\b|\bhow many (?:of )?each\b"
    r"|\bmore\b(?! (?:than|often|recent|cited|about|like|similar|information|details))|\bfewer\b(?! than)"
    r"|\brespectively\b|\b(?:vs\.?|versus)(?= )"
    r"|\bone for\b.*\bone for\b|\bhow many\b.*\bhow many\b|\bnumber of\b.*\bnumber of\b"
    r"|\bby [^,;?]+, and by\b|\b(?:which|who) (?:of (?:the|these) two)\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:how many|number of|numbers?|counts?|figures|one for|(?:of|from|by|at"
    r"|in) which(?: of the two)?(?: (?:venues?|journals?|conferences?|authors?|years?))?"
    r"|which(?: of the two)?(?: (?:venues?|journals?|conferences?|authors?|years?))?|contributed|more|fewer|both"
    r"|two|vs\.?|versus|respectively)\b",
    re.IGNORECASE,
)
_KINDS = ("venues", "types", "any_authors", "authors")
_ASKS = re.compile(
    r"(?:and |so |now )*(?:is|are|do|does|did|have|has|which|who|how|what|by|of|from|tell|give|two|both|the|number"
    r"|count|compare"
    r"|numbers|counts|in|at|more)\b",
    re.IGNORECASE,
)


def compared(text: str, scene: Scene) -> Reading | None:
    """How many papers there are of each of several venues, types or authors; None where anything else is said."""
    if _ASKS.match(text) is None or _BOTH.search(text) is None:
        return None
    choice = papers_told(_ASKING.sub(" papers ", text), scene)
    if choice is None or choice.order or choice.limit or choice.every_tag:
        return None
    several = [name for name in _KINDS if len(choice.conditions.get(name, ())) > 1]
    if len(several) != 1:
        return None
    counts = [_count_of(_only(choice, several[0], value), value) for value in choice.conditions[several[0]]]
    return plan(step("query", sql=" UNION ALL ".join(counts)), onward=choice.onward)


def _count_of(choice: Choice, called: str) -> str:
    return f"SELECT {literal(called)} AS kind, count(*) AS papers FROM papers{where(*clauses_of(choice))}"


def _only(choice: Choice, name: str, value: str) -> Choice:
    rest = {other: told for other, told in choice.conditions.items() if other != name}
    return Choice("", choice.scene, conditions={**rest, name: (value,)}, onward=choice.onward)
