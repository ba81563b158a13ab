"""The queries to send beside a question: whole phrases of its subject, as a librarian types them (SPAR §3.1).

Sources that match every word get the few heaviest phrases of each query.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from agents.builtin.question_parsing.intents import Intent
from agents.builtin.question_parsing.phrases import Phrase, content_words, in_order, is_term, phrases, together
from agents.builtin.question_parsing.subject_phrases import Subject
from agents.builtin.question_parsing.subject_sentences import sentence_spans
from agents.builtin.text.terms import terms

MOST_QUERIES = 4
FEW = 2
"""So many phrases are in a query where each word must be found: of more, hardly a paper holds them all."""
MANY_WORDS = 8
"""So many are in a query at most."""
MOST_COMPARED = 12
"""Words of a question that compares things and says little else."""
LONG = 25
"""No paper is about a text of more words than this as a whole."""
OVERLAP = 0.5
"""From this share of common terms on, a query finds nearly the papers of the question, or of another one."""
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

    `fewer` has for each query the few words that stand for it where each must be found. `core` are those of a long
    text, and `gist` the phrases of a query for it.
    """

    needed: bool
    why: str
    queries: tuple[str, ...] = ()
    fewer: tuple[tuple[str, str], ...] = ()
    core: str = ""
    gist: str = ""


def refine(subject: str, question: str, intent: Intent, *, narrowed: bool = False) -> Refinement:
    """The queries to send beside `question`; `subject` is what is left of it without conditions and words of asking.

    A subject that is `narrowed` to an author, a venue or around a paper is not broad.
    """
    about = Subject(subject)
    sentences = [subject[span.start : span.end] for span in sentence_spans(subject)] or [subject]
    sentences.sort(key=lambda sentence: f"{sentence.strip().rstrip('?')}?" not in question)  # what is asked goes first
    long = len(content_words(subject)) > LONG
    ranked = about.phrases(subject if long else sentences[0])
    if intent == "method-comparison" and (things := _compared(subject, about)):
        return Refinement(True, "Each of the compared things has papers of its own.", things)
    beside = sentences if long else sentences[1:]
    found = dict(
        islice(_different(question, [ranked, *(_led(ranked, about.phrases(one)) for one in beside)]), MOST_QUERIES)
    )
    fewer = tuple((query, few) for query, few in found.items() if few != query)
    if long or len(sentences) > 1:
        chosen = together(ranked, MANY_WORDS)
        core, gist = in_order(chosen[:FEW]), in_order(chosen)
        why = "It asks for several things at once."
        return Refinement(bool(found), why, tuple(found), fewer, core if " " in core else "", gist)
    if found:
        return Refinement(True, "It has words that say nothing of its subject.", tuple(found), fewer)
    vague = not narrowed and _is_vague(subject)
    return Refinement(vague, "It is broad." if vague else "It is short and specific as it is.")


def _led(ranked: Sequence[Phrase], phrases: Sequence[Phrase]) -> list[Phrase]:
    """The phrases of one sentence behind the heaviest of all, as if this stood before them."""
    return [*(lead._replace(start=-1) for lead in ranked[:1]), *phrases]


def _different(question: str, groups: Iterable[Sequence[Phrase]]) -> Iterator[tuple[str, str]]:
    """A query of several phrases out of each group, and the few that stand for it: those with terms of their own."""
    held = [set(terms(question))]
    for group in groups:
        chosen = together(group, MANY_WORDS)
        stems = set(terms(in_order(chosen)))
        if len(chosen) > 1 and all(len(stems & other) < OVERLAP * len(stems | other) for other in held):
            held.append(stems)
            yield in_order(chosen), in_order(chosen[:FEW])


def _compared(subject: str, about: Subject) -> tuple[str, ...]:
    """One query for each of the things compared, with what they are compared for."""
    if len(content_words(subject)) > MOST_COMPARED:
        return ()
    head, *rest = _CONTEXT.split(subject, maxsplit=1)
    things = [_heaviest(thing, about) for thing in _BETWEEN.split(head) if content_words(thing)]
    context = _heaviest(rest[0], about) if rest else ""
    queries = [f"{thing} {context}".strip() for thing in things]
    return (
        tuple(dict.fromkeys(queries))
        if 2 <= len(things) <= MOST_QUERIES and all(" " in query for query in queries)
        else ()
    )


def _heaviest(text: str, about: Subject) -> str:
    return in_order(about.phrases(text)[:FEW])


def _is_vague(subject: str) -> bool:
    """Whether a subject may mean too much: one short phrase of common words."""
    words = content_words(subject)
    one_phrase = len(phrases(subject)) == 1 and len(words) <= 3 and (len(words) < 3 or is_term(words))
    return one_phrase and all(word.islower() and "-" not in word for word in words if len(words) > 1)
