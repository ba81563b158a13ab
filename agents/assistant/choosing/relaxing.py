"""What is shown where hard conditions leave nothing, or too little: fewer conditions, or the papers that have most of
the words of the subject."""

from collections.abc import Mapping, Sequence
from typing import Any

from agents.tools import nearness
from agents.tools.candidates import FILTER
from agents.tools.filter_arguments import FilterArguments
from agents.tools.tool import ToolContext, ToolResult
from cache import fulltext
from cache.conditions.wording import quoted

RELAXED = (
    "without_years", "without_rating", "without_tags", "without_types", "without_venues", "without_authors",
    "open_access", "has_abstract", "noted", "saved_since", "saved_until", "rating", "types", "read", "tags", "saved",
    "max_authors", "min_authors", "max_citations", "min_citations", "venues", "until", "since", "any_authors",
    "authors", "without", "any_words", "title_words", "words",
)  # fmt: skip
"""Conditions in the order in which they are given up where all together leave nothing: those first that say the least
of what is wanted."""
TELLING = frozenset({"words", "title_words", "any_words", "authors", "any_authors", "venues", "tags", "since", "until",
                     "types", "saved", "read", "rating"})  # fmt: skip
"""Conditions of which at least one must remain: papers that meet none of them are no answer."""
LONG = 5
"""Words of a question that no paper can be expected to hold all."""
FEW = 5
"""Fewer papers than these are no answer to who asks what there is on a subject."""
_BEHIND = 10
"""Papers that may stand behind those that are about all of the subject."""
_SHARE = 0.5
"""What of a subject, its words by how rare they are, a paper must have beside those that have all of it; where none
has, what of the best match's share."""
_STRANGE = 0.25
"""The share of a subject's words from which on that no paper has them says more than what has the others."""
_LEAST = 0.3
"""What of a subject the best match must have."""


def telling_words(given: FilterArguments) -> list[str]:
    """The words of the subject, each once."""
    return fulltext.words_of(" ".join(given.phrases)) if given.phrases else []


async def with_nearest(given: FilterArguments, found: ToolResult, context: ToolContext) -> ToolResult:
    """The few papers that are about all of the subject, and behind them those that have most of its words."""
    strict = found.papers or ()
    near = await _nearest(given, context)
    behind = tuple(number for number in near.order if number not in strict and near.share[number] >= _SHARE)
    if not behind[:_BEHIND]:
        return found
    behind = behind[:_BEHIND]
    come = "comes 1 that has" if len(behind) == 1 else f"come {len(behind)} that have"
    it = "it" if len(strict) == 1 else "them"
    told = f"Behind {it} {come} some of these words: {quoted(near.known)}; the best match comes first."
    return ToolResult((*strict, *behind), values=found.values, notes=(*found.notes, told))


async def best_matching(
    given: FilterArguments, context: ToolContext, *, alone: bool
) -> tuple[ToolResult, tuple[str, ...]] | None:
    """The papers that meet the other conditions and have most of the words of the subject, the best first. None if
    there are none, or if many words are in none and this is not `alone`: other conditions could be given up."""
    near = await _nearest(given, context)
    strange = len(near.unknown) > _STRANGE * (len(near.known) + len(near.unknown))
    if not near.order or (strange and not alone):
        return None  # that words are unknown says more
    best = max(near.share.values())
    found = tuple(number for number in near.order if near.share[number] >= best * _SHARE)
    if best < _LEAST:
        return None
    told = f"Each has some of these words: {quoted(near.known)}; the best match comes first."
    lacking = (f"No paper has {quoted(near.unknown, 'or')}.",) if near.unknown else ()
    return ToolResult(found, values={"found": len(found), "of": None}, notes=(*lacking, told)), ("all_words",)


async def _nearest(given: FilterArguments, context: ToolContext) -> nearness.ByWords:
    """The papers that meet the other conditions, by the words of the subject that they have."""
    others = {key: value for key, value in given.model_dump(exclude_defaults=True).items() if key != "words"}
    among = (await FILTER.run(others, context)).papers if others else context.candidates
    return nearness.by_words(context.store, " ".join(given.phrases), among)


async def relaxed(
    given: FilterArguments, context: ToolContext, nothing: ToolResult, soft: bool
) -> tuple[ToolResult, tuple[str, ...]]:
    """The papers that are left when conditions are given up, one at a time, the least important first; of phrases one
    at a time too, down to one. `nothing` where that does not help, or where there is but one condition; that is given
    up as well where what is left is chosen by its likeness (`soft`)."""
    told = given.model_dump(exclude_defaults=True)
    given_up: list[str] = []
    for name in (name for name in RELAXED if name in told):
        phrases = told[name] if name in ("words", "title_words", "authors") else ()
        if len(phrases) > 1 and (left := await _fewer(told, name, phrases, context)):
            found, dropped = left
            return found, (*given_up, *(f"{name}: {phrase}" for phrase in dropped))
        without = {key: value for key, value in told.items() if key != name}
        if not soft and not (without.keys() & TELLING):
            break
        given_up.append(name)
        if (found := await FILTER.run(without, context)).papers:
            return found, tuple(given_up)
        told = without
    return nothing, ()


async def _fewer(
    told: Mapping[str, Any], name: str, phrases: Sequence[str], context: ToolContext
) -> tuple[ToolResult, list[str]] | None:
    """The papers that are left with fewer of the phrases, and those that were given up: one, if without it any are
    left; if that helps for none, the one that the fewest papers have, and so on. None if nothing has any of them."""
    having = {
        phrase: set((await FILTER.run({**told, name: (phrase,)}, context)).papers or ()) for phrase in phrases
    }  # fmt: skip
    kept, dropped = list(phrases), list[str]()
    while len(kept) > 1:
        helping = (one for one in kept if set.intersection(*(having[other] for other in kept if other != one)))
        worst = next(helping, None) or min(kept, key=lambda phrase: len(having[phrase]))
        kept.remove(worst)
        dropped.append(worst)
        if set.intersection(*(having[phrase] for phrase in kept)):
            return await FILTER.run({**told, name: tuple(kept)}, context), dropped
    return None
