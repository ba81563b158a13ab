"""Whether a question needs other words than its own, and which: at most four short queries (SPAR §3.1).

Most sources match every word they are given, so a refined query has two to six words. A query out of a long request has
more, for those that rank by as many words as there are, and beside it a few for the others.
"""

import re
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from agents.builtin.question_parsing.fields.aspect_terms import SURVEY_ASPECTS, aspect_terms
from agents.builtin.question_parsing.intents import Intent
from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.question_parsing.phrases import content_words, heads, in_order, is_term, phrases, together
from agents.builtin.question_parsing.request_aspects import aspects, leading
from agents.builtin.ranking.nearness import nearness
from agents.builtin.text.terms import terms

MOST_QUERIES = 4
ENOUGH_WORDS = 6
"""A question of so many words is short enough to be matched as it is."""
FEW_WORDS = 3
"""So many are in each query that stands for a longer question: of more, hardly a paper holds them all."""
MANY_WORDS = 8
"""So many are in a query out of a long request at most."""
BESIDE = 1 / 3
"""A clause of a long text with no more than this share of another's nearness to its subject is beside the point."""
LONG = 14
"""A question with more telling words than this asks for several things."""

SHORT_NAME = 6
"""Letters of an abbreviation that is likely to be shared."""

_NO_FIELD = "It is long and has no technical terms."
_MANY_WORDS = "It has more words than any one paper is likely to hold."
_DATA = re.compile(r"\b(?:data\s?sets?|benchmarks?|corpora|corpus|data)\b", re.IGNORECASE)
_CONTEXT = re.compile(
    r"\b(?:for|in|on|when|at|under|during|within|with respect to|in terms of|regarding|as|by)\b", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"(?:(?<!\s)\s+)?(?:,\s*(?:and|or)\b|,|\bvs\b\.?|\bversus\b|\band\b|\bor\b|\bthan\b|\bwith\b|\bto\b|\bagainst\b"
    r"|\bcompared\s+(?:to|with)\b)\s*",
    re.IGNORECASE,
)


class Refinement(NamedTuple):
    """Whether a question should be asked in other words too, why or why not, and those words.

    For a long text, `fewer` has for each query the few words that stand for it where each must be found, and `core`
    those for the whole.
    """

    needed: bool
    why: str
    queries: tuple[str, ...] = ()
    fewer: tuple[tuple[str, str], ...] = ()
    core: str = ""


def refine(topic: str, intent: Intent, field: str | None, *, narrowed: bool = False) -> Refinement:
    """The queries to send beside the question itself; `topic` is the question without conditions and filler.

    A topic that is `narrowed` to an author, a venue or around a paper is not broad.
    """
    words = content_words(topic)
    telling = [word for word in words if tells(word.lower()) or word.isupper()]
    if not telling:
        return _refinement(topic, "It has no term of any field.", (_shortened(topic),))
    if len(telling) > LONG or _sentences(topic) > 1:
        return _of_several(topic)
    if intent == "survey":
        return _refinement(topic, "A survey looks at a topic from several sides.", _seen_from(topic, SURVEY_ASPECTS))
    if intent == "method-comparison" and (things := _compared(topic)):
        return _refinement(topic, "Each of the compared things has papers of its own.", things)
    if not narrowed and (why := _vagueness(topic, telling)):
        return _refinement(topic, why, _seen_from(topic, aspect_terms(field)))
    if len(words) > ENOUGH_WORDS:
        return _refinement(topic, _NO_FIELD if field is None else _MANY_WORDS, _condensed(topic))
    if intent == "applications":
        return _refinement(topic, "Applications are named by what they serve.", _seen_from(topic, ("applications",)))
    if intent == "dataset":
        data = _seen_from(_DATA.sub(" ", topic), ("benchmark",))
        return _refinement(topic, "Data is also called a benchmark.", data)
    bare = in_order(together(phrases(topic), ENOUGH_WORDS))
    return _refinement(topic, "It has words that say nothing of its subject.", (bare,))


def _vagueness(topic: str, telling: Sequence[str]) -> str:
    """Why a topic may mean too much: empty for one that does not."""
    if len(telling) == 1 and telling[0].isupper() and len(telling[0]) <= SHORT_NAME:
        return "An abbreviation alone may stand for many things."
    words = content_words(topic)
    one_phrase = len(phrases(topic)) == 1 and len(words) <= FEW_WORDS and (len(words) < FEW_WORDS or is_term(words))
    broad = one_phrase and not any(map(_is_special, words))
    return "It is broad." if broad else ""


def _refinement(topic: str, why: str, queries: Iterable[str]) -> Refinement:
    kept = _different(topic, queries)
    return Refinement(True, why, kept) if kept else Refinement(False, "It is short and specific as it is.")


def _different(topic: str, queries: Iterable[str]) -> tuple[str, ...]:
    """The first queries of more than a word whose terms are neither those of the topic nor all in a query before."""
    whole, seen, kept = set(terms(topic)), list[set[str]](), list[str]()
    for query in queries:
        held = set(terms(query))
        if " " in query and held != whole and not any(held <= before for before in seen):
            seen.append(held)
            kept.append(query)
    return tuple(kept[:MOST_QUERIES])


def _of_several(topic: str) -> Refinement:
    """A query for each thing that a long text is about."""
    near = nearness(topic)
    found = {aspect.query: aspect for aspect in aspects(topic, MOST_QUERIES, MANY_WORDS, near)}
    nearest = {query: fmean(map(near, terms(query))) for query in found}
    kept = [query for query in found if nearest[query] > BESIDE * max(nearest.values())]
    refinement = _refinement(topic, "It asks for several things at once.", kept)
    few = {query: found[query].in_few(FEW_WORDS) for query in refinement.queries}
    fewer = tuple((query, words) for query, words in few.items() if " " in words)  # one word alone means too much
    core = leading(topic, FEW_WORDS, near)
    return refinement._replace(fewer=fewer, core=core if " " in core else "")


def _core(topic: str, most: int = FEW_WORDS + 1) -> str:
    """The most telling phrases of a topic, at most `most` words."""
    return in_order(together(sorted(heads(topic), key=lambda phrase: -phrase.weight), most)) or _shortened(topic)


def _seen_from(topic: str, sides: Iterable[str]) -> list[str]:
    core = _core(topic)
    return [f"{core} {side}" for side in sides if not set(terms(side)) <= set(terms(core))]


def _compared(topic: str) -> list[str]:
    """One query for each of the things compared, with what they are compared for."""
    if len(content_words(topic)) > 2 * ENOUGH_WORDS:
        return []
    head, *rest = _CONTEXT.split(topic, maxsplit=1)
    things = [_core(thing, 3) for thing in _BETWEEN.split(head) if content_words(thing)]
    context = _core(rest[0], 3) if rest and content_words(rest[0]) else ""
    return [f"{thing} {context}".strip() for thing in things] if 2 <= len(things) <= 4 else []


def _condensed(topic: str) -> list[str]:
    """The heaviest phrases of a long question; then the heaviest not asked for yet, each with the heaviest of all."""
    ranked = sorted(heads(topic), key=lambda phrase: -phrase.weight)
    queries, asked = list[str](), set[str]()
    for _ in range(MOST_QUERIES - 1):
        left = [phrase for phrase in ranked if not set(phrase.words) <= asked]
        if left:
            queries.append(in_order(together([left[0], *(ranked if queries else left)], FEW_WORDS)))
            asked |= set(queries[-1].split())
    return queries


def _shortened(topic: str) -> str:
    return " ".join(content_words(topic)[: FEW_WORDS + 1])


def _sentences(topic: str) -> int:
    return sum(len(content_words(sentence)) > 3 for sentence in re.split(r"[.;?!]\s", topic))


def _is_special(word: str) -> bool:
    return any(letter.isdigit() or letter.isupper() for letter in word[1:]) or "-" in word
